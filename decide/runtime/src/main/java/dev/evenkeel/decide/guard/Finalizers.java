package dev.evenkeel.decide.guard;

import dev.evenkeel.decide.plan.Action;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.observe.object.Cached;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A controller's mark on the objects that it has to clean up after. It is written before anything
 * else is done, and taken away after everything else; both on the very object and version that was
 * seen, so a crash between any two writes leaves the mark where there may be something to clean.
 */
public final class Finalizers {

  private final String finalizer;

  /**
   * @param finalizer empty for none
   */
  public Finalizers(String finalizer) {
    this.finalizer = finalizer;
  }

  /** Whether an object is being deleted and this is about it. */
  public boolean isEnding(Cached<?> object) {
    return !finalizer.isEmpty() && !object.text("metadata", "deletionTimestamp").isEmpty();
  }

  public boolean isOn(Cached<?> object) {
    for (JsonNode each : marks(object)) {
      if (Meta.text(each).equals(finalizer)) {
        return true;
      }
    }
    return false;
  }

  /** Whether an object has to be marked before this is done for it. */
  public boolean isNeededFor(List<Action> actions, Cached<?> object) {
    return !finalizer.isEmpty()
        && actions.stream().anyMatch(action -> !isOn(action, object))
        && !isOn(object);
  }

  /** Whether an action changes nothing but the object itself, which goes with it. */
  private static boolean isOn(Action action, Cached<?> object) {
    return action instanceof Action.Patch patch
        && patch.kind().equals(object.kind())
        && patch.namespace().equals(object.namespace())
        && patch.name().equals(object.name());
  }

  public Action adding(Cached<?> object) {
    ArrayNode marks = JsonNodeFactory.instance.arrayNode();
    marks(object).forEach(marks::add);
    marks.add(finalizer);
    return patch(object, marks, "it is to be cleaned up before it goes");
  }

  public Action removing(Cached<?> object) {
    ArrayNode marks = JsonNodeFactory.instance.arrayNode();
    for (JsonNode each : marks(object)) {
      if (!Meta.text(each).equals(finalizer)) {
        marks.add(each);
      }
    }
    return patch(object, marks, "it is cleaned up");
  }

  private static JsonNode marks(Cached<?> object) {
    return object.tree().path("metadata").path("finalizers");
  }

  private static Action patch(Cached<?> object, ArrayNode marks, String because) {
    ObjectNode change = JsonNodeFactory.instance.objectNode();
    change.putObject("metadata").set("finalizers", marks);
    return new Action.Patch(
        object.kind(),
        object.namespace(),
        object.name(),
        "",
        change,
        object.uid(),
        object.version(),
        because);
  }
}
