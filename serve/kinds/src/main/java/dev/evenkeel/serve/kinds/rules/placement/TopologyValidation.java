package dev.evenkeel.serve.kinds.rules.placement;

import dev.evenkeel.kernel.schema.FieldError;
import dev.evenkeel.serve.kinds.rules.check.Place;
import dev.evenkeel.serve.kinds.rules.check.Selectors;
import java.util.ArrayList;
import java.util.List;

/** How evenly pods are spread. */
public final class TopologyValidation {

  private TopologyValidation() {}

  public static void validate(Place constraints) {
    List<Place> all = constraints.items();
    List<String> later = new ArrayList<>(all.stream().map(TopologyValidation::identity).toList());
    for (Place constraint : all) {
      later.removeFirst();
      if (constraint.at("maxSkew").number() <= 0) {
        constraint.at("maxSkew").invalid("must be greater than zero");
      }
      if (constraint.at("topologyKey").isEmpty()) {
        constraint.at("topologyKey").required("can not be empty");
      }
      if (later.contains(identity(constraint))) {
        constraint
            .problems()
            .add(
                FieldError.Reason.DUPLICATE,
                constraint + ".{topologyKey, whenUnsatisfiable}",
                "Duplicate value: \"" + identity(constraint) + "\"");
      }
      domains(constraint);
      AffinityValidation.labelKeys(constraint);
      Selectors.validate(constraint.at("labelSelector"));
    }
  }

  private static String identity(Place constraint) {
    return "{"
        + constraint.at("topologyKey").text()
        + ", "
        + constraint.at("whenUnsatisfiable").text()
        + "}";
  }

  private static void domains(Place constraint) {
    Place domains = constraint.at("minDomains");
    if (!domains.isThere()) {
      return;
    }
    if (domains.number() <= 0) {
      domains.invalid("must be greater than zero");
    }
    Place action = constraint.at("whenUnsatisfiable");
    if (!action.is("DoNotSchedule")) {
      domains.invalid(
          "can only use minDomains if whenUnsatisfiable=DoNotSchedule, not " + action.text());
    }
  }
}
