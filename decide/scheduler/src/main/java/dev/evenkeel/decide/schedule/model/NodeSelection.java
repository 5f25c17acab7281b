package dev.evenkeel.decide.schedule.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The nodes that a pod may be placed on: by its {@code nodeSelector}, and by the terms of its
 * required node affinity.
 *
 * @param selector all must hold
 * @param terms one must hold; null if the pod has none, and an empty list lets no node pass
 */
public record NodeSelection(List<NodeRequirement> selector, @Nullable List<Term> terms) {

  /** All nodes. */
  public static final NodeSelection ALL = new NodeSelection(List.of(), null);

  public NodeSelection {
    selector = List.copyOf(selector);
    terms = terms == null ? null : List.copyOf(terms);
  }

  /**
   * All of these must hold.
   *
   * @param labels on the node's labels
   * @param names on its name
   */
  public record Term(List<NodeRequirement> labels, List<NodeRequirement> names) {

    public Term {
      labels = List.copyOf(labels);
      names = List.copyOf(names);
    }

    /** Whether it asks for nothing; such a term matches nothing. */
    public boolean isEmpty() {
      return labels.isEmpty() && names.isEmpty();
    }

    public boolean matches(NodeInfo node) {
      if (isEmpty()) {
        return false;
      }
      for (int i = 0; i < labels.size(); i++) {
        NodeRequirement requirement = labels.get(i);
        if (!requirement.matches(node.labels().get(requirement.key()))) {
          return false;
        }
      }
      for (int i = 0; i < names.size(); i++) {
        if (!names.get(i).matches(node.name())) {
          return false;
        }
      }
      return true;
    }
  }

  /** A term that a pod would rather have hold. */
  public record Preferred(int weight, Term term) {}

  public boolean isAll() {
    return selector.isEmpty() && terms == null;
  }

  public boolean matches(NodeInfo node) {
    for (int i = 0; i < selector.size(); i++) {
      NodeRequirement requirement = selector.get(i);
      if (!requirement.matches(node.labels().get(requirement.key()))) {
        return false;
      }
    }
    if (terms == null) {
      return true;
    }
    for (int i = 0; i < terms.size(); i++) {
      if (terms.get(i).matches(node)) {
        return true;
      }
    }
    return false;
  }
}
