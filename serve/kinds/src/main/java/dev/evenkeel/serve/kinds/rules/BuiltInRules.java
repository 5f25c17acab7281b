package dev.evenkeel.serve.kinds.rules;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.serve.kinds.KindRules;

/** Finds the rules of a built-in kind. */
public final class BuiltInRules {

  private BuiltInRules() {}

  public static KindRules of(Gvk gvk) {
    return KindRules.NONE;
  }
}
