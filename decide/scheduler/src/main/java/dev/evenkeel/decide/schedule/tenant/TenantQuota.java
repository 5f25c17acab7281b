package dev.evenkeel.decide.schedule.tenant;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.fit.Demand;
import java.util.Collections;
import java.util.SortedMap;
import tools.jackson.databind.node.ObjectNode;

/**
 * A namespace's share of a zone.
 *
 * @param zone empty if it is of all zones
 * @param hard what may be had, in the units of {@link Demand}
 * @param said what is used, as its status says
 * @param version the object's
 */
public record TenantQuota(
    String namespace,
    String name,
    String zone,
    SortedMap<String, Long> hard,
    SortedMap<String, Long> said,
    long version) {

  public TenantQuota {
    hard = Collections.unmodifiableSortedMap(hard);
    said = Collections.unmodifiableSortedMap(said);
  }

  public static TenantQuota of(ObjectNode quota) {
    String version = Meta.resourceVersion(quota);
    return new TenantQuota(
        Meta.namespace(quota),
        Meta.name(quota),
        Meta.text(quota.path("spec").path("zone")),
        Demand.capacity(quota.path("spec").path("hard")),
        Demand.capacity(quota.path("status").path("used")),
        version.isEmpty() ? 0 : Long.parseLong(version));
  }

  /** {@code namespace/name}. */
  public String key() {
    return namespace + "/" + name;
  }

  boolean isAbout(String inZone) {
    return zone.isEmpty() || zone.equals(inZone);
  }
}
