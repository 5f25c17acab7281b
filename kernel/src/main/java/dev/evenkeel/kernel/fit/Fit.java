package dev.evenkeel.kernel.fit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Whether a node is enough for a pod: the one answer, for all who ask. */
public final class Fit {

  private Fit() {}

  /**
   * Whether a resource is lacking. Who wants none of it does not mind that others took too much.
   */
  public static boolean lacks(long wanted, long used, long capacity) {
    return wanted > 0 && wanted > capacity - used;
  }

  /**
   * What the node has too little of; nothing if the pod fits. A node that has not said what it has
   * limits nothing but its ports, and one that has not said how many pods it runs limits not these.
   */
  public static List<Shortage> shortages(NodeLedger node, Demand pod) {
    List<Shortage> shortages = new ArrayList<>(0);
    if (!node.capacity().isEmpty()) {
      for (Map.Entry<String, Long> wanted : pod.amounts().entrySet()) {
        String name = wanted.getKey();
        if (name.equals(Demand.PODS) && !node.capacity().containsKey(name)) {
          continue;
        }
        long used = node.used().getOrDefault(name, 0L);
        long capacity = node.capacity().getOrDefault(name, 0L);
        if (lacks(wanted.getValue(), used, capacity)) {
          shortages.add(new Shortage.Insufficient(name, wanted.getValue(), used, capacity));
        }
      }
    }
    for (HostPort port : pod.ports()) {
      if (node.ports().stream().anyMatch(port::excludes)) {
        shortages.add(new Shortage.PortTaken(port));
      }
    }
    return shortages;
  }
}
