package dev.evenkeel.decide.schedule.place;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.decide.schedule.model.NodeInfo;
import dev.evenkeel.decide.schedule.model.PodInfo;
import dev.evenkeel.kernel.fit.Fit;
import dev.evenkeel.kernel.fit.NodeLedger;
import dev.evenkeel.kernel.fit.Shortage;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What the columns say of room is what the server's binding transaction says. */
class FitAgreementTest {

  private static final Set<String> OF_FIT = Set.of("NodePorts", "NodeResourcesFit");

  @Test
  void columns_andTheSharedFunction_agree() {
    int lacking = 0;
    int enough = 0;
    for (long seed = 0; seed < 3_000; seed++) {
      var generator = new Generator(seed);
      NodeInfo node = generator.node("n0");
      var cluster = new Cluster();
      cluster.put(node);
      var ledger =
          new NodeLedger(node.uid(), true, "", node.allocatable(), new TreeMap<>(), List.of());
      for (int i = 0; i < generator.number(8); i++) {
        PodInfo pod = generator.pod("n0");
        cluster.put(pod);
        ledger = ledger.with(pod.demand());
      }
      PodInfo pod = generator.pod("");
      Set<String> expected =
          Fit.shortages(ledger, pod.demand()).stream()
              .map(Shortage::message)
              .collect(Collectors.toCollection(TreeSet::new));
      Set<String> found = new TreeSet<>();
      boolean otherwise = false;
      Placement placement = new Placer(Profile.DEFAULT).place(pod, cluster);
      for (var rejection : placement.evaluation().rejections()) {
        if (OF_FIT.contains(rejection.stage())) {
          found.add(rejection.reason());
        } else {
          otherwise = true;
        }
      }
      if (node.allocatable().isEmpty()) {
        // The ledger then limits nothing; a scheduler waits for the node to say.
        found.remove("node(s) had not reported what is allocatable");
      }
      if (found.stream().anyMatch(reason -> reason.contains("free ports"))) {
        assertThat(expected).as("seed %d", seed).containsAll(found);
        lacking++;
      } else if (!otherwise) {
        assertThat(found).as("seed %d", seed).isEqualTo(expected);
        lacking += expected.isEmpty() ? 0 : 1;
        enough += expected.isEmpty() ? 1 : 0;
      }
    }
    assertThat(lacking).isGreaterThan(300);
    assertThat(enough).isGreaterThan(300);
  }
}
