package dev.evenkeel.decide.controllers.batch;

import dev.evenkeel.kernel.api.Meta;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Says when an indexed job has succeeded though not all of its indexes have.
 *
 * @param rules of which one that is met is enough
 */
record SuccessPolicy(JsonNode rules) {

  /** What is met, in words; null if nothing is. */
  @Nullable String met(IndexSet completed, int completions) {
    if (completed.size() == 0) {
      return null;
    }
    for (int at = 0; at < rules.size(); at++) {
      if (meets(rules.path(at), completed, completions)) {
        return "Matched rules at index " + at;
      }
    }
    return null;
  }

  private static boolean meets(JsonNode rule, IndexSet completed, int completions) {
    JsonNode count = rule.path("succeededCount");
    JsonNode indexes = rule.path("succeededIndexes");
    if (!indexes.isString()) {
      return count.isNumber() && completed.size() >= count.asInt(0);
    }
    IndexSet wanted = IndexSet.parse(Meta.text(indexes), completions);
    int there = completed.common(wanted);
    return wanted.size() > 0
        && (there == wanted.size() || (count.isNumber() && there >= count.asInt(0)));
  }
}
