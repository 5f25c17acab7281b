package dev.evenkeel.decide.schedule.column;

import dev.evenkeel.decide.schedule.model.NodeInfo;
import dev.evenkeel.decide.schedule.model.PodInfo;
import dev.evenkeel.kernel.fit.HostPort;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A node's place in the columns, and what of it is not in columns. It is there also for a node that
 * is not known yet, or no more, as long as pods are bound to it.
 *
 * <p><b>Threading</b>: of the cluster's thread.
 */
@SuppressWarnings("ReferenceEquality") // Two versions of a pod that are equal may be told apart.
public final class Slot {

  private final String name;
  private final int number;
  private final List<PodInfo> pods = new ArrayList<>(8);
  private final List<PodInfo> podsSeen = Collections.unmodifiableList(pods);

  /** One each, so twice what two pods have. */
  private final List<HostPort> ports = new ArrayList<>(0);

  private final List<PodInfo> nominated = new ArrayList<>(0);
  private @Nullable NodeInfo node;
  private long nodeChanged;

  public Slot(String name, int number) {
    this.name = name;
    this.number = number;
  }

  /** The node's. */
  public String name() {
    return name;
  }

  /** Its place in the columns. */
  public int number() {
    return number;
  }

  /** Null if it is not known. */
  public @Nullable NodeInfo node() {
    return node;
  }

  /** The position in the log at which the node itself last changed. */
  public long nodeChanged() {
    return nodeChanged;
  }

  /** In the order they came; a view. */
  public List<PodInfo> pods() {
    return podsSeen;
  }

  public List<HostPort> ports() {
    return Collections.unmodifiableList(ports);
  }

  /** Pods for which others were removed from here. */
  public List<PodInfo> nominated() {
    return Collections.unmodifiableList(nominated);
  }

  /** Whether a pod with these ports would take one that is taken. */
  public boolean excludes(List<HostPort> wanted) {
    if (ports.isEmpty()) {
      return false;
    }
    for (int i = 0; i < wanted.size(); i++) {
      for (int j = 0; j < ports.size(); j++) {
        if (wanted.get(i).excludes(ports.get(j))) {
          return true;
        }
      }
    }
    return false;
  }

  void setNode(@Nullable NodeInfo changed, long position) {
    node = changed;
    nodeChanged = position;
  }

  void add(PodInfo pod) {
    pods.add(pod);
    ports.addAll(pod.demand().ports());
  }

  /** This one, not one that equals it. */
  void remove(PodInfo pod) {
    for (int i = pods.size() - 1; i >= 0; i--) {
      if (pods.get(i) == pod) {
        pods.remove(i);
        pod.demand().ports().forEach(ports::remove);
        return;
      }
    }
    throw new IllegalStateException(pod + " is not on " + name);
  }

  /** With one that takes the same of the node. */
  public void replace(PodInfo before, PodInfo after) {
    pods.replaceAll(pod -> pod == before ? after : pod);
  }

  /** What is promised to others is told apart from what they have. */
  public void nominate(PodInfo pod) {
    nominated.add(pod);
  }

  public void withdraw(PodInfo pod) {
    nominated.remove(pod);
  }

  boolean isEmpty() {
    return node == null && pods.isEmpty() && nominated.isEmpty();
  }
}
