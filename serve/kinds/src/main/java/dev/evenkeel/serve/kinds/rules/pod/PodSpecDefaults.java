package dev.evenkeel.serve.kinds.rules.pod;

import dev.evenkeel.kernel.api.Meta;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What a pod's spec gets though nobody wrote it, as far as it depends on the rest. */
final class PodSpecDefaults {

  private static final List<String> CONTAINER_LISTS =
      List.of("initContainers", "containers", "ephemeralContainers");

  /** Those a pod starts with, as opposed to those added for looking into it. */
  private static final List<String> PLANNED_LISTS = List.of("initContainers", "containers");

  private PodSpecDefaults() {}

  /** For pods and for templates of them. */
  static void apply(ObjectNode spec) {
    if (!spec.path("securityContext").isObject()) {
      spec.putObject("securityContext");
    }
    agreeOnServiceAccount(spec);
    for (String list : CONTAINER_LISTS) {
      for (JsonNode container : spec.path(list)) {
        if (container instanceof ObjectNode object) {
          putIfEmpty(object, "imagePullPolicy", pullPolicy(Meta.text(object.path("image"))));
          dropRestartRules(object, list);
        }
      }
    }
    for (JsonNode volume : spec.path("volumes")) {
      if (volume instanceof ObjectNode object) {
        applyToVolume(object);
      }
    }
  }

  /**
   * Containers that restart by rules of their own are behind a gate that is shut by default: what
   * asks for it is dropped, all but the one word that makes a sidecar.
   */
  private static void dropRestartRules(ObjectNode container, String list) {
    container.remove("restartPolicyRules");
    boolean sidecar =
        list.equals("initContainers")
            && Meta.text(container.path("restartPolicy")).equals("Always");
    if (!sidecar) {
      container.remove("restartPolicy");
    }
  }

  /** For pods only: templates keep what was written, so that rollouts see no difference. */
  static void applyToPod(ObjectNode spec) {
    for (String list : PLANNED_LISTS) {
      for (JsonNode container : spec.path(list)) {
        if (container instanceof ObjectNode object) {
          requestWhatIsLimited(object);
          if (spec.path("hostNetwork").asBoolean(false)) {
            openOnHost(object);
          }
        }
      }
    }
    if (spec.path("terminationGracePeriodSeconds").asLong(0) < 0) {
      spec.put("terminationGracePeriodSeconds", 1L);
    }
    if (!spec.path("enableServiceLinks").isBoolean()) {
      spec.put("enableServiceLinks", true);
    }
  }

  /** Two fields for one thing: the newer one counts, the older one follows. */
  private static void agreeOnServiceAccount(ObjectNode spec) {
    String name = Meta.text(spec.path("serviceAccountName"));
    String older = Meta.text(spec.path("serviceAccount"));
    String account = name.isEmpty() ? older : name;
    if (!account.isEmpty()) {
      spec.put("serviceAccountName", account).put("serviceAccount", account);
    }
  }

  private static void applyToVolume(ObjectNode volume) {
    boolean hasSource =
        volume
            .propertyStream()
            .anyMatch(e -> !e.getKey().equals("name") && e.getValue().isObject());
    if (!hasSource) {
      volume.putObject("emptyDir");
    }
    if (volume.path("image") instanceof ObjectNode image) {
      putIfEmpty(image, "pullPolicy", pullPolicy(Meta.text(image.path("reference"))));
    }
  }

  /** What changes under its name is pulled again and again. */
  static String pullPolicy(String image) {
    int name = image.lastIndexOf('/') + 1;
    int digest = image.indexOf('@', name);
    int tag = image.indexOf(':', name);
    boolean pinned = digest >= 0;
    boolean latest = tag < 0 ? !pinned : tagOf(image, tag, digest).equals("latest");
    return latest ? "Always" : "IfNotPresent";
  }

  private static String tagOf(String image, int colon, int digest) {
    if (digest < 0) {
      return image.substring(colon + 1);
    }
    // The colon of a digest is no tag's.
    return colon < digest ? image.substring(colon + 1, digest) : "";
  }

  private static void requestWhatIsLimited(ObjectNode container) {
    if (!(container.path("resources") instanceof ObjectNode resources)
        || !(resources.path("limits") instanceof ObjectNode limits)
        || limits.isEmpty()) {
      return;
    }
    ObjectNode requests =
        resources.path("requests") instanceof ObjectNode there
            ? there
            : resources.putObject("requests");
    limits.forEachEntry(
        (name, limit) -> {
          if (!requests.has(name)) {
            requests.set(name, limit);
          }
        });
  }

  private static void openOnHost(ObjectNode container) {
    if (container.path("ports") instanceof ArrayNode ports) {
      for (JsonNode port : ports) {
        if (port instanceof ObjectNode object && object.path("hostPort").asLong(0) == 0) {
          object.put("hostPort", object.path("containerPort").asLong(0));
        }
      }
    }
  }

  private static void putIfEmpty(ObjectNode object, String field, String value) {
    if (Meta.text(object.path(field)).isEmpty()) {
      object.put(field, value);
    }
  }
}
