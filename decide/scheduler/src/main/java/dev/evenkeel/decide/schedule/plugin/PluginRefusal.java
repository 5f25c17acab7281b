package dev.evenkeel.decide.schedule.plugin;

import dev.evenkeel.decide.schedule.model.WakeOn;
import java.util.Objects;
import java.util.Set;

/**
 * Why a plugin says no.
 *
 * @param reason for people, the same for all nodes that are refused for the same
 * @param isFinal whether removing pods from the node cannot help
 * @param helpedBy changes after which it is worth asking again
 */
public record PluginRefusal(String reason, boolean isFinal, Set<WakeOn> helpedBy) {

  public PluginRefusal {
    Objects.requireNonNull(reason, "a refusal needs a reason");
    helpedBy = Set.copyOf(helpedBy);
  }
}
