package dev.evenkeel.observe.feed;

import dev.evenkeel.kernel.selector.FieldSelector;
import dev.evenkeel.kernel.selector.LabelSelector;
import dev.evenkeel.observe.transport.Query;

/**
 * Which objects of a kind. What leaves a selector is seen as deleted, what enters it as added.
 *
 * @param namespace empty for all
 */
public record Scope(String namespace, LabelSelector labels, FieldSelector fields) {

  public static final Scope ALL = new Scope("", LabelSelector.EVERYTHING, FieldSelector.EVERYTHING);

  public static Scope namespace(String namespace) {
    return new Scope(namespace, LabelSelector.EVERYTHING, FieldSelector.EVERYTHING);
  }

  public Scope withLabels(LabelSelector selector) {
    return new Scope(namespace, selector, fields);
  }

  public Scope withFields(FieldSelector selector) {
    return new Scope(namespace, labels, selector);
  }

  Query query() {
    return new Query()
        .withUnlessEmpty("labelSelector", labels.isEverything() ? "" : labels.toString())
        .withUnlessEmpty("fieldSelector", fields.isEverything() ? "" : fields.toString());
  }

  @Override
  public String toString() {
    return (namespace.isEmpty() ? "all" : "namespace " + namespace)
        + (labels.isEverything() ? "" : " where " + labels)
        + (fields.isEverything() ? "" : " with " + fields);
  }
}
