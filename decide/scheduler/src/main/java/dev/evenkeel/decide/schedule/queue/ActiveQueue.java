package dev.evenkeel.decide.schedule.queue;

import dev.evenkeel.decide.schedule.plugin.PluginFailure;
import dev.evenkeel.decide.schedule.plugin.QueueSort;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Pods that can be tried, and whose turn is next.
 *
 * <p><b>Threading:</b> of the scheduler's loop.
 */
public sealed interface ActiveQueue {

  /** The most important first, and of those the oldest. */
  Comparator<Waiting> BY_PRIORITY =
      Comparator.comparingInt((Waiting it) -> -it.pod().priority())
          .thenComparingLong(Waiting::number);

  void add(Waiting waiting);

  void remove(Waiting waiting);

  /** Takes the next one; null if there is none. */
  @Nullable Waiting take();

  int size();

  static ActiveQueue by(@Nullable QueueSort order) {
    return order == null ? new ByPriority() : new ByPlugin(order);
  }

  /** As kube-scheduler has it. */
  final class ByPriority implements ActiveQueue {
    private final TreeSet<Waiting> pods = new TreeSet<>(BY_PRIORITY);

    @Override
    public void add(Waiting waiting) {
      pods.add(waiting);
    }

    @Override
    public void remove(Waiting waiting) {
      pods.remove(waiting);
    }

    @Override
    public @Nullable Waiting take() {
      return pods.pollFirst();
    }

    @Override
    public int size() {
      return pods.size();
    }
  }

  /**
   * As a user's plugin has it.
   *
   * <p><b>Invariants:</b> every pod that was added and not removed is taken, once, whatever the
   * plugin says: a heap moves what it compares and never asks whether two are the same, and who is
   * here is known without asking the plugin. At most as many entries as pods are stale, and one.
   */
  final class ByPlugin implements ActiveQueue {

    private record Entry(Waiting waiting, long stamp) {}

    private final QueueSort order;
    private final PriorityQueue<Entry> entries;
    private final Map<Waiting, Long> here = new HashMap<>();
    private long stamps;
    private boolean told;

    ByPlugin(QueueSort order) {
      this.order = order;
      this.entries = new PriorityQueue<>((a, b) -> compare(a.waiting(), b.waiting()));
    }

    /** Never throws: a heap that is left half way has lost one. */
    private int compare(Waiting first, Waiting second) {
      int compared = 0;
      try {
        compared =
            PluginFailure.ask(order, "QueueSort", () -> order.compare(first.pod(), second.pod()));
      } catch (PluginFailure e) {
        if (!told) {
          told = true;
          System.getLogger(ActiveQueue.class.getName())
              .log(
                  System.Logger.Level.ERROR,
                  "pods that it cannot compare go by priority; this is said once",
                  e);
        }
      }
      return compared == 0 ? BY_PRIORITY.compare(first, second) : compared;
    }

    @Override
    public void add(Waiting waiting) {
      here.put(waiting, ++stamps);
      entries.add(new Entry(waiting, stamps));
    }

    @Override
    public void remove(Waiting waiting) {
      here.remove(waiting);
      if (entries.size() > 2 * here.size() + 1) {
        entries.removeIf(entry -> !isHere(entry));
      }
    }

    private boolean isHere(Entry entry) {
      Long stamp = here.get(entry.waiting());
      return stamp != null && stamp == entry.stamp();
    }

    @Override
    public @Nullable Waiting take() {
      for (Entry first; (first = entries.poll()) != null; ) {
        if (isHere(first)) {
          here.remove(first.waiting());
          return first.waiting();
        }
      }
      return null;
    }

    @Override
    public int size() {
      return here.size();
    }
  }
}
