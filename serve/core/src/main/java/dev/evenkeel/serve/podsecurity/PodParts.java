package dev.evenkeel.serve.podsecurity;

import dev.evenkeel.kernel.api.Meta;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/** What of an object is about pods' security. */
public final class PodParts {

  private static final List<String> FIXED_LISTS = List.of("containers", "initContainers");
  private static final String ADDED_LIST = "ephemeralContainers";

  private PodParts() {}

  /**
   * The template of the pods that an object makes; missing if it has none.
   *
   * @param plural its kind
   */
  public static JsonNode template(String plural, JsonNode object) {
    JsonNode spec = object.path("spec");
    JsonNode template =
        switch (plural) {
          case "podtemplates" -> object.path("template");
          case "cronjobs" -> Meta.at(spec, "jobTemplate", "spec", "template");
          default -> spec.path("template");
        };
    return template.isObject() ? template : MissingNode.getInstance();
  }

  /**
   * Whether an update changes anything that a check could mind. Of the little in a pod that may be
   * changed at all, that is images, and containers that are added.
   */
  public static boolean isChanged(JsonNode pod, JsonNode old) {
    JsonNode now = pod.path("spec");
    JsonNode before = old.path("spec");
    for (String list : FIXED_LISTS) {
      if (areChanged(now.path(list), before.path(list))) {
        return true;
      }
    }
    Map<String, String> images = new HashMap<>();
    for (JsonNode container : before.path(ADDED_LIST)) {
      images.putIfAbsent(Meta.text(container.path("name")), image(container));
    }
    for (JsonNode container : now.path(ADDED_LIST)) {
      if (!image(container).equals(images.get(Meta.text(container.path("name"))))) {
        return true;
      }
    }
    return false;
  }

  private static boolean areChanged(JsonNode containers, JsonNode old) {
    if (containers.size() != old.size()) {
      return true;
    }
    for (int i = 0; i < containers.size(); i++) {
      if (!image(containers.path(i)).equals(image(old.path(i)))) {
        return true;
      }
    }
    return false;
  }

  private static String image(JsonNode container) {
    return Meta.text(container.path("image"));
  }
}
