package dev.evenkeel.decide.schedule.policy;

import dev.evenkeel.decide.schedule.model.PodInfo;
import dev.evenkeel.decide.schedule.place.Placer;
import dev.evenkeel.decide.schedule.place.Profile;
import dev.evenkeel.decide.schedule.policy.SchedulingPolicy.Scope;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The policies there are, and those who place by them.
 *
 * <p><b>Invariants:</b> for a pod counts, of the active policies that it is in the scope and share
 * of, the most specific, and of those the first by name. At most {@link #PLACERS_MAX} placers are
 * kept: each holds what it computed of all nodes.
 *
 * <p><b>Threading:</b> of the cluster's thread.
 */
public final class PolicyBook {

  static final int PLACERS_MAX = 8;

  private static final Comparator<SchedulingPolicy> FIRST =
      Comparator.comparingInt((SchedulingPolicy policy) -> -policy.scope().specificity())
          .thenComparing(SchedulingPolicy::name);

  private record Use(String profile, String policy) {}

  private record Made(SchedulingPolicy policy, Placer placer) {}

  private final Map<String, SchedulingPolicy> policies = new TreeMap<>();
  private final Map<Use, Made> placers = new LinkedHashMap<>(16, 0.75f, true);

  /** As it is now; takes the place of the policy of that name. */
  public void put(SchedulingPolicy policy) {
    policies.put(policy.name(), policy);
  }

  public void remove(String name) {
    policies.remove(name);
    placers.keySet().removeIf(use -> use.policy().equals(name));
  }

  /** The policy that the pod is placed by; null if by none. */
  public @Nullable SchedulingPolicy of(PodInfo pod) {
    if (policies.isEmpty()) {
      return null;
    }
    return policies.values().stream().filter(policy -> policy.isFor(pod)).min(FIRST).orElse(null);
  }

  /**
   * The policies that count in its place for every pod that it is for; empty if it counts for some.
   * Selectors of pods are taken for the same if they are written the same, and for different ones
   * otherwise.
   */
  public Set<String> shadowing(SchedulingPolicy policy) {
    Set<String> winners = new TreeSet<>();
    for (Scope part : policy.scope().byNamespace()) {
      Optional<SchedulingPolicy> winner =
          policies.values().stream()
              .filter(other -> FIRST.compare(other, policy) < 0)
              .filter(other -> other.isForAllOf(part, policy.canaryPercent()))
              .min(FIRST);
      if (winner.isEmpty()) {
        return Set.of();
      }
      winners.add(winner.get().name());
    }
    return winners;
  }

  /** Places pods of the profile by the policy. */
  public Placer placer(Profile profile, SchedulingPolicy policy) {
    var use = new Use(profile.name(), policy.name());
    Made made = placers.get(use);
    if (made == null || !made.policy().placesLike(policy)) {
      made = new Made(policy, new Placer(policy.on(profile)));
      placers.put(use, made);
      if (placers.size() > PLACERS_MAX) {
        placers.remove(placers.keySet().iterator().next());
      }
    }
    return made.placer();
  }
}
