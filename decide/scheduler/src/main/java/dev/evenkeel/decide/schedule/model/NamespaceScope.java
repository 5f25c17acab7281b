package dev.evenkeel.decide.schedule.model;

import dev.evenkeel.kernel.selector.LabelSelector;
import java.util.List;
import java.util.Map;

/**
 * The namespaces that a term looks at: those named, and those whose labels are selected.
 *
 * @param names sorted
 * @param selector {@link LabelSelector#NOTHING} if only the names count
 */
public record NamespaceScope(List<String> names, LabelSelector selector) {

  public NamespaceScope {
    names = names.stream().distinct().sorted().toList();
  }

  public static NamespaceScope only(String namespace) {
    return new NamespaceScope(List.of(namespace), LabelSelector.NOTHING);
  }

  public boolean includes(String namespace, Map<String, String> labels) {
    return names.contains(namespace) || selector.matches(labels);
  }

  /** Whether the labels of namespaces matter. */
  public boolean looksAtLabels() {
    return !selector.isEverything() && !selector.equals(LabelSelector.NOTHING);
  }
}
