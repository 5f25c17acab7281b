package dev.evenkeel.decide.schedule.place;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.decide.schedule.judge.Reasons;
import dev.evenkeel.decide.schedule.model.PodInfo;
import dev.evenkeel.decide.schedule.place.Placement.Placed;
import dev.evenkeel.decide.schedule.place.Placement.Unplaced;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * A placer that has seen a cluster live decides as one that sees it for the first time, also where
 * there are so many nodes that it passes over blocks of them.
 */
class IncrementalTest {

  private static final int NODES = 300;
  private static final int STEPS = 100;

  @Test
  void place_isTheSameWithAndWithoutWhatWasKept() {
    int preempting = 0;
    for (long seed = 0; seed < 12; seed++) {
      preempting += live(new Generator(seed), 6, "seed " + seed);
    }
    assertThat(preempting).isGreaterThan(20);
  }

  @Test
  void place_ofPlainPods_isTheSameToo() {
    int preempting = 0;
    for (long seed = 0; seed < 36; seed++) {
      preempting += live(new Generator(seed, true), (int) (seed % 12), "plain seed " + seed);
    }
    assertThat(preempting).isGreaterThan(20);
  }

  private static int live(Generator generator, int podsOnNode, String run) {
    var cluster = new Cluster();
    for (int i = 0; i < NODES; i++) {
      cluster.put(generator.node("n" + i));
    }
    List<PodInfo> wanted = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      wanted.add(generator.pod(""));
    }
    List<String> bound = new ArrayList<>();
    for (int i = 0; i < NODES * podsOnNode; i++) {
      PodInfo first = generator.pod("n" + generator.number(NODES));
      cluster.put(first);
      bound.add(first.uid());
    }
    var placer = new Placer(Profile.DEFAULT);
    int preempting = 0;
    for (int step = 0; step < STEPS; step++) {
      PodInfo pod = generator.any(wanted);
      preempting += compare(placer, pod, cluster, run + ", step " + step);
      for (int i = 0; i < generator.number(12); i++) {
        PodInfo more = generator.pod("n" + generator.number(NODES));
        cluster.put(more);
        bound.add(more.uid());
      }
      for (int i = 0; !bound.isEmpty() && i < generator.number(12); i++) {
        cluster.removePod(generator.any(bound));
      }
      if (generator.chance(20)) {
        cluster.put(generator.node("n" + generator.number(NODES)));
      }
      if (generator.chance(5)) {
        cluster.removeNode("n" + generator.number(NODES));
      }
      if (generator.chance(5)) {
        cluster.put(generator.budget());
      }
      // Some of the time none, for those are judged one by one.
      if (generator.chance(5)) {
        cluster.nominate(generator.any(wanted), "n" + generator.number(NODES));
      } else if (generator.chance(20)) {
        wanted.forEach(each -> cluster.removeNomination(each.uid()));
      }
    }
    return preempting;
  }

  private static int compare(Placer placer, PodInfo pod, Cluster cluster, String when) {
    Placement kept = placer.place(pod, cluster);
    Placement anew = new Placer(Profile.DEFAULT).place(pod, cluster);
    assertThat(Set.copyOf(kept.evaluation().rejections()))
        .as(when)
        .isEqualTo(new HashSet<>(anew.evaluation().rejections()));
    assertThat(kept.evaluation().scores()).as(when).isEqualTo(anew.evaluation().scores());
    return switch (kept) {
      case Placed placed -> {
        Placed other = (Placed) anew;
        assertThat(placed.node()).as(when).isEqualTo(other.node());
        assertThat(placed.alternatives()).as(when).isEqualTo(other.alternatives());
        assertBest(placed, cluster, when);
        yield 0;
      }
      case Unplaced unplaced -> {
        Unplaced other = (Unplaced) anew;
        assertThat(unplaced.preemption()).as(when).isEqualTo(other.preemption());
        assertThat(unplaced.message()).as(when).isEqualTo(other.message());
        assertThat(unplaced.helpedBy()).as(when).isEqualTo(other.helpedBy());
        yield unplaced.preemption() == null ? 0 : 1;
      }
    };
  }

  /** The named nodes are the best there are, best first. */
  private static void assertBest(Placed placed, Cluster cluster, String when) {
    var caches = new Caches(Profile.DEFAULT, cluster);
    PlacementContext attempt =
        PlacementContext.of(
            placed.pod(), cluster, Profile.DEFAULT, Extensions.of(List.of()), caches);
    var scan = new Scan();
    scan.run(attempt);
    List<Double> all = new ArrayList<>();
    for (int slot = 0; slot < cluster.slotsUsed(); slot++) {
      if (scan.verdict(attempt, slot) == Reasons.FITS) {
        all.add(Report.score(attempt, scan, slot).total());
      }
    }
    all.sort((one, other) -> Double.compare(other, one));
    List<String> named = new ArrayList<>(List.of(placed.node()));
    named.addAll(placed.alternatives());
    List<Double> scores = new ArrayList<>();
    for (String name : named) {
      var slot = Objects.requireNonNull(cluster.slotOf(name));
      scores.add(Report.score(attempt, scan, slot.number()).total());
    }
    assertThat(scores).as(when).isEqualTo(all.subList(0, Math.min(5, all.size())));
  }
}
