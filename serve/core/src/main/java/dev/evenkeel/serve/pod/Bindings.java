package dev.evenkeel.serve.pod;

import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.api.WireTime;
import dev.evenkeel.kernel.env.Clock;
import dev.evenkeel.kernel.fit.BindingNotes;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.metric.Meters;
import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.allocation.NodeLedgers;
import dev.evenkeel.serve.allocation.NodeRefusal;
import dev.evenkeel.serve.api.ApiResponse;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.call.Call;
import dev.evenkeel.serve.call.Decoding;
import dev.evenkeel.serve.call.Failures;
import dev.evenkeel.serve.kinds.rules.check.Names;
import dev.evenkeel.serve.object.MetadataRules;
import dev.evenkeel.serve.object.PodNotes;
import dev.evenkeel.serve.quota.TenantQuotas;
import dev.evenkeel.serve.resource.Served;
import dev.evenkeel.serve.write.Writes;
import dev.evenkeel.serve.write.Zones;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Gives pods their nodes. The transaction that does it charges the node, so a pod that does not fit
 * is refused whoever asks and whatever they saw.
 *
 * <p>A Binding may say more than upstream's, in annotations that are not copied to the pod:
 *
 * <ul>
 *   <li>{@value BindingNotes#OBSERVED}: the version the decision was made on. It changes no
 *       verdict; what was decided on something older is judged anew, and counted as such.
 *   <li>{@value BindingNotes#CANDIDATES}: more nodes, separated by commas: the first that is enough
 *       is taken.
 *   <li>{@value BindingNotes#OPERATION}: whoever repeats a Binding with the same one is answered as
 *       the first time, and nothing is done twice.
 * </ul>
 */
public final class Bindings {

  public static final Gvk BINDING = Gvk.of("v1", "Binding");

  /** What only those say who know of more than upstream's Binding. */
  private static final Set<String> ASKED =
      Set.of(BindingNotes.OBSERVED, BindingNotes.CANDIDATES, BindingNotes.OPERATION);

  private static final Set<String> NOT_COPIED =
      Set.of(
          BindingNotes.OBSERVED,
          BindingNotes.CANDIDATES,
          BindingNotes.OPERATION,
          PodNotes.BOUND_BY,
          PodNotes.ZONE);

  private static final int CANDIDATES_MAX = 16;

  /** What the scheduler said of a condition that is another from now on. */
  private static final List<String> NOT_KEPT = List.of("observedGeneration", "reason", "message");

  private final Writes writes;
  private final NodeLedgers ledgers;
  private final Zones zones;
  private final Clock clock;
  private final LongAdder current = new LongAdder();
  private final LongAdder judgedAnew = new LongAdder();

  public Bindings(Writes writes, NodeLedgers ledgers, Zones zones, Clock clock) {
    this.writes = writes;
    this.ledgers = ledgers;
    this.zones = zones;
    this.clock = clock;
  }

  /** Gives a pod its node, once. */
  public CompletableFuture<ApiResponse> bind(Call call, Served pods) {
    ObjectNode binding = Decoding.optional(call, BINDING);
    String pod = Meta.name(binding).isEmpty() ? call.target().name() : Meta.name(binding);
    if (!call.target().name().isEmpty() && !pod.equals(call.target().name())) {
      throw Status.badRequest("name in URL does not match name in Binding object").asException();
    }
    String namespace = Meta.namespace(binding);
    if (!namespace.isEmpty() && !namespace.equals(call.target().namespace())) {
      throw Status.badRequest(
              "the namespace in the binding (%s) is not that of the request (%s)"
                  .formatted(namespace, call.target().namespace()))
          .asException();
    }
    List<String> candidates = candidates(binding, pod);
    return bind(call.named(pod), pods, binding, candidates, 0, List.of());
  }

  private static List<String> candidates(ObjectNode binding, String pod) {
    String node = Meta.text(binding.path("target").path("name"));
    String kind = Meta.text(binding.path("target").path("kind"));
    var problems = new Problems();
    if (node.isEmpty()) {
      problems.required("target.name", "the name of a node");
    }
    if (!kind.isEmpty() && !kind.equals("Node")) {
      problems.notSupported("target.kind", kind, List.of("Node"));
    }
    List<String> candidates = new ArrayList<>();
    candidates.add(node);
    for (String other : annotation(binding, BindingNotes.CANDIDATES).split(",", -1)) {
      String name = other.strip();
      if (!name.isEmpty() && !candidates.contains(name)) {
        candidates.add(name);
      }
    }
    if (candidates.size() > CANDIDATES_MAX) {
      throw Status.badRequest(
              "a binding may name %d nodes at most, not %d"
                  .formatted(CANDIDATES_MAX, candidates.size()))
          .asException();
    }
    candidates.forEach(each -> checkNode("target.name", each, problems));
    MetadataRules.annotations(binding.path("metadata").path("annotations"), problems);
    if (!problems.isEmpty()) {
      throw Status.invalid("", "Binding", pod, problems.errors()).asException();
    }
    return candidates;
  }

  /** A pod on a node that cannot be could never be changed again, nor deleted. */
  static void checkNode(String field, String node, Problems problems) {
    if (!node.isEmpty()) {
      Names.dnsSubdomain(node).forEach(fault -> problems.invalid(field, node, fault));
    }
  }

  static String annotation(ObjectNode object, String name) {
    return Meta.text(object.path("metadata").path("annotations").path(name));
  }

  /**
   * @param causes why those before were not enough
   */
  private CompletableFuture<ApiResponse> bind(
      Call call,
      Served pods,
      ObjectNode binding,
      List<String> candidates,
      int next,
      List<Status.Cause> causes) {
    var chosen = new AtomicReference<String>("");
    return writes
        .changed(
            call,
            pods,
            Writes.Part.MAIN_AND_STATUS,
            pod -> bound(pod, binding, candidates.get(next), chosen))
        .thenApply(after -> answer(call, binding, chosen.get(), after))
        .exceptionallyCompose(
            failure -> {
              Status refused = refusal(failure);
              if (refused == null) {
                return CompletableFuture.failedFuture(failure);
              }
              List<Status.Cause> all = new ArrayList<>(causes);
              Status.Details details = refused.details();
              if (details != null) {
                all.addAll(details.causes());
              }
              return next + 1 < candidates.size()
                  ? bind(call, pods, binding, candidates, next + 1, all)
                  : CompletableFuture.failedFuture(inAll(refused, all).asException());
            });
  }

  private static @Nullable Status refusal(Throwable failure) {
    Throwable cause = Failures.translated(failure);
    return cause instanceof ApiException refused
            && (NodeRefusal.isOne(refused.status()) || TenantQuotas.isRefusal(refused.status()))
        ? refused.status()
        : null;
  }

  private static Status inAll(Status last, List<Status.Cause> causes) {
    Status.Details details = last.details();
    return details == null
        ? last
        : new Status(
            last.code(),
            last.reason(),
            last.message(),
            new Status.Details(
                details.name(), details.group(), details.kind(), details.uid(), causes, 0),
            null);
  }

  /**
   * Says to whoever says more than upstream's Binding, beside upstream's words, which node it is
   * and in which version the pod has it.
   */
  private static ApiResponse answer(Call call, ObjectNode binding, String node, CachedObject pod) {
    if (ASKED.stream().allMatch(name -> annotation(binding, name).isEmpty())) {
      return call.answer(201, Json.encode(new Status(201, "", "", null, null).toJson()));
    }
    Status done =
        new Status(201, "", "", new Status.Details(node, "", "nodes", "", List.of(), 0), null);
    ObjectNode json = done.toJson();
    Meta.of(json).put("resourceVersion", Long.toString(pod.revision()));
    return call.answer(201, Json.encode(json));
  }

  private ObjectNode bound(
      ObjectNode pod, ObjectNode binding, String node, AtomicReference<String> chosen) {
    checkUid(pod, Meta.uid(binding));
    String operation = annotation(binding, BindingNotes.OPERATION);
    if (isBoundBy(pod, operation)) {
      chosen.set(nodeOf(pod));
      return pod;
    }
    checkFree(pod);
    chosen.set(node);
    return bound(pod, binding, node);
  }

  static String nodeOf(ObjectNode pod) {
    return Meta.text(pod.path("spec").path("nodeName"));
  }

  /**
   * @param uid empty if any will do
   */
  static void checkUid(ObjectNode pod, String uid) {
    if (!uid.isEmpty() && !uid.equals(Meta.uid(pod))) {
      throw Status.conflict(
              "", "pods", Meta.name(pod), "the binding is for another pod of this name")
          .asException();
    }
  }

  /** Whether the pod has its node by this operation. */
  static boolean isBoundBy(ObjectNode pod, String operation) {
    return !nodeOf(pod).isEmpty()
        && !operation.isEmpty()
        && operation.equals(annotation(pod, PodNotes.BOUND_BY));
  }

  /** Refuses a pod that can be given no node. */
  static void checkFree(ObjectNode pod) {
    String name = Meta.name(pod);
    String assigned = nodeOf(pod);
    if (pod.path("metadata").has("deletionTimestamp")) {
      throw Status.conflict(
              "",
              "pods/binding",
              name,
              "pod " + name + " is being deleted, cannot be assigned to a host")
          .asException();
    }
    if (!assigned.isEmpty()) {
      throw Status.conflict(
              "",
              "pods/binding",
              name,
              "pod " + name + " is already assigned to node \"" + assigned + "\"")
          .asException();
    }
    if (!pod.path("spec").path("schedulingGates").isEmpty()) {
      throw Status.conflict(
              "", "pods/binding", name, "pod " + name + " has non-empty .spec.schedulingGates")
          .asException();
    }
  }

  /** The pod with its node, and with what the binding says. */
  ObjectNode bound(ObjectNode pod, ObjectNode binding, String node) {
    note(annotation(binding, BindingNotes.OBSERVED), node);
    ObjectNode next = pod.deepCopy();
    ((ObjectNode) next.path("spec")).put("nodeName", node);
    annotate(next, binding, node);
    ObjectNode status =
        next.get("status") instanceof ObjectNode known ? known : next.putObject("status");
    condition(status, "PodScheduled", "True");
    return next;
  }

  private void annotate(ObjectNode pod, ObjectNode binding, String node) {
    ObjectNode annotations =
        pod.path("metadata").get("annotations") instanceof ObjectNode known
            ? known
            : Meta.of(pod).putObject("annotations");
    binding
        .path("metadata")
        .path("annotations")
        .forEachEntry(
            (key, value) -> {
              if (!NOT_COPIED.contains(key)) {
                annotations.set(key, value);
              }
            });
    String operation = annotation(binding, BindingNotes.OPERATION);
    if (!operation.isEmpty()) {
      annotations.put(PodNotes.BOUND_BY, operation);
    }
    String zone = zones.of(node);
    if (!zone.isEmpty()) {
      annotations.put(PodNotes.ZONE, zone);
    }
    if (annotations.isEmpty()) {
      Meta.of(pod).remove("annotations");
    }
  }

  /** Counts whether what was decided on was still so. */
  private void note(String observed, String node) {
    if (observed.isEmpty()) {
      return;
    }
    long version;
    try {
      version = Long.parseLong(observed);
    } catch (NumberFormatException e) {
      throw Status.badRequest(
              "the annotation "
                  + BindingNotes.OBSERVED
                  + " must be a version, not '"
                  + observed
                  + "'")
          .asException();
    }
    (ledgers.version(node) <= version ? current : judgedAnew).increment();
  }

  private void condition(ObjectNode status, String type, String value) {
    ArrayNode conditions =
        status.get("conditions") instanceof ArrayNode known ? known : status.putArray("conditions");
    String now = WireTime.seconds(clock.now());
    for (JsonNode condition : conditions) {
      if (Meta.text(condition.path("type")).equals(type)
          && condition instanceof ObjectNode existing) {
        existing.put("status", value).put("lastTransitionTime", now);
        existing.remove(NOT_KEPT);
        return;
      }
    }
    conditions.addObject().put("type", type).put("status", value).put("lastTransitionTime", now);
  }

  /** Adds how bindings went. */
  public void register(Meters meters) {
    meters.counted(
        "evenkeel_bindings_total",
        "Bindings that said what they had seen, by whether it was so",
        List.of("seen"),
        values -> {
          values.is((double) current.sum(), "current");
          values.is((double) judgedAnew.sum(), "older");
        });
    meters.counted(
        "evenkeel_node_refusals_total",
        "Pods that a node had too little for, by reason",
        List.of("reason"),
        values -> ledgers.refusals().forEach((reason, count) -> values.is(count, reason)));
  }
}
