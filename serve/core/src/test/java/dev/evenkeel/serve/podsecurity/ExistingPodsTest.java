package dev.evenkeel.serve.podsecurity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.env.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExistingPodsTest {

  private static final LevelVersion BASELINE =
      new LevelVersion(Level.BASELINE, PolicyVersion.LATEST);
  private static final String HEAD =
      "existing pods in namespace \"n\" violate the new PodSecurity enforce level"
          + " \"baseline:latest\"";
  private static final String HOST = "'hostNetwork':true";
  private static final String PORT = "'containers':[{'name':'c','ports':[{'hostPort':1}]}]";

  /** Goes on by so much each time it is read. */
  private static final class Ticking implements Clock {
    private final long stepNanos;
    private long now;

    Ticking(long stepNanos) {
      this.stepNanos = stepNanos;
    }

    @Override
    public Instant now() {
      return Instant.EPOCH;
    }

    @Override
    public long nanoTime() {
      now += stepNanos;
      return now;
    }
  }

  private static byte[] pod(String name, String controller, String spec) {
    String owners =
        controller.isEmpty()
            ? ""
            : ",'ownerReferences':[{'uid':'x'},{'controller':true,'uid':'" + controller + "'}]";
    return Pods.bytes("{'metadata':{'name':'" + name + "'" + owners + "},'spec':{" + spec + "}}");
  }

  private static List<String> warnings(long stepNanos, List<byte[]> pods) {
    return new ExistingPods(BASELINE, new Ticking(stepNanos)).warnings("n", pods);
  }

  @Test
  void pods_areGroupedByWhatTheyViolate() {
    assertThat(
            warnings(
                0,
                List.of(
                    pod("b", "", HOST),
                    pod("a", "", HOST),
                    pod("ok", "", ""),
                    pod("d", "", HOST + "," + PORT),
                    pod("h", "", PORT),
                    pod("g", "", PORT),
                    pod("f", "", PORT))))
        .containsExactly(
            HEAD,
            "a (and 1 other pod): host namespaces",
            "d: host namespaces, hostPort",
            "f (and 2 other pods): hostPort");
    assertThat(warnings(0, List.of(pod("ok", "", "")))).isEmpty();
  }

  @Test
  void number_isBounded_andOneOfEachControllerComesFirst() {
    List<byte[]> pods = new ArrayList<>();
    for (int i = 0; i < ExistingPods.PODS_MAX; i++) {
      pods.add(pod("a" + i, "one", ""));
    }
    pods.add(pod("z", "other", HOST));
    assertThat(warnings(0, pods))
        .containsExactly(
            "new PodSecurity enforce level only checked against the first 3000 of 3001 existing"
                + " pods",
            HEAD,
            "z: host namespaces");
  }

  @Test
  void time_isBounded() {
    List<byte[]> pods = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      pods.add(pod("a" + i, "", HOST));
    }
    assertThat(warnings(ExistingPods.NANOS_MAX / 4, pods))
        .containsExactly(
            "new PodSecurity enforce level only checked against the first 3 of 10 existing pods",
            HEAD,
            "a0 (and 2 other pods): host namespaces");
  }
}
