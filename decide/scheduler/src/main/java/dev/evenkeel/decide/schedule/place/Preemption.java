package dev.evenkeel.decide.schedule.place;

import dev.evenkeel.decide.schedule.model.PodInfo;
import java.util.List;

/**
 * Pods to remove so that another can be placed.
 *
 * @param node on which they are, and where the other fits without them
 * @param victims the most important first; none of them could stay
 * @param violations how many of them a disruption budget wants kept
 */
public record Preemption(String node, List<PodInfo> victims, int violations) {

  public Preemption {
    victims = List.copyOf(victims);
  }
}
