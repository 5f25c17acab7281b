package dev.evenkeel.decide.schedule.model;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.api.WireTime;
import dev.evenkeel.kernel.fit.Demand;
import dev.evenkeel.kernel.fit.PodAmounts;
import dev.evenkeel.kernel.quantity.Quantity;
import dev.evenkeel.kernel.selector.LabelSelector;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reads a pod's object; once. */
final class PodReader {

  /** What a container that does not say counts for in scores, so that nodes do not fill unseen. */
  private static final String UNSAID_CPU = "100m";

  private static final String UNSAID_MEMORY = "200Mi";

  /** Owners whose pods are all alike. */
  private static final Set<String> OF_EQUALS =
      Set.of("ReplicaSet", "ReplicationController", "StatefulSet");

  /** Labels by which equal pods differ. */
  private static final Set<String> OF_ONE =
      Set.of("statefulset.kubernetes.io/pod-name", "apps.kubernetes.io/pod-index");

  private final ObjectNode pod;
  private final JsonNode metadata;
  private final JsonNode spec;
  private final JsonNode status;
  private final Map<String, String> labels;

  PodReader(ObjectNode pod) {
    this.pod = pod;
    this.metadata = pod.path("metadata");
    this.spec = pod.path("spec");
    this.status = pod.path("status");
    this.labels = Meta.labels(pod);
  }

  PodInfo read() {
    var around = new TermReader(Meta.namespace(pod), labels);
    return new PodInfo(
        identity(),
        life(),
        standing(),
        labels,
        shape(),
        around.constraints(spec),
        around.terms(spec.path("affinity")),
        siblings());
  }

  static long version(ObjectNode object) {
    try {
      return Long.parseLong(Meta.resourceVersion(object));
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private PodInfo.Identity identity() {
    String group = labels.getOrDefault(PodInfo.GROUP_KEY, "");
    return new PodInfo.Identity(
        Meta.namespace(pod),
        Meta.name(pod),
        Meta.uid(pod),
        version(pod),
        Meta.text(spec.path("schedulerName")),
        Meta.text(spec.path("nodeName")),
        Meta.text(status.path("nominatedNodeName")),
        group);
  }

  private PodInfo.Life life() {
    Instant created = instant(metadata.path("creationTimestamp"));
    return new PodInfo.Life(
        created == null ? Instant.EPOCH : created,
        instant(status.path("startTime")),
        Demand.hasEnded(pod),
        !Meta.text(metadata.path("deletionTimestamp")).isEmpty(),
        isPreempted());
  }

  private boolean isPreempted() {
    for (JsonNode condition : status.path("conditions")) {
      if (Meta.text(condition.path("type")).equals("DisruptionTarget")
          && Meta.text(condition.path("status")).equals("True")
          && Meta.text(condition.path("reason")).equals("PreemptionByScheduler")) {
        return true;
      }
    }
    return false;
  }

  private static @Nullable Instant instant(JsonNode node) {
    return WireTime.parse(Meta.text(node));
  }

  private PodInfo.Standing standing() {
    List<String> gates = new ArrayList<>(0);
    spec.path("schedulingGates").forEach(gate -> gates.add(Meta.text(gate.path("name"))));
    return new PodInfo.Standing(
        spec.path("priority").asInt(0),
        Meta.text(spec.path("preemptionPolicy")).equals("Never")
            ? PodInfo.PreemptionPolicy.NEVER
            : PodInfo.PreemptionPolicy.LOWER_PRIORITY,
        List.copyOf(gates));
  }

  private Shape shape() {
    JsonNode affinity = spec.path("affinity").path("nodeAffinity");
    var scored = PodAmounts.requestsWithOverhead(withUnsaid());
    return new Shape(
        Demand.of(pod),
        units(scored.orZero("cpu"), 3),
        units(scored.orZero("memory"), 0),
        Meta.text(spec.path("nodeName")),
        NodeTermReader.selection(spec, affinity),
        NodeTermReader.preferred(affinity),
        tolerations(),
        images(),
        claims());
  }

  private static long units(Quantity quantity, int digits) {
    BigDecimal units = quantity.value().movePointRight(digits).setScale(0, RoundingMode.CEILING);
    return units.signum() <= 0 ? 0 : units.min(BigDecimal.valueOf(Long.MAX_VALUE / 2)).longValue();
  }

  /** The spec with what its containers do not say; itself if they say it all. */
  private JsonNode withUnsaid() {
    if (saysAll(spec.path("containers")) && saysAll(spec.path("initContainers"))) {
      return spec;
    }
    ObjectNode said = JsonNodeFactory.instance.objectNode();
    for (String field : List.of("containers", "initContainers")) {
      var list = said.putArray(field);
      for (JsonNode container : spec.path(field)) {
        ObjectNode copy = list.addObject();
        copyTo(copy, container, "restartPolicy");
        ObjectNode requests = copy.putObject("resources").putObject("requests");
        container.path("resources").path("requests").forEachEntry(requests::set);
        requests.putIfAbsent("cpu", JsonNodeFactory.instance.stringNode(UNSAID_CPU));
        requests.putIfAbsent("memory", JsonNodeFactory.instance.stringNode(UNSAID_MEMORY));
      }
    }
    copyTo(said, spec, "overhead");
    copyTo(said, spec, "resources");
    return said;
  }

  private static void copyTo(ObjectNode copy, JsonNode from, String field) {
    JsonNode value = from.get(field);
    if (value != null) {
      copy.set(field, value);
    }
  }

  private static boolean saysAll(JsonNode containers) {
    for (JsonNode container : containers) {
      JsonNode requests = container.path("resources").path("requests");
      if (!requests.has("cpu") || !requests.has("memory")) {
        return false;
      }
    }
    return true;
  }

  private List<Toleration> tolerations() {
    List<Toleration> tolerations = new ArrayList<>(0);
    for (JsonNode toleration : spec.path("tolerations")) {
      String effect = Meta.text(toleration.path("effect"));
      tolerations.add(
          new Toleration(
              Meta.text(toleration.path("key")),
              Meta.text(toleration.path("operator")).equals("Exists"),
              Meta.text(toleration.path("value")),
              effect.isEmpty() ? null : Taint.Effect.of(effect)));
    }
    return tolerations;
  }

  private List<String> images() {
    List<String> images = new ArrayList<>(1);
    for (String field : List.of("initContainers", "containers")) {
      for (JsonNode container : spec.path(field)) {
        String image = Meta.text(container.path("image"));
        boolean tagged = image.lastIndexOf(':') > image.lastIndexOf('/');
        images.add(tagged ? image : image + ":latest");
      }
    }
    return images;
  }

  private List<String> claims() {
    List<String> claims = new ArrayList<>(0);
    String namespace = Meta.namespace(pod);
    for (JsonNode volume : spec.path("volumes")) {
      String claim = Meta.text(volume.path("persistentVolumeClaim").path("claimName"));
      if (volume.path("ephemeral").isObject()) {
        claim = Meta.name(pod) + "-" + Meta.text(volume.path("name"));
      }
      if (!claim.isEmpty() && !claims.contains(namespace + "/" + claim)) {
        claims.add(namespace + "/" + claim);
      }
    }
    return claims;
  }

  /** Upstream reads the owner's selector; its pods have all of one template's labels. */
  private @Nullable LabelSelector siblings() {
    for (JsonNode owner : metadata.path("ownerReferences")) {
      if (owner.path("controller").asBoolean(false)
          && OF_EQUALS.contains(Meta.text(owner.path("kind")))) {
        var shared = new TreeMap<>(labels);
        shared.keySet().removeAll(OF_ONE);
        return shared.isEmpty() ? null : TermReader.selectorOf(shared);
      }
    }
    return null;
  }
}
