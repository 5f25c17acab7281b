package dev.evenkeel.decide.controllers.collect;

import dev.evenkeel.decide.plan.Action;
import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.observe.object.Kind;
import dev.evenkeel.observe.object.Owner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Decides what becomes of an object whose owners, or whose dependents, are going. Pure: all that
 * counts is given.
 */
final class GarbageRules {

  static final String ORPHAN = "orphan";
  static final String FOREGROUND = "foregroundDeletion";

  private static final Duration LATER = Duration.ofSeconds(30);

  private GarbageRules() {}

  /** What is known of an owner, from whoever stores it. */
  enum OwnerState {
    THERE,
    /** It is going, and waits for its dependents to go first. */
    WAITING,
    GONE,
    /** The server does not know its kind, so nobody can say. */
    UNKNOWN,
    /** It is in a namespace and the dependent is not: it can never be found. */
    UNREACHABLE
  }

  /** A dependent as the server has it now. */
  record Dependent(Kind<?> kind, ObjectNode object) {}

  /** Whether it stays until its dependents are dealt with. */
  static boolean isHeld(ObjectNode object) {
    return hasFinalizer(object, ORPHAN) || hasFinalizer(object, FOREGROUND);
  }

  static boolean hasFinalizer(JsonNode object, String name) {
    for (JsonNode finalizer : object.path("metadata").path("finalizers")) {
      if (Meta.text(finalizer).equals(name)) {
        return true;
      }
    }
    return false;
  }

  /** Whether an object is going after its dependents, and there are some. */
  static boolean isHeldForeground(Graph.Node node, List<Dependent> dependents) {
    return node.held() && !dependents.isEmpty();
  }

  static boolean isEnding(JsonNode object) {
    return object.path("metadata").has("deletionTimestamp");
  }

  /** Whom an object belongs to. */
  static List<Owner> owners(JsonNode object) {
    List<Owner> owners = new ArrayList<>(1);
    for (JsonNode reference : object.path("metadata").path("ownerReferences")) {
      owners.add(
          new Owner(
              Meta.text(reference.path("apiVersion")),
              Meta.text(reference.path("kind")),
              Meta.text(reference.path("name")),
              Meta.text(reference.path("uid")),
              reference.path("controller").asBoolean(false),
              reference.path("blockOwnerDeletion").asBoolean(false)));
    }
    return owners;
  }

  /**
   * @param owners by uid
   * @param dependents of the object, as the server has them now
   */
  static Plan plan(
      Kind<?> kind, ObjectNode object, Map<String, OwnerState> owners, List<Dependent> dependents) {
    if (isEnding(object)) {
      return ending(kind, object, dependents);
    }
    return owners.isEmpty() ? Plan.empty() : owned(kind, object, owners, dependents);
  }

  private static Plan ending(Kind<?> kind, ObjectNode object, List<Dependent> dependents) {
    Plan plan = Plan.empty();
    String uid = Meta.uid(object);
    String name = Meta.name(object);
    if (hasFinalizer(object, ORPHAN)) {
      for (Dependent dependent : dependents) {
        plan.act(
            patch(
                dependent.kind(),
                dependent.object(),
                withoutOwners(dependent.object(), uid::equals),
                name + " is deleted and leaves its dependents behind"));
      }
      plan.act(patch(kind, object, without(object, ORPHAN), "its dependents belong to it no more"));
    } else if (hasFinalizer(object, FOREGROUND)) {
      long blocking =
          dependents.stream()
              .filter(it -> blocks(it.object(), uid) && !isCircle(object, it.object()))
              .count();
      if (blocking == 0) {
        plan.act(
            patch(kind, object, without(object, FOREGROUND), "nothing that it waits for is left"));
      }
    }
    return plan;
  }

  /** Two that own each other and both wait: one has to go first. */
  private static boolean isCircle(ObjectNode object, ObjectNode dependent) {
    return isEnding(dependent)
        && hasFinalizer(dependent, FOREGROUND)
        && blocks(object, Meta.uid(dependent));
  }

  private static boolean blocks(ObjectNode dependent, String owner) {
    for (JsonNode reference : dependent.path("metadata").path("ownerReferences")) {
      if (Meta.text(reference.path("uid")).equals(owner)) {
        return reference.path("blockOwnerDeletion").asBoolean(false);
      }
    }
    return false;
  }

  private static Plan owned(
      Kind<?> kind, ObjectNode object, Map<String, OwnerState> owners, List<Dependent> dependents) {
    Plan plan = Plan.empty();
    if (owners.containsValue(OwnerState.UNKNOWN)) {
      plan.lookAgain(LATER, "the kind of an owner is not known to the server");
    }
    boolean kept =
        owners.values().stream()
            .anyMatch(
                it ->
                    it == OwnerState.THERE
                        || it == OwnerState.UNKNOWN
                        || it == OwnerState.UNREACHABLE);
    boolean going =
        owners.containsValue(OwnerState.GONE) || owners.containsValue(OwnerState.WAITING);
    if (!going) {
      return plan;
    }
    if (kept) {
      return plan.act(
          patch(
              kind,
              object,
              withoutOwners(
                  object,
                  uid -> {
                    OwnerState state = owners.get(uid);
                    return state == OwnerState.GONE || state == OwnerState.WAITING;
                  }),
              "some of its owners are gone, others are not"));
    }
    boolean foreground = owners.containsValue(OwnerState.WAITING) && !dependents.isEmpty();
    String why =
        owners.containsValue(OwnerState.WAITING)
            ? "its owner waits for it to go"
            : "its owner is gone";
    return plan.act(
        new Action.Delete(
            kind,
            Meta.namespace(object),
            Meta.name(object),
            Meta.uid(object),
            // Whoever gives it another owner meanwhile saves it.
            Long.parseLong(Meta.resourceVersion(object)),
            foreground ? Action.Propagation.FOREGROUND : propagation(object),
            why));
  }

  /** As it was to be deleted before, if that was said. */
  private static Action.Propagation propagation(ObjectNode object) {
    if (hasFinalizer(object, ORPHAN)) {
      return Action.Propagation.ORPHAN;
    }
    return hasFinalizer(object, FOREGROUND)
        ? Action.Propagation.FOREGROUND
        : Action.Propagation.BACKGROUND;
  }

  private static Action patch(Kind<?> kind, ObjectNode seen, ObjectNode change, String why) {
    return new Action.Patch(
        kind,
        Meta.namespace(seen),
        Meta.name(seen),
        "",
        change,
        Meta.uid(seen),
        Long.parseLong(Meta.resourceVersion(seen)),
        why);
  }

  private static ObjectNode withoutOwners(ObjectNode object, Predicate<String> left) {
    ArrayNode kept = JsonNodeFactory.instance.arrayNode();
    for (JsonNode reference : object.path("metadata").path("ownerReferences")) {
      if (!left.test(Meta.text(reference.path("uid")))) {
        kept.add(reference);
      }
    }
    return metadata("ownerReferences", kept);
  }

  private static ObjectNode without(ObjectNode object, String finalizer) {
    ArrayNode kept = JsonNodeFactory.instance.arrayNode();
    for (JsonNode each : object.path("metadata").path("finalizers")) {
      if (!Meta.text(each).equals(finalizer)) {
        kept.add(each);
      }
    }
    return metadata("finalizers", kept);
  }

  private static ObjectNode metadata(String field, ArrayNode kept) {
    ObjectNode change = JsonNodeFactory.instance.objectNode();
    ObjectNode metadata = change.putObject("metadata");
    if (kept.isEmpty()) {
      metadata.putNull(field);
    } else {
      metadata.set(field, kept);
    }
    return change;
  }

  /** Kinds whose objects come and go by themselves, and are too many to follow. */
  static final Set<String> IGNORED = Set.of("events", "events.events.k8s.io");
}
