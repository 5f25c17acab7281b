package dev.evenkeel.decide.plan;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.api.WireTime;
import dev.evenkeel.observe.object.Cached;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The conditions that a plan is to say of one object, each type once.
 *
 * <p><b>Threading:</b> of one reconcile.
 */
final class Conditions {

  private final Cached<?> seen;
  private final String now;
  private final List<Condition> said = new ArrayList<>(2);

  Conditions(Cached<?> seen, Instant now) {
    this.seen = seen;
    this.now = WireTime.seconds(now);
  }

  boolean areOf(Cached<?> object) {
    return seen.kind().equals(object.kind()) && seen.key().equals(object.key());
  }

  @Nullable Condition find(String type) {
    for (Condition condition : said) {
      if (condition.type().equals(type)) {
        return condition;
      }
    }
    return null;
  }

  /** What was said last of a type counts. */
  void say(Condition condition) {
    said.removeIf(it -> it.type().equals(condition.type()));
    said.add(condition);
  }

  /**
   * Puts them into the plan's write of the object's status, or makes one at the end, where they
   * differ from what was seen.
   */
  void into(List<Action> actions) {
    int at = statusOf(actions);
    ObjectNode status = JsonNodeFactory.instance.objectNode();
    if (at >= 0
        && actions.get(at) instanceof Action.Patch planned
        && planned.change().get("status") instanceof ObjectNode change) {
      status = change.deepCopy();
    }
    JsonNode present = seen.tree().path("status").path("conditions");
    ArrayNode wanted = merged(status.has("conditions") ? status.path("conditions") : present);
    if (wanted.equals(status.has("conditions") ? status.path("conditions") : present)) {
      return;
    }
    status.set("conditions", wanted);
    ObjectNode whole = JsonNodeFactory.instance.objectNode();
    whole.set("status", status);
    String because = at < 0 ? because() : actions.get(at).because();
    var patch =
        new Action.Patch(
            seen.kind(),
            seen.namespace(),
            seen.name(),
            Action.STATUS,
            whole,
            seen.uid(),
            seen.version(),
            because);
    if (at < 0) {
      actions.add(patch);
    } else {
      actions.set(at, patch);
    }
  }

  private int statusOf(List<Action> actions) {
    for (int i = 0; i < actions.size(); i++) {
      if (actions.get(i) instanceof Action.Patch patch
          && patch.subresource().equals(Action.STATUS)
          && patch.kind().equals(seen.kind())
          && patch.namespace().equals(seen.namespace())
          && patch.name().equals(seen.name())) {
        return i;
      }
    }
    return -1;
  }

  private String because() {
    List<String> each = new ArrayList<>();
    said.forEach(it -> each.add(it.type() + " is " + it.holds().word() + ": " + it.reason()));
    return String.join(", ", each);
  }

  private ArrayNode merged(JsonNode present) {
    ArrayNode all = JsonNodeFactory.instance.arrayNode();
    List<Condition> left = new ArrayList<>(said);
    for (JsonNode known : present) {
      Condition now = find(Meta.text(known.path("type")));
      all.add(now == null ? known : changed(known, now));
      left.remove(now);
    }
    left.forEach(it -> all.add(changed(JsonNodeFactory.instance.objectNode(), it)));
    return all;
  }

  /** The time of the last transition is that of the last change of its status. */
  private ObjectNode changed(JsonNode known, Condition wanted) {
    ObjectNode changed =
        known instanceof ObjectNode object
            ? object.deepCopy()
            : JsonNodeFactory.instance.objectNode();
    boolean turned = !Meta.text(known.path("status")).equals(wanted.holds().word());
    changed
        .put("type", wanted.type())
        .put("status", wanted.holds().word())
        .put("reason", wanted.reason())
        .put("message", wanted.message());
    if (turned || !changed.has("lastTransitionTime")) {
      changed.put("lastTransitionTime", now);
    }
    String generation = seen.text("metadata", "generation");
    if (!generation.isEmpty()
        && known.path("observedGeneration").asLong(-1) != Long.parseLong(generation)) {
      changed.put("observedGeneration", Long.parseLong(generation));
    }
    return changed;
  }
}
