package dev.evenkeel.decide.schedule.judge;

import dev.evenkeel.decide.schedule.model.WakeOn;
import java.util.List;
import java.util.Set;

/**
 * Why a node was rejected.
 *
 * @param stage the plugin that did
 * @param messages in kube-scheduler's words
 * @param isFinal whether removing pods from the node cannot help
 * @param helpedBy changes that can
 */
public record Reason(String stage, List<String> messages, boolean isFinal, Set<WakeOn> helpedBy) {

  public Reason {
    messages = List.copyOf(messages);
    helpedBy = Set.copyOf(helpedBy);
  }

  public static Reason of(String stage, String message, boolean isFinal, WakeOn... helpedBy) {
    return new Reason(stage, List.of(message), isFinal, Set.of(helpedBy));
  }
}
