package dev.evenkeel.decide.schedule.place;

import dev.evenkeel.decide.schedule.column.Slot;
import dev.evenkeel.decide.schedule.judge.Reasons;
import dev.evenkeel.decide.schedule.model.PodInfo;
import dev.evenkeel.decide.schedule.tenant.Hold;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The quotas that keep a pod from zones.
 *
 * @param verdicts what each of them is as a reason
 */
record Shares(Cluster cluster, List<Hold> holds, List<Integer> verdicts) {

  static Shares of(PodInfo pod, Cluster cluster, Reasons reasons) {
    List<Hold> holds = cluster.tenants().holds(pod);
    return new Shares(
        cluster, holds, holds.stream().map(hold -> reasons.share(hold.reason())).toList());
  }

  boolean isEmpty() {
    return holds.isEmpty();
  }

  int verdict(int number) {
    Slot slot = holds.isEmpty() ? null : cluster.slotAt(number);
    if (slot != null) {
      String zone = Cluster.zone(slot);
      for (int i = 0; i < holds.size(); i++) {
        if (holds.get(i).isOn(zone)) {
          return verdicts.get(i);
        }
      }
    }
    return Reasons.FITS;
  }

  /** Those that rejected nodes. */
  Set<String> heldBy(Scan scan) {
    if (holds.isEmpty()) {
      return Set.of();
    }
    Set<String> heldBy = new HashSet<>();
    for (int i = 0; i < holds.size(); i++) {
      if (scan.rejected(verdicts.get(i)) > 0) {
        heldBy.add(holds.get(i).quota());
      }
    }
    return heldBy;
  }
}
