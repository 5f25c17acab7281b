package dev.evenkeel.serve.kinds.rules.network;

import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.rules.check.Addresses;
import dev.evenkeel.serve.kinds.rules.check.Place;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Ranges that the addresses of services are of. They may be added to, and not be changed. */
public final class ServiceCidrRules implements KindRules {

  private static final int RANGES_MAX = 2;
  private static final String IMMUTABLE = "field is immutable";

  @Override
  public void validateCreate(ObjectNode object, Problems problems) {
    Place spec = Place.of(object, problems).at("spec");
    ranges(spec);
  }

  private static void ranges(Place spec) {
    Place ranges = spec.at("cidrs");
    if (ranges.isEmpty()) {
      ranges.required("at least one CIDR required");
      return;
    }
    if (ranges.size() > RANGES_MAX) {
      ranges.holding(spec.node()).invalid("may only hold up to 2 values");
      return;
    }
    ranges.items().forEach(Addresses::canonicalCidr);
    if (ranges.size() == RANGES_MAX) {
      Addresses.Range first = Addresses.parseRange(ranges.item(0).text());
      Addresses.Range second = Addresses.parseRange(ranges.item(1).text());
      if (first != null && second != null && first.address().length == second.address().length) {
        ranges.invalid(
            "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and"
                + " 2001:db8::/64");
      }
    }
  }

  @Override
  public void validateUpdate(ObjectNode object, ObjectNode old, Problems problems) {
    Place spec = Place.of(object, problems).at("spec");
    Place ranges = spec.at("cidrs");
    List<String> now = ranges.strings();
    List<String> before = Place.of(old, problems).at("spec", "cidrs").strings();
    if (now.size() == before.size()) {
      for (int i = 0; i < before.size(); i++) {
        if (!before.get(i).equals(now.get(i))) {
          ranges.item(i).invalid(IMMUTABLE);
        }
      }
    } else if (before.size() == 1 && now.size() == RANGES_MAX) {
      if (!before.getFirst().equals(now.getFirst())) {
        ranges.item(0).invalid(IMMUTABLE);
      }
      ranges(spec);
    } else {
      ranges.invalid(IMMUTABLE);
    }
  }
}
