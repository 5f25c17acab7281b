package dev.evenkeel.decide.schedule.place;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.decide.schedule.column.Slot;
import dev.evenkeel.decide.schedule.judge.Reason;
import dev.evenkeel.decide.schedule.judge.Reasons;
import dev.evenkeel.decide.schedule.model.Budget;
import dev.evenkeel.decide.schedule.model.NodeInfo;
import dev.evenkeel.decide.schedule.model.PodInfo;
import dev.evenkeel.decide.schedule.place.Placement.Placed;
import dev.evenkeel.decide.schedule.place.Placement.Unplaced;
import dev.evenkeel.decide.schedule.place.World.On;
import dev.evenkeel.explain.record.Decision.Score;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * The columns against an implementation that looks at everything anew, on clusters by chance that
 * change between placements: each node is rejected for the same reason or has the same score by
 * each plugin, and the same pods are chosen to make room. A failing run names its seed.
 */
class PlacerAgainstReferenceTest {

  private static final int SEEDS = 3_000;
  private static final int STEPS = 12;

  @Test
  void place_agreesWithTheReferenceOnEveryNode() {
    int placed = 0;
    int preempting = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      var run = new Run(seed);
      run.go();
      placed += run.placed;
      preempting += run.preempting;
    }
    // The comparison says nothing if hardly anything was compared.
    assertThat(placed).isGreaterThan(SEEDS);
    assertThat(preempting).isGreaterThan(SEEDS / 20);
  }

  /** One cluster that lives for some steps. */
  private static final class Run {
    private final long seed;
    private final Generator generator;
    private final World world = new World();
    private final Cluster cluster = new Cluster();
    private final Placer placer = new Placer(Profile.DEFAULT);
    private final Caches caches = new Caches(Profile.DEFAULT, cluster);
    private final Reference reference = new Reference(world);
    private final List<PodInfo> asked = new ArrayList<>();
    private int placed;
    private int preempting;

    Run(long seed) {
      this.seed = seed;
      this.generator = new Generator(seed);
    }

    void go() {
      int nodes = 1 + generator.number(6);
      for (int i = 0; i < nodes; i++) {
        putNode("n" + i);
      }
      for (int i = 0; i < generator.number(20); i++) {
        bindNew();
      }
      for (int i = 0; i < STEPS; i++) {
        // Pods that were asked for come again, so that what was kept for them is used.
        PodInfo pod =
            !asked.isEmpty() && generator.chance(50) ? generator.any(asked) : generator.pod("");
        asked.add(pod);
        if (!world.pods.containsKey(pod.uid())) {
          compare(pod);
        }
        change();
      }
    }

    private void putNode(String name) {
      NodeInfo node = generator.node(name);
      world.nodes.put(name, node);
      cluster.put(node);
    }

    private String anyNode() {
      // One in a while that nobody knows.
      return world.nodes.isEmpty() || generator.chance(3)
          ? "unknown"
          : generator.any(List.copyOf(world.nodes.keySet()));
    }

    private void bindNew() {
      String node = anyNode();
      PodInfo pod = generator.pod(node);
      world.pods.put(pod.uid(), new On(pod, node));
      cluster.put(pod);
    }

    private void change() {
      switch (generator.number(12)) {
        case 0, 1 -> bindNew();
        case 2 -> putNode("n" + generator.number(7));
        case 3 -> {
          String name = "n" + generator.number(7);
          world.nodes.remove(name);
          cluster.removeNode(name);
        }
        case 4 -> {
          String name = generator.any("a", "b");
          Map<String, String> labels = Map.of("team", generator.any("x", "y"));
          world.namespaces.put(name, labels);
          cluster.putNamespace(name, labels);
        }
        case 5 -> {
          Budget budget = generator.budget();
          world.budgets.put(budget.key(), budget);
          cluster.put(budget);
        }
        case 6 -> {
          if (!world.budgets.isEmpty()) {
            String key = generator.any(List.copyOf(world.budgets.keySet()));
            world.budgets.remove(key);
            cluster.removeBudget(key);
          }
        }
        case 7 -> {
          PodInfo pod = generator.any(asked);
          if (!world.pods.containsKey(pod.uid())) {
            String node = anyNode();
            world.nominated.put(pod.uid(), new On(pod, node));
            cluster.nominate(pod, node);
          }
        }
        case 8 -> {
          Map<String, String> selector = Map.of("app", generator.any("web", "db"));
          world.services.put("a/s", selector);
          cluster.putService("a", "s", selector);
        }
        default -> changePod();
      }
    }

    private void changePod() {
      if (world.pods.isEmpty()) {
        return;
      }
      On on = generator.any(List.copyOf(world.pods.values()));
      String uid = on.pod().uid();
      if (generator.chance(50)) {
        world.pods.remove(uid);
        world.nominated.remove(uid);
        cluster.removePod(uid);
      } else {
        PodInfo changed = generator.changed(on.pod(), anyNode());
        world.pods.put(uid, new On(changed, changed.nodeName()));
        cluster.put(changed);
      }
    }

    private void compare(PodInfo pod) {
      Map<String, Optional<Reference.No>> expected = new TreeMap<>();
      List<NodeInfo> left = new ArrayList<>();
      for (NodeInfo node : world.nodes.values()) {
        Optional<Reference.No> no = reference.filter(pod, node, world.bound());
        expected.put(node.name(), no);
        if (no.isEmpty()) {
          left.add(node);
        }
      }
      PlacementContext attempt =
          PlacementContext.of(pod, cluster, Profile.DEFAULT, Extensions.of(List.of()), caches);
      var scan = new Scan();
      scan.run(attempt);
      assertThat(verdicts(attempt, scan))
          .as("verdicts, seed %d, %s", seed, pod)
          .isEqualTo(expected);
      Map<String, Map<String, Long>> scores = new ReferenceScores(reference, pod, left).all();
      assertThat(scores(attempt, scan, left))
          .as("scores, seed %d, %s", seed, pod)
          .isEqualTo(scores);

      switch (placer.place(pod, cluster)) {
        case Placed chosen -> {
          placed++;
          assertThat(total(scores, chosen.node()))
              .as("choice, seed %d", seed)
              .isEqualTo(
                  scores.keySet().stream().mapToLong(node -> total(scores, node)).max().orElse(-1));
          if (generator.chance(60)) {
            assume(pod, chosen.node());
          }
        }
        case Unplaced unplaced -> {
          assertThat(left).as("seed %d", seed).isEmpty();
          comparePreemption(pod, unplaced);
        }
      }
    }

    private void assume(PodInfo pod, String node) {
      cluster.assume(pod, node);
      if (generator.chance(30)) {
        cluster.forget(pod.uid());
        world.nominated.remove(pod.uid());
      } else {
        world.pods.put(pod.uid(), new On(pod, node));
        world.nominated.remove(pod.uid());
      }
    }

    private void comparePreemption(PodInfo pod, Unplaced unplaced) {
      Map<String, ReferencePreemption.Candidate> candidates =
          new ReferencePreemption(reference).candidates(pod);
      Preemption preemption = unplaced.preemption();
      if (preemption == null) {
        assertThat(candidates).as("nobody, seed %d, %s", seed, pod).isEmpty();
        return;
      }
      preempting++;
      assertThat(candidates).as("candidate, seed %d, %s", seed, pod).containsKey(preemption.node());
      ReferencePreemption.Candidate chosen = requireNonNull(candidates.get(preemption.node()));
      assertThat(preemption.victims()).as("victims, seed %d", seed).isEqualTo(chosen.victims());
      assertThat(preemption.violations()).as("seed %d", seed).isEqualTo(chosen.violations());
      assertThat(candidates.values())
          .as("least harm, seed %d", seed)
          .noneMatch(other -> ReferencePreemption.HARM.compare(other, chosen) < 0);
    }

    private static long total(Map<String, Map<String, Long>> scores, String node) {
      return requireNonNull(scores.get(node)).values().stream().mapToLong(Long::longValue).sum();
    }

    private Map<String, Optional<Reference.No>> verdicts(PlacementContext attempt, Scan scan) {
      Map<String, Optional<Reference.No>> verdicts = new TreeMap<>();
      for (int slot = 0; slot < cluster.slotsUsed(); slot++) {
        int verdict = scan.verdict(attempt, slot);
        if (verdict != Reasons.ABSENT) {
          Reason reason = attempt.reasons().at(verdict);
          verdicts.put(
              Report.name(attempt, slot),
              verdict == Reasons.FITS
                  ? Optional.empty()
                  : Optional.of(
                      new Reference.No(reason.stage(), reason.messages(), reason.isFinal())));
        }
      }
      return verdicts;
    }

    private Map<String, Map<String, Long>> scores(
        PlacementContext attempt, Scan scan, List<NodeInfo> left) {
      Map<String, Map<String, Long>> scores = new HashMap<>();
      for (NodeInfo node : left) {
        Slot slot = requireNonNull(cluster.slotOf(node.name()));
        Map<String, Long> parts = new TreeMap<>();
        for (Score.Part part : Report.score(attempt, scan, slot.number()).parts()) {
          parts.put(part.judge(), (long) part.points());
        }
        scores.put(node.name(), parts);
      }
      return scores;
    }
  }
}
