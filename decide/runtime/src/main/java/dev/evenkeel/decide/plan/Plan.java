package dev.evenkeel.decide.plan;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.patch.MergePatch;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What to do, in this order; an action that does not succeed keeps those after it from being tried.
 *
 * <p><b>Threading:</b> made by one reconcile, then only read.
 */
public final class Plan {

  /**
   * When to look again though nothing changed.
   *
   * @param why for people
   */
  public record Again(Duration after, String why) {}

  private final List<Action> actions = new ArrayList<>();
  private final Map<Integer, Told> toldOfActions = new HashMap<>(4);
  private final List<Told> told = new ArrayList<>(0);
  private @Nullable Again again;

  private Plan() {}

  /** Nothing to do, so far. */
  public static Plan empty() {
    return new Plan();
  }

  /** Does this, whatever was seen. */
  public Plan act(Action action) {
    actions.add(action);
    return this;
  }

  /** Makes an object. With {@code generateName} and no name, the server names it. */
  public Plan create(Kind<?> kind, ObjectNode object, String because) {
    actions.add(new Action.Create(kind, object, because));
    return this;
  }

  /** Makes fields of an object what they are here, whoever changed them, and leaves the others. */
  public Plan apply(Kind<?> kind, ObjectNode object, String because) {
    actions.add(new Action.Apply(kind, object, because));
    return this;
  }

  /**
   * Has an object be there with these fields. If the view shows it so, nothing is done; if not,
   * they are applied, whoever changed them.
   */
  public Plan ensure(View view, Kind<?> kind, ObjectNode object, String because) {
    Cached<?> there = view.find(kind, Meta.namespace(object), Meta.name(object));
    return there != null && Desired.has(there.tree(), object) ? this : apply(kind, object, because);
  }

  /** Has an object's status be this one; see {@link #status(Cached, ObjectNode, String)}. */
  public Plan status(Cached<?> seen, Record status, String because) {
    return status(seen, Desired.fields(status), because);
  }

  /** Changes an object as it was seen: if it has changed since, nothing is done. */
  public Plan patch(Cached<?> seen, ObjectNode change, String because) {
    actions.add(
        new Action.Patch(
            seen.kind(),
            seen.namespace(),
            seen.name(),
            "",
            change,
            seen.uid(),
            seen.version(),
            because));
    return this;
  }

  /**
   * Has an object's status be this one. Fields of it that are not known here stay as they are; if
   * nothing would change, nothing is planned.
   */
  public Plan status(Cached<?> seen, ObjectNode status, String because) {
    JsonNode before = seen.tree().path("status");
    ObjectNode change =
        MergePatch.setting(
            before instanceof ObjectNode known ? known : JsonNodeFactory.instance.objectNode(),
            status);
    if (!change.isEmpty()) {
      ObjectNode whole = JsonNodeFactory.instance.objectNode();
      whole.set("status", change);
      actions.add(
          new Action.Patch(
              seen.kind(),
              seen.namespace(),
              seen.name(),
              "status",
              whole,
              seen.uid(),
              seen.version(),
              because));
    }
    return this;
  }

  /** Deletes an object as it was seen, with what belongs to it. */
  public Plan delete(Cached<?> seen, String because) {
    return delete(seen, Action.Propagation.BACKGROUND, because);
  }

  public Plan delete(Cached<?> seen, Action.Propagation propagation, String because) {
    actions.add(
        new Action.Delete(
            seen.kind(),
            seen.namespace(),
            seen.name(),
            seen.uid(),
            seen.version(),
            propagation,
            because));
    return this;
  }

  /** Has the object looked at again; of several times the earliest counts. */
  public Plan lookAgain(Duration after, String why) {
    Again known = again;
    if (known == null || after.compareTo(known.after()) < 0) {
      again = new Again(after, why);
    }
    return this;
  }

  /**
   * Has users told, as an event of the object, once the last action has been carried out, or that
   * it was refused.
   *
   * @param message {@link Told#NAME} in it stands for the name of the action's object
   */
  public Plan telling(String reason, String message) {
    if (actions.isEmpty()) {
      throw new IllegalStateException("there is no action to tell of: " + reason);
    }
    toldOfActions.put(actions.size() - 1, new Told(Told.Type.NORMAL, reason, message));
    return this;
  }

  /** Has users told, as an event of the object, once the whole plan has been carried out. */
  public Plan tell(Told.Type type, String reason, String message) {
    told.add(new Told(type, reason, message));
    return this;
  }

  /** What to tell of the action at that place; null if nothing. */
  public @Nullable Told toldOf(int action) {
    return toldOfActions.get(action);
  }

  /** What to tell in the end. */
  public List<Told> told() {
    return List.copyOf(told);
  }

  public List<Action> actions() {
    return List.copyOf(actions);
  }

  public @Nullable Again again() {
    return again;
  }

  @Override
  public String toString() {
    return actions.toString();
  }
}
