package dev.evenkeel.decide.controllers.collect;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.api.WireTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What a namespace that is going says of itself. Pure. */
final class NamespaceRules {

  /** The finalizer in {@code spec} that stands for all that is in the namespace. */
  static final String FINALIZER = "kubernetes";

  private NamespaceRules() {}

  /**
   * What is left.
   *
   * @param objects how many of each kind, by its name, none with 0
   * @param finalizers on how many of them which holds
   * @param failures what could not be deleted or counted, for people
   */
  record Contents(Map<String, Long> objects, Map<String, Long> finalizers, List<String> failures) {
    Contents {
      objects = new TreeMap<>(objects);
      finalizers = new TreeMap<>(finalizers);
      failures = List.copyOf(failures);
    }

    boolean isEmpty() {
      return objects.isEmpty() && failures.isEmpty();
    }
  }

  /** The namespace without the finalizer, to be given to its subresource. */
  static ObjectNode finalized(ObjectNode namespace) {
    ObjectNode done = namespace.deepCopy();
    ArrayNode kept = JsonNodeFactory.instance.arrayNode();
    for (JsonNode finalizer : namespace.path("spec").path("finalizers")) {
      if (!Meta.text(finalizer).equals(FINALIZER)) {
        kept.add(finalizer);
      }
    }
    done.withObject("/spec").set("finalizers", kept);
    return done;
  }

  static boolean isDone(ObjectNode namespace) {
    for (JsonNode finalizer : namespace.path("spec").path("finalizers")) {
      if (Meta.text(finalizer).equals(FINALIZER)) {
        return false;
      }
    }
    return true;
  }

  /** The status with its conditions; those that say what they said keep their time. */
  static ObjectNode status(ObjectNode namespace, Contents contents, Instant now) {
    ObjectNode status = JsonNodeFactory.instance.objectNode();
    status.put("phase", "Terminating");
    ArrayNode conditions = status.putArray("conditions");
    JsonNode before = namespace.path("status").path("conditions");
    condition(
        conditions,
        before,
        now,
        "NamespaceDeletionDiscoveryFailure",
        false,
        "ResourcesDiscovered",
        "All resources successfully discovered");
    condition(
        conditions,
        before,
        now,
        "NamespaceDeletionGroupVersionParsingFailure",
        false,
        "ParsedGroupVersions",
        "All legacy kube types successfully parsed");
    boolean failed = !contents.failures().isEmpty();
    condition(
        conditions,
        before,
        now,
        "NamespaceDeletionContentFailure",
        failed,
        failed ? "ContentDeletionFailed" : "ContentDeleted",
        failed
            ? "Failed to delete all resource types, "
                + contents.failures().size()
                + " remaining: "
                + String.join(", ", contents.failures())
            : "All content successfully deleted, may be waiting on finalization");
    boolean some = !contents.objects().isEmpty();
    condition(
        conditions,
        before,
        now,
        "NamespaceContentRemaining",
        some,
        some ? "SomeResourcesRemain" : "ContentRemoved",
        some
            ? "Some resources are remaining: "
                + counted(contents.objects(), "%s has %d resource instances")
            : "All content successfully removed");
    boolean held = !contents.finalizers().isEmpty();
    condition(
        conditions,
        before,
        now,
        "NamespaceFinalizersRemaining",
        held,
        held ? "SomeFinalizersRemain" : "ContentHasNoFinalizers",
        held
            ? "Some content in the namespace has finalizers remaining: "
                + counted(contents.finalizers(), "%s in %d resource instances")
            : "All content-preserving finalizers finished");
    return status;
  }

  private static String counted(Map<String, Long> counts, String form) {
    return counts.entrySet().stream()
        .map(each -> form.formatted(each.getKey(), each.getValue()))
        .collect(Collectors.joining(", "));
  }

  private static void condition(
      ArrayNode conditions,
      JsonNode before,
      Instant now,
      String type,
      boolean holds,
      String reason,
      String message) {
    String word = holds ? "True" : "False";
    String since = WireTime.seconds(now);
    for (JsonNode known : before) {
      if (Meta.text(known.path("type")).equals(type)
          && Meta.text(known.path("status")).equals(word)) {
        since = Meta.text(known.path("lastTransitionTime"));
      }
    }
    conditions
        .addObject()
        .put("type", type)
        .put("status", word)
        .put("lastTransitionTime", since)
        .put("reason", reason)
        .put("message", message);
  }
}
