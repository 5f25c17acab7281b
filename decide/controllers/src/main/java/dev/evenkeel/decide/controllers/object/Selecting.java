package dev.evenkeel.decide.controllers.object;

import dev.evenkeel.decide.plan.View;
import dev.evenkeel.decide.queue.Key;
import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.selector.LabelSelector;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Who selects whom by labels. */
public final class Selecting {

  private Selecting() {}

  /** The selector in {@code spec.selector}; null if it is none. */
  public static @Nullable LabelSelector selector(JsonNode object) {
    try {
      return LabelSelector.fromJson(object.path("spec").path("selector"));
    } catch (ApiException e) {
      return null;
    }
  }

  /** The labels in {@code spec.selector}, as older kinds have them; null if they are none. */
  public static @Nullable LabelSelector labels(JsonNode object) {
    try {
      return LabelSelector.ofLabels(Meta.strings(object.path("spec").path("selector")));
    } catch (ApiException e) {
      return null;
    }
  }

  /** Those of a kind that would take an object in which belongs to nobody. */
  public static Collection<Key> adopters(
      Kind<ObjectNode> kind, Cached<ObjectNode> orphan, View view) {
    return adopters(kind, Selecting::selector, orphan, view);
  }

  /**
   * @param selecting what an object of the kind selects
   */
  public static Collection<Key> adopters(
      Kind<ObjectNode> kind,
      Function<JsonNode, @Nullable LabelSelector> selecting,
      Cached<ObjectNode> orphan,
      View view) {
    if (Ownership.controller(orphan) != null) {
      return List.of();
    }
    List<Key> adopters = new ArrayList<>();
    for (Cached<ObjectNode> candidate : view.list(kind, orphan.namespace())) {
      LabelSelector selector = selecting.apply(candidate.tree());
      if (selector != null && !selector.isEverything() && selector.matches(orphan.labels())) {
        adopters.add(new Key(candidate.namespace(), candidate.name()));
      }
    }
    return adopters;
  }
}
