package dev.evenkeel.serve.kinds.rules.placement;

import dev.evenkeel.serve.kinds.rules.check.Names;
import dev.evenkeel.serve.kinds.rules.check.Place;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Taints of nodes, and the pods that bear them. */
public final class TolerationValidation {

  private TolerationValidation() {}

  public static void validate(Place tolerations) {
    for (Place toleration : tolerations.items()) {
      Place key = toleration.at("key");
      Place operator = toleration.at("operator");
      Place effect = toleration.at("effect");
      if (!key.isEmpty()) {
        key.invalid(Names.qualifiedName(key.text()));
      } else if (!operator.is("Exists")) {
        operator.invalid(
            operator.text(),
            "operator must be Exists when `key` is empty, which means \"match all values and all"
                + " keys\"");
      }
      if (toleration.at("tolerationSeconds").isThere() && !effect.is("NoExecute")) {
        effect.invalid(effect.text(), "effect must be 'NoExecute' when `tolerationSeconds` is set");
      }
      value(operator, toleration.at("value").text());
    }
  }

  private static void value(Place operator, String value) {
    switch (operator.text()) {
      case "", "Equal" -> {
        List<String> faults = Names.labelValue(value);
        if (!faults.isEmpty()) {
          operator.invalid(value, String.join(";", faults));
        }
      }
      case "Exists" -> {
        if (!value.isEmpty()) {
          operator.invalid(value, "value must be empty when `operator` is 'Exists'");
        }
      }
      default -> {
        // The schema knows no other.
      }
    }
  }

  /** Every old one must still be there; only how long it holds may have changed. */
  public static boolean onlyAdded(JsonNode now, JsonNode old) {
    for (JsonNode before : old) {
      boolean found = false;
      for (JsonNode after : now) {
        found |= withoutSeconds(after).equals(withoutSeconds(before));
      }
      if (!found) {
        return false;
      }
    }
    return true;
  }

  private static JsonNode withoutSeconds(JsonNode toleration) {
    JsonNode copy = toleration.deepCopy();
    if (copy instanceof ObjectNode object) {
      object.remove("tolerationSeconds");
    }
    return copy;
  }

  /** The taints of a node. */
  public static void taints(Place taints) {
    Set<String> seen = new HashSet<>();
    for (Place taint : taints.items()) {
      Place key = taint.at("key");
      key.invalid(Names.qualifiedName(key.text()));
      List<String> faults = Names.labelValue(taint.at("value").text());
      if (!faults.isEmpty()) {
        taint.at("value").invalid(String.join(";", faults));
      }
      if (!seen.add(key.text() + ":" + taint.at("effect").text())) {
        taint.duplicate();
      }
    }
  }
}
