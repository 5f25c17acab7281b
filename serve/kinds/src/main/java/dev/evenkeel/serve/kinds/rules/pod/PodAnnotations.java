package dev.evenkeel.serve.kinds.rules.pod;

import dev.evenkeel.serve.kinds.rules.check.Place;
import java.util.Map;

/** The annotations of pods that mean something. */
final class PodAnnotations {

  private static final String MIRROR = "kubernetes.io/config.mirror";
  private static final String DELETION_COST = "controller.kubernetes.io/pod-deletion-cost";
  private static final String APP_ARMOR_PREFIX = "container.apparmor.security.beta.kubernetes.io/";

  private PodAnnotations() {}

  static void validate(Place annotations, Place spec) {
    if (annotations.key(MIRROR).isThere() && spec.at("nodeName").isEmpty()) {
      annotations.key(MIRROR).invalid("must set spec.nodeName if mirror pod annotation is set");
    }
    Place cost = annotations.key(DELETION_COST);
    if (cost.isThere() && !isInteger(cost.text())) {
      cost.invalid("must be a 32bit integer");
    }
  }

  private static boolean isInteger(String text) {
    try {
      return Integer.toString(Integer.parseInt(text)).equals(text);
    } catch (NumberFormatException e) {
      return false;
    }
  }

  static void validateUpdate(Place annotations, Map<String, String> old) {
    Map<String, String> now = annotations.stringMap();
    old.forEach(
        (key, value) -> {
          if (!value.equals(now.get(key))) {
            told(annotations, key, "may not remove or update");
          }
        });
    now.forEach(
        (key, value) -> {
          if (!old.containsKey(key)) {
            told(annotations, key, "may not add");
          }
        });
  }

  private static void told(Place annotations, String key, String what) {
    if (key.startsWith(APP_ARMOR_PREFIX)) {
      annotations.key(key).forbidden(what + " AppArmor annotations");
    }
    if (key.equals(MIRROR)) {
      annotations.key(key).forbidden(what + " mirror pod annotation");
    }
  }
}
