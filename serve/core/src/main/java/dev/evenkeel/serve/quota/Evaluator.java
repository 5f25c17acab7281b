package dev.evenkeel.serve.quota;

import dev.evenkeel.kernel.quantity.Amounts;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * What objects of one kind use. Pure: what an object uses depends on nothing but the object, so
 * that what is charged when it comes is what is returned when it goes.
 */
interface Evaluator {

  /** Kinds of the core group whose objects differ in what they use. */
  Set<String> LOOKED_INTO = Set.of("pods", "services", "persistentvolumeclaims");

  String group();

  String plural();

  /** Whether a quota's resource is one that objects of this kind use. */
  boolean tracks(String resource);

  Amounts usage(JsonNode object);

  /** Whether the object is in the scope. */
  default boolean isIn(ScopeRequirement scope, JsonNode object) {
    return false;
  }

  /** What the object must say of the limited resources and does not; empty if nothing. */
  default String missing(Set<String> limited, JsonNode object) {
    return "";
  }

  /** Whether every object of a kind uses the same: then nobody needs to look at it. */
  static boolean countsOnly(String group, String plural) {
    return !(group.isEmpty() && LOOKED_INTO.contains(plural));
  }

  static Evaluator of(String group, String plural) {
    if (group.isEmpty()) {
      switch (plural) {
        case "pods" -> {
          return new PodEvaluator();
        }
        case "services" -> {
          return new ServiceEvaluator();
        }
        case "persistentvolumeclaims" -> {
          return new ClaimEvaluator();
        }
        default -> {}
      }
    }
    return new CountEvaluator(group, plural);
  }
}
