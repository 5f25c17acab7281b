package dev.evenkeel.serve.podsecurity;

import dev.evenkeel.kernel.api.Meta;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/**
 * A pod, or what a template would make one of, as checks see it.
 *
 * @param containers of all sorts, in the order in which messages name them
 */
record CheckedPod(JsonNode annotations, JsonNode spec, List<JsonNode> containers) {

  private static final List<String> LISTS =
      List.of("initContainers", "containers", "ephemeralContainers");

  CheckedPod {
    containers = List.copyOf(containers);
  }

  /**
   * @param pod with {@code metadata} and {@code spec}, if it has these
   */
  static CheckedPod of(JsonNode pod) {
    JsonNode spec = pod.path("spec");
    List<JsonNode> containers = new ArrayList<>();
    for (String list : LISTS) {
      spec.path(list).forEach(containers::add);
    }
    return new CheckedPod(pod.path("metadata").path("annotations"), spec, containers);
  }

  boolean isWindows() {
    return Meta.text(spec.path("os").path("name")).equals("windows");
  }

  JsonNode securityContext() {
    return spec.path("securityContext");
  }

  /** The names of the containers that do it; each is asked about. */
  List<String> containersThat(Predicate<JsonNode> does) {
    List<String> names = new ArrayList<>();
    for (JsonNode container : containers) {
      if (does.test(container)) {
        names.add(Meta.text(container.path("name")));
      }
    }
    return names;
  }

  static boolean isTrue(JsonNode node) {
    return node.isBoolean() && node.booleanValue();
  }

  static boolean isFalse(JsonNode node) {
    return node.isBoolean() && !node.booleanValue();
  }
}
