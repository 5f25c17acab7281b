package dev.evenkeel.decide.plan;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.patch.MergePatch;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

  /** An object that the authority is asked for. */
  public record Question(Kind<?> kind, String namespace, String name) {}

  private final List<Action> actions = new ArrayList<>();
  private final Map<Integer, PlannedEvent> toldOfActions = new HashMap<>(4);
  private final List<PlannedEvent> told = new ArrayList<>(0);
  private final List<Conditions> conditions = new ArrayList<>(0);
  private final Set<Question> questions = new LinkedHashSet<>(0);
  private @Nullable Again again;
  private boolean clean;

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
    return status(seen, status, JsonNodeFactory.instance.objectNode(), because);
  }

  /** Likewise, with annotations that are set in the same write. */
  public Plan status(Cached<?> seen, ObjectNode status, ObjectNode annotations, String because) {
    JsonNode before = seen.tree().path("status");
    ObjectNode change =
        MergePatch.setting(
            before instanceof ObjectNode known ? known : JsonNodeFactory.instance.objectNode(),
            status);
    if (!change.isEmpty() || !annotations.isEmpty()) {
      ObjectNode whole = JsonNodeFactory.instance.objectNode();
      if (!annotations.isEmpty()) {
        Meta.of(whole).set("annotations", annotations);
      }
      if (!change.isEmpty()) {
        whole.set("status", change);
      }
      actions.add(
          new Action.Patch(
              seen.kind(),
              seen.namespace(),
              seen.name(),
              Action.STATUS,
              whole,
              seen.uid(),
              seen.version(),
              because));
    }
    return this;
  }

  /**
   * Says something of an object in its status, and of which generation it is said. The time of its
   * last transition changes with its status alone; if nothing would change, nothing is planned. All
   * that a plan says of an object's status is one write, at the place of the first, or at the end
   * if only conditions are said.
   */
  public Plan condition(View view, Cached<?> seen, Condition condition) {
    for (Conditions known : conditions) {
      if (known.areOf(seen)) {
        known.say(condition);
        return this;
      }
    }
    var first = new Conditions(seen, view.now());
    first.say(condition);
    conditions.add(first);
    return this;
  }

  /** What the plan says of an object under a type; null if nothing. */
  public @Nullable Condition condition(Cached<?> of, String type) {
    for (Conditions known : conditions) {
      if (known.areOf(of)) {
        return known.find(type);
      }
    }
    return null;
  }

  /**
   * What a deadline that has passed makes of the plan: unless it says that the condition holds, it
   * says that it does not, and why. The rest stays as it is.
   */
  public Plan overdue(View view, Cached<?> object, String type, String why) {
    Condition said = condition(object, type);
    if (said != null && said.holds() == Condition.Holds.TRUE) {
      return this;
    }
    String message = said == null || said.message().isEmpty() ? why : why + ": " + said.message();
    return condition(view, object, Condition.isFalse(type, Condition.DEADLINE_EXCEEDED, message));
  }

  /**
   * Asks the authority for an object. A plan whose questions were not answered yet is not carried
   * out: they are, and the reconciler is called again with the answers in its view, where it asks
   * the same and plans on.
   */
  public Plan ask(Kind<?> kind, String namespace, String name) {
    questions.add(new Question(kind, namespace, name));
    return this;
  }

  /**
   * Has something outside of the API be as it should be, on behalf of an object. What is there
   * already, as {@link View#effect} shows it, is left alone.
   *
   * @param actuator who can do it, by its name
   * @param thing a name for it, among the things of the object
   * @param wanted fields that it should have; it may have others
   */
  public Plan effect(
      Cached<?> object, String actuator, String thing, ObjectNode wanted, String because) {
    actions.add(effectOn(object, actuator, thing, wanted, because));
    return this;
  }

  /** Has something outside of the API, that was had there on behalf of an object, be no more. */
  public Plan withdraw(Cached<?> object, String actuator, String thing, String because) {
    actions.add(effectOn(object, actuator, thing, null, because));
    return this;
  }

  private static Action.Effect effectOn(
      Cached<?> object,
      String actuator,
      String thing,
      @Nullable ObjectNode wanted,
      String because) {
    String generation = object.text("metadata", "generation");
    return new Action.Effect(
        object.kind(),
        object.namespace(),
        object.name(),
        object.uid(),
        generation.isEmpty() ? 0 : Long.parseLong(generation),
        actuator,
        thing,
        wanted,
        because);
  }

  /**
   * Says of a plan to clean up that nothing is left to do once it is carried out: then the object
   * may go.
   */
  public Plan clean() {
    clean = true;
    return this;
  }

  /** Deletes an object as it was seen, with what belongs to it. */
  public Plan delete(Cached<?> seen, String because) {
    return delete(seen, Action.Propagation.BACKGROUND, because);
  }

  /** Deletes an object as it was seen that nobody is left to end: it is gone at once. */
  public Plan deleteAtOnce(Cached<?> seen, String because) {
    actions.add(
        new Action.Delete(
            seen.kind(),
            seen.namespace(),
            seen.name(),
            seen.uid(),
            seen.version(),
            Action.Propagation.BACKGROUND,
            true,
            because));
    return this;
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
   * @param message {@link PlannedEvent#NAME} in it stands for the name of the action's object
   */
  public Plan telling(String reason, String message) {
    if (actions.isEmpty()) {
      throw new IllegalStateException("there is no action to tell of: " + reason);
    }
    toldOfActions.put(
        actions.size() - 1, new PlannedEvent(PlannedEvent.Type.NORMAL, reason, message));
    return this;
  }

  /** Has users told, as an event of the object, once the whole plan has been carried out. */
  public Plan tell(PlannedEvent.Type type, String reason, String message) {
    told.add(new PlannedEvent(type, reason, message));
    return this;
  }

  /** What to tell of the action at that place; null if nothing. */
  public @Nullable PlannedEvent toldOf(int action) {
    return toldOfActions.get(action);
  }

  /** What to tell in the end. */
  public List<PlannedEvent> told() {
    return List.copyOf(told);
  }

  public List<Action> actions() {
    if (conditions.isEmpty()) {
      return List.copyOf(actions);
    }
    List<Action> all = new ArrayList<>(actions);
    conditions.forEach(it -> it.into(all));
    return List.copyOf(all);
  }

  /** What the authority is asked for. */
  public Set<Question> questions() {
    return Collections.unmodifiableSet(questions);
  }

  /** Whether nothing is left to clean up once it is carried out. */
  public boolean isClean() {
    return clean;
  }

  public @Nullable Again again() {
    return again;
  }

  @Override
  public String toString() {
    return actions().toString();
  }
}
