package dev.evenkeel.serve.kinds.rules.cluster;

import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.rules.check.Place;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Pods that get their nodes together or not at all. */
public final class PodGroupRules implements KindRules {

  private static final List<String> PHASES = List.of("Holding", "Pending", "Scheduled");

  /** Pods name their group by a label, and values of labels are no longer than these names. */
  @Override
  public NameRule nameRule() {
    return NameRule.DNS_LABEL;
  }

  @Override
  public void prepareForCreate(ObjectNode group) {
    group.putObject("status").put("phase", "Pending");
  }

  @Override
  public void validateStatusUpdate(ObjectNode group, ObjectNode old, Problems problems) {
    Place status = Place.of(group, problems).at("status");
    status.at("members").notNegative();
    status.at("scheduled").notNegative();
    Place phase = status.at("phase");
    if (!phase.isEmpty() && !PHASES.contains(phase.text())) {
      phase.notSupported(PHASES);
    }
  }
}
