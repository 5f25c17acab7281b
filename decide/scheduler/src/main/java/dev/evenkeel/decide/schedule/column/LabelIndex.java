package dev.evenkeel.decide.schedule.column;

import dev.evenkeel.kernel.selector.LabelRequirement;
import dev.evenkeel.kernel.selector.LabelSelector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds, by the labels of a pod, what may select it: those that ask for one of its labels, and
 * those that cannot be told apart so.
 *
 * <p><b>Invariants</b>: what selects a pod is among what is found for its labels; each is found
 * once.
 */
final class LabelIndex<T> {

  private final Map<String, Map<String, List<T>>> byLabel = new HashMap<>();
  private final List<T> others = new ArrayList<>(0);

  void add(LabelSelector selector, T entry) {
    LabelRequirement telling = telling(selector);
    if (telling == null) {
      others.add(entry);
      return;
    }
    Map<String, List<T>> byValue = byLabel.computeIfAbsent(telling.key(), _ -> new HashMap<>());
    for (String value : telling.values()) {
      byValue.computeIfAbsent(value, _ -> new ArrayList<>(1)).add(entry);
    }
  }

  void remove(LabelSelector selector, T entry) {
    LabelRequirement telling = telling(selector);
    if (telling == null) {
      others.remove(entry);
      return;
    }
    Map<String, List<T>> byValue = byLabel.get(telling.key());
    if (byValue == null) {
      return;
    }
    for (String value : telling.values()) {
      List<T> entries = byValue.get(value);
      if (entries != null && entries.remove(entry) && entries.isEmpty()) {
        byValue.remove(value);
      }
    }
    if (byValue.isEmpty()) {
      byLabel.remove(telling.key());
    }
  }

  void forEachCandidate(Map<String, String> labels, Consumer<T> action) {
    for (int i = 0; i < others.size(); i++) {
      action.accept(others.get(i));
    }
    if (byLabel.isEmpty()) {
      return;
    }
    for (Map.Entry<String, String> label : labels.entrySet()) {
      Map<String, List<T>> byValue = byLabel.get(label.getKey());
      List<T> entries = byValue == null ? null : byValue.get(label.getValue());
      if (entries != null) {
        for (int i = 0; i < entries.size(); i++) {
          action.accept(entries.get(i));
        }
      }
    }
  }

  private static @Nullable LabelRequirement telling(LabelSelector selector) {
    for (LabelRequirement requirement : selector.requirements()) {
      if (requirement.operator() == LabelRequirement.Operator.IN) {
        return requirement;
      }
    }
    return null;
  }
}
