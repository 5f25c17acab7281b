package dev.evenkeel.decide.controllers.network;

import dev.evenkeel.decide.controllers.object.Ownership;
import dev.evenkeel.decide.controllers.object.Pods;
import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.patch.MergePatch;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kinds;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The slices that a service has, and what they become. */
final class ServiceSlices {

  /** A pod with its place. */
  private record Placed(ServicePod pod, @Nullable Cached<ObjectNode> node) {}

  private final Cached<ObjectNode> seen;
  private final ObjectNode service;
  private final List<ServicePod> pods;
  private final int endpointsMax;
  private final Map<String, String> labels;
  private final List<SliceDraft> slices = new ArrayList<>();
  private final List<Cached<ObjectNode>> strangers = new ArrayList<>(0);
  private final List<Placed> placed = new ArrayList<>();

  ServiceSlices(
      Cached<ObjectNode> seen, ObjectNode service, List<ServicePod> pods, int endpointsMax) {
    this.seen = seen;
    this.service = service;
    this.pods = pods;
    this.endpointsMax = endpointsMax;
    this.labels =
        Labelled.labels(
            seen.labels(),
            ServicePorts.isHeadless(service),
            Map.of(
                EndpointSliceReconciler.SERVICE_NAME,
                seen.name(),
                EndpointSliceReconciler.MANAGED_BY,
                EndpointSliceReconciler.MANAGER));
  }

  void addSlice(Cached<ObjectNode> slice) {
    if (Ownership.isControlledBy(slice, seen)) {
      slices.add(SliceDraft.of(slice));
    } else {
      strangers.add(slice); // of a service that had the same name
    }
  }

  void addPod(ServicePod pod, @Nullable Cached<ObjectNode> node) {
    placed.add(new Placed(pod, node));
  }

  /** Makes what is missing before it changes others and deletes what is too much. */
  void plan(Plan plan) {
    Set<Family> families = families();
    List<SliceDraft> kept = new ArrayList<>();
    List<SliceDraft> made = new ArrayList<>();
    List<SliceDraft> unneeded = new ArrayList<>();
    slices.stream()
        .filter(it -> families.stream().noneMatch(family -> family.word().equals(it.family())))
        .forEach(unneeded::add);
    for (Family family : families) {
      spread(family, kept, made, unneeded);
    }
    String trigger = trigger(kept, made);
    if (!Pods.isEnding(service)) {
      made.forEach(slice -> create(slice, trigger, plan));
    }
    kept.forEach(slice -> change(slice, trigger, plan));
    for (SliceDraft slice : unneeded) {
      if (slice.seen() != null) {
        plan.delete(slice.seen(), "no pod of the service is in it any more");
      }
    }
    strangers.forEach(
        slice -> plan.delete(slice, "it is of another service, which had the same name"));
  }

  private Set<Family> families() {
    Set<Family> families = EnumSet.noneOf(Family.class);
    JsonNode spec = service.path("spec");
    for (JsonNode family : spec.path("ipFamilies")) {
      families.add(Meta.text(family).equals(Family.IPV6.word()) ? Family.IPV6 : Family.IPV4);
    }
    String cluster = Meta.text(spec.path("clusterIP"));
    if (families.isEmpty() && !cluster.isEmpty() && !ServicePorts.isHeadless(service)) {
      families.add(Family.of(cluster));
    }
    if (families.isEmpty()) {
      placed.forEach(it -> it.pod.addresses().forEach(ip -> families.add(Family.of(ip))));
    }
    if (families.isEmpty()) {
      families.add(Family.IPV4);
    }
    return families;
  }

  private void spread(
      Family family, List<SliceDraft> kept, List<SliceDraft> made, List<SliceDraft> unneeded) {
    Map<String, SliceGroup> groups = new TreeMap<>();
    for (Placed one : placed) {
      List<String> addresses = one.pod.addresses(family);
      if (!addresses.isEmpty()) {
        List<ObjectNode> ports = ServicePorts.on(one.pod, service);
        group(groups, family, ports)
            .addEndpoint(SliceEndpoint.of(one.pod, addresses, one.node, seen, service));
      }
    }
    for (SliceDraft slice : slices) {
      if (slice.family().equals(family.word())) {
        group(groups, family, slice.ports()).addSlice(slice);
      }
    }
    List<SliceDraft> here = new ArrayList<>();
    List<SliceDraft> fresh = new ArrayList<>();
    List<SliceDraft> spare = new ArrayList<>();
    for (SliceGroup group : groups.values()) {
      SliceGroup.Spread spread = group.spread();
      here.addAll(spread.kept());
      fresh.addAll(spread.made());
      spare.addAll(spread.unneeded());
    }
    if (here.isEmpty() && fresh.isEmpty()) {
      fresh.add(SliceDraft.empty(family, List.of())); // says that there is nobody
    }
    reuse(fresh, spare, here);
    kept.addAll(here);
    made.addAll(fresh);
    unneeded.addAll(spare);
  }

  private SliceGroup group(Map<String, SliceGroup> groups, Family family, List<ObjectNode> ports) {
    return groups.computeIfAbsent(
        SliceDraft.key(ports), _ -> new SliceGroup(family, ports, endpointsMax));
  }

  /** Instead of making one and deleting another, the other becomes the one. */
  private static void reuse(List<SliceDraft> fresh, List<SliceDraft> spare, List<SliceDraft> here) {
    Iterator<SliceDraft> free = spare.iterator();
    while (!fresh.isEmpty() && free.hasNext()) {
      SliceDraft slice = free.next();
      slice.become(fresh.removeLast());
      here.add(slice);
      free.remove();
    }
  }

  private @Nullable String trigger(List<SliceDraft> kept, List<SliceDraft> made) {
    if (slices.isEmpty()) {
      return seen.text("metadata", "creationTimestamp");
    }
    var before = new Readiness();
    var after = new Readiness();
    slices.forEach(it -> before.addEndpoints(it.before().path("endpoints")));
    kept.forEach(it -> after.addEndpoints(it.endpoints()));
    made.forEach(it -> after.addEndpoints(it.endpoints()));
    return Readiness.triggered(before, after, pods);
  }

  private void create(SliceDraft slice, @Nullable String trigger, Plan plan) {
    ObjectNode made = JsonNodeFactory.instance.objectNode();
    made.put("apiVersion", "discovery.k8s.io/v1").put("kind", "EndpointSlice");
    ObjectNode metadata = made.putObject("metadata");
    metadata.put("generateName", seen.name() + "-").put("namespace", seen.namespace());
    labels.forEach(metadata.putObject("labels")::put);
    Ownership.take(made, seen);
    Labelled.annotate(made, made, Readiness.TRIGGER_TIME, trigger);
    made.put("addressType", slice.family());
    made.setAll(slice.content());
    plan.create(
        Kinds.ENDPOINT_SLICES,
        made,
        slice.endpoints().isEmpty()
            ? "the service has no pods, and no slice that says so"
            : slice.endpoints().size() + " of the service's pods are in no slice");
  }

  private void change(SliceDraft slice, @Nullable String trigger, Plan plan) {
    Cached<ObjectNode> known = slice.seen();
    if (known == null) {
      return;
    }
    ObjectNode wanted = slice.content();
    Meta.of(wanted).set("labels", Labelled.change(labels, known.labels().keySet()));
    ObjectNode change = MergePatch.setting(slice.before(), wanted);
    if (change.isEmpty()) {
      return;
    }
    Labelled.annotate(change, slice.before(), Readiness.TRIGGER_TIME, trigger);
    plan.patch(
        known,
        change,
        change.has("endpoints")
            ? "the service's pods or their readiness have changed"
            : "it does not have the service's ports and labels");
  }
}
