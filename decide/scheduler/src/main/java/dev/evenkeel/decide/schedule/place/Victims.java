package dev.evenkeel.decide.schedule.place;

import dev.evenkeel.decide.schedule.column.Slot;
import dev.evenkeel.decide.schedule.judge.Reasons;
import dev.evenkeel.decide.schedule.model.Budget;
import dev.evenkeel.decide.schedule.model.PodInfo;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * The fewest pods that have to leave a node so that a pod fits.
 *
 * @param failure {@link Reasons#FITS} if it would; otherwise why it would not
 * @param pods the most important first
 * @param violations how many of them a budget wants kept
 */
record Victims(int failure, List<PodInfo> pods, int violations) {

  /** First who stays: by priority, then by how long it has been running. */
  static final Comparator<PodInfo> IMPORTANCE =
      Comparator.comparingInt(PodInfo::priority)
          .reversed()
          .thenComparing(Victims::start)
          .thenComparing(PodInfo::key);

  /** A pod that has not started yet starts after all that have. */
  static Instant start(PodInfo pod) {
    Instant started = pod.started();
    return started == null ? Instant.MAX : started;
  }

  private static Victims none(int failure) {
    return new Victims(failure, List.of(), 0);
  }

  static Victims select(DryRunNode trial, Slot slot, PodInfo pod, Collection<Budget> budgets) {
    List<PodInfo> lower = new ArrayList<>(slot.pods().size());
    for (int i = 0; i < slot.pods().size(); i++) {
      if (slot.pods().get(i).priority() < pod.priority()) {
        lower.add(slot.pods().get(i));
      }
    }
    if (lower.isEmpty()) {
      return none(Reasons.NO_VICTIMS);
    }
    trial.start(slot);
    lower.forEach(trial::remove);
    int verdict = trial.verdictWithNominated();
    if (verdict != Reasons.FITS) {
      return none(verdict);
    }
    lower.sort(IMPORTANCE);
    List<PodInfo> guarded = budgets.isEmpty() ? List.of() : guarded(lower, budgets);
    // Those whose removal would break a budget are the first that may stay.
    List<PodInfo> victims = new ArrayList<>(lower.size());
    for (PodInfo each : guarded) {
      stayOrGo(each, trial, victims);
    }
    int violations = victims.size();
    for (PodInfo each : lower) {
      if (!guarded.contains(each)) {
        stayOrGo(each, trial, victims);
      }
    }
    victims.sort(IMPORTANCE);
    return new Victims(victims.isEmpty() ? Reasons.NO_VICTIMS : Reasons.FITS, victims, violations);
  }

  private static void stayOrGo(PodInfo pod, DryRunNode trial, List<PodInfo> victims) {
    trial.add(pod);
    if (trial.verdictWithNominated() != Reasons.FITS) {
      trial.remove(pod);
      victims.add(pod);
    }
  }

  /** Those for whom a budget has nothing left, if they went in this order. */
  private static List<PodInfo> guarded(List<PodInfo> pods, Collection<Budget> budgets) {
    List<PodInfo> guarded = new ArrayList<>(0);
    int[] left = budgets.stream().mapToInt(Budget::allowed).toArray();
    for (PodInfo pod : pods) {
      boolean isGuarded = false;
      int i = 0;
      for (Budget budget : budgets) {
        if (budget.protects(pod) && --left[i] < 0) {
          isGuarded = true;
        }
        i++;
      }
      if (isGuarded) {
        guarded.add(pod);
      }
    }
    return guarded;
  }

  int highestPriority() {
    return pods.isEmpty() ? Integer.MIN_VALUE : pods.getFirst().priority();
  }

  /** Shifted so that each pod adds to it. */
  long prioritySum() {
    long sum = 0;
    for (PodInfo pod : pods) {
      sum += pod.priority() + (1L << 31);
    }
    return sum;
  }

  /** When the first of the most important started. */
  long firstStartMillis() {
    if (pods.isEmpty() || start(pods.getFirst()).equals(Instant.MAX)) {
      return Long.MAX_VALUE;
    }
    return start(pods.getFirst()).toEpochMilli();
  }
}
