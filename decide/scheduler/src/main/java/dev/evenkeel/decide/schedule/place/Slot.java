package dev.evenkeel.decide.schedule.place;

import dev.evenkeel.decide.schedule.model.NodeInfo;
import dev.evenkeel.decide.schedule.model.PodInfo;
import dev.evenkeel.kernel.fit.HostPort;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A node's place in the columns, and what of it is not in columns. It is there also for a node that
 * is not known yet, or no more, as long as pods are bound to it.
 */
@SuppressWarnings("ReferenceEquality") // Two versions of a pod that are equal may be told apart.
final class Slot {

  final String name;
  final int number;
  final List<PodInfo> pods = new ArrayList<>(8);

  /** One each, so twice what two pods have. */
  final List<HostPort> ports = new ArrayList<>(0);

  /** Pods for which others were removed from here. */
  final List<PodInfo> nominated = new ArrayList<>(0);

  @Nullable NodeInfo node;

  /** The position in the log at which the node itself last changed. */
  long nodeChanged;

  Slot(String name, int number) {
    this.name = name;
    this.number = number;
  }

  /** This one, not one that equals it. */
  void remove(PodInfo pod) {
    for (int i = pods.size() - 1; i >= 0; i--) {
      if (pods.get(i) == pod) {
        pods.remove(i);
        return;
      }
    }
    throw new IllegalStateException(pod + " is not on " + name);
  }

  void replace(PodInfo before, PodInfo after) {
    pods.replaceAll(pod -> pod == before ? after : pod);
  }

  boolean isEmpty() {
    return node == null && pods.isEmpty() && nominated.isEmpty();
  }

  boolean excludes(List<HostPort> wanted) {
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
}
