package dev.evenkeel.serve.kinds.rules.cluster;

import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.rules.check.Names;
import dev.evenkeel.serve.kinds.rules.check.Place;
import dev.evenkeel.serve.kinds.rules.check.Resources;
import tools.jackson.databind.node.ObjectNode;

/** A namespace's share of what nodes have, in one zone or in all. */
public final class TenantQuotaRules implements KindRules {

  @Override
  public void prepareForCreate(ObjectNode quota) {
    quota.putObject("status");
  }

  @Override
  public void validate(ObjectNode quota, Problems problems) {
    Place spec = Place.of(quota, problems).at("spec");
    amounts(spec.at("hard"));
    if (spec.at("hard").isEmpty()) {
      spec.at("hard").required("a quota must limit something");
    }
    // Zones are values of a label of nodes.
    Names.labelValue(spec.at("zone").text()).forEach(spec.at("zone")::invalid);
  }

  private static void amounts(Place amounts) {
    for (Place entry : amounts.entries()) {
      if (!entry.entryKey().equals("pods")) {
        Resources.containerName(entry);
      }
      Resources.amount(entry);
    }
  }

  @Override
  public void validateStatusUpdate(ObjectNode quota, ObjectNode old, Problems problems) {
    Place status = Place.of(quota, problems).at("status");
    amounts(status.at("hard"));
    amounts(status.at("used"));
  }
}
