package dev.evenkeel.decide.lead;

import java.time.Duration;

/**
 * How to elect.
 *
 * @param identity that no other candidate has, also not this one after a restart
 * @param lasts how long a lease that is not renewed keeps others away
 * @param renewWithin after so long without a renewal a leader stops, well before others may begin
 * @param tryEvery between renewals, and between looks at another's lease
 */
public record LeaseSettings(
    String namespace,
    String name,
    String identity,
    Duration lasts,
    Duration renewWithin,
    Duration tryEvery) {

  public LeaseSettings {
    if (identity.isEmpty()) {
      throw new IllegalArgumentException("a candidate for a lease needs an identity");
    }
    if (lasts.compareTo(renewWithin) <= 0 || renewWithin.compareTo(tryEvery) <= 0) {
      throw new IllegalArgumentException(
          "a lease must last longer (%s) than its leader tries to renew it (%s), and that must be longer than between two tries (%s)"
              .formatted(lasts, renewWithin, tryEvery));
    }
  }

  /** As Kubernetes' own controllers have it: 15, 10 and 2 seconds. */
  public static LeaseSettings of(String namespace, String name, String identity) {
    return new LeaseSettings(
        namespace,
        name,
        identity,
        Duration.ofSeconds(15),
        Duration.ofSeconds(10),
        Duration.ofSeconds(2));
  }

  String lease() {
    return namespace + "/" + name;
  }
}
