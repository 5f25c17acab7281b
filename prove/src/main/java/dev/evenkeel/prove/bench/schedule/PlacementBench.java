package dev.evenkeel.prove.bench.schedule;

import dev.evenkeel.decide.schedule.model.PodInfo;
import dev.evenkeel.decide.schedule.place.Cluster;
import dev.evenkeel.decide.schedule.place.Placement;
import dev.evenkeel.decide.schedule.place.Placement.Placed;
import dev.evenkeel.decide.schedule.place.Placement.Unplaced;
import dev.evenkeel.decide.schedule.place.Placer;
import dev.evenkeel.decide.schedule.place.Preemption;
import dev.evenkeel.decide.schedule.place.Profile;
import dev.evenkeel.prove.report.Table;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Places pods one after the other on one thread, each judged against every node and with its whole
 * evaluation, and has each assumed on its node before the next.
 */
final class PlacementBench {

  private static final int LOWLY_A_NODE = 4;
  private static final int WARM_UP_PODS = 5_000;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final int nodes;
  private final int pods;
  private final double secondsMax;
  private final PrintWriter out;

  /**
   * @param secondsMax of each figure; where the pods are not through by then, the figure is of
   *     those that are
   */
  PlacementBench(int nodes, int pods, double secondsMax, PrintWriter out) {
    this.nodes = nodes;
    this.pods = pods;
    this.secondsMax = secondsMax;
    this.out = out;
  }

  /** How a figure came about. */
  private record Figure(int placed, int unplaced, double seconds, double cpuSeconds) {
    double perSecond() {
      return (placed + unplaced) / seconds;
    }

    /** What others that share the machine leave alone. */
    String cpuMicros() {
      return String.format(Locale.ROOT, "%.1f", cpuSeconds * 1e6 / (placed + unplaced));
    }
  }

  void run() {
    out.printf(
        Locale.ROOT,
        "placement bench · one thread of %d cores · %,d nodes · up to %,d pods or %.0f s each%n%n",
        Runtime.getRuntime().availableProcessors(),
        nodes,
        pods,
        secondsMax);
    out.flush();
    var table =
        new Table(
            List.of(
                "pods",
                "placed",
                "not",
                "pods/s",
                "kube-scheduler's floor",
                "times",
                "CPU µs a pod"));
    for (PlacementLoad load : PlacementLoad.values()) {
      // Once before it counts: code that was never run is slow for a while.
      measure(load, nodes, WARM_UP_PODS);
      Figure figure = measure(load, nodes, pods);
      table.add(
          List.of(
              load.title,
              count(figure.placed),
              count(figure.unplaced),
              count(figure.perSecond()),
              load.published == 0 ? "" : count(load.published),
              load.published == 0
                  ? ""
                  : String.format(Locale.ROOT, "%.0f", figure.perSecond() / load.published),
              figure.cpuMicros()));
    }
    out.println(table.text());
    out.flush();
    grow();
  }

  private void grow() {
    var table = new Table(List.of("plain pods, nodes", "pods", "pods/s", "CPU µs a pod"));
    for (int size : new int[] {nodes / 5, nodes, nodes * 10}) {
      Figure figure = measure(PlacementLoad.PLAIN, Math.max(1, size), pods);
      table.add(
          List.of(
              count(Math.max(1, size)),
              count(figure.placed),
              count(figure.perSecond()),
              figure.cpuMicros()));
    }
    out.println(table.text());
    out.flush();
  }

  private Figure measure(PlacementLoad load, int size, int podsMax) {
    var cluster = new Cluster();
    boolean preempts = load == PlacementLoad.PREEMPTION;
    for (int i = 0; i < size; i++) {
      cluster.put(PlacementLoad.node(i, preempts ? "4" : "64", preempts ? "32Gi" : "256Gi"));
      for (int j = 0; preempts && j < LOWLY_A_NODE; j++) {
        cluster.assume(PlacementLoad.lowly(i * LOWLY_A_NODE + j), "node-" + i);
      }
    }
    List<PodInfo> wanted = new ArrayList<>();
    int most = preempts ? Math.min(podsMax, size) : Math.min(podsMax, size * 100);
    for (int i = 0; i < most; i++) {
      wanted.add(load.pod(i));
    }
    return place(wanted, cluster);
  }

  private Figure place(List<PodInfo> wanted, Cluster cluster) {
    var placer = new Placer(Profile.DEFAULT);
    int placed = 0;
    int unplaced = 0;
    long cpuBegin = THREADS.getCurrentThreadCpuTime();
    long begin = System.nanoTime();
    long end = begin + (long) (secondsMax * 1e9);
    for (PodInfo pod : wanted) {
      Placement placement = placer.place(pod, cluster);
      switch (placement) {
        case Placed on -> {
          cluster.assume(pod, on.node());
          placed++;
        }
        case Unplaced nowhere -> {
          Preemption preemption = nowhere.preemption();
          if (preemption == null) {
            unplaced++;
          } else {
            preemption.victims().forEach(victim -> cluster.removePod(victim.uid()));
            cluster.assume(pod, preemption.node());
            placed++;
          }
        }
      }
      if (System.nanoTime() > end) {
        break;
      }
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    double cpuSeconds = (THREADS.getCurrentThreadCpuTime() - cpuBegin) / 1e9;
    return new Figure(placed, unplaced, seconds, cpuSeconds);
  }

  private static String count(double value) {
    return String.format(Locale.ROOT, "%,.0f", value);
  }
}
