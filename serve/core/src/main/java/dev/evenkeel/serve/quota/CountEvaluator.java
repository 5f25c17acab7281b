package dev.evenkeel.serve.quota;

import dev.evenkeel.kernel.quantity.Amounts;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** Kinds of which there is only the number to count. */
record CountEvaluator(String group, String plural, Amounts one) implements Evaluator {

  /** Kinds whose number had a name of its own before there was {@code count/}. */
  static final Set<String> ALIASES =
      Set.of("configmaps", "resourcequotas", "replicationcontrollers", "secrets");

  CountEvaluator(String group, String plural) {
    this(group, plural, one(group, plural));
  }

  static String name(String group, String plural) {
    return "count/" + plural + (group.isEmpty() ? "" : "." + group);
  }

  private static Amounts one(String group, String plural) {
    var amounts = new TreeMap<String, dev.evenkeel.kernel.quantity.Quantity>();
    amounts.put(name(group, plural), Amounts.ONE);
    if (group.isEmpty() && ALIASES.contains(plural)) {
      amounts.put(plural, Amounts.ONE);
    }
    return new Amounts(amounts);
  }

  @Override
  public boolean tracks(String resource) {
    return one.get(resource) != null;
  }

  @Override
  public Amounts usage(JsonNode object) {
    return one;
  }
}
