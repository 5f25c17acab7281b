package dev.evenkeel.decide.controllers.object;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Owner;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Who belongs to whom. */
public final class Ownership {

  private Ownership() {}

  /** The one that is in charge of an object, null if nobody is. */
  public static @Nullable Owner controller(Cached<?> object) {
    for (Owner owner : object.owners()) {
      if (owner.controller()) {
        return owner;
      }
    }
    return null;
  }

  /** Whether that object is in charge of this one. */
  public static boolean isControlledBy(Cached<?> object, Cached<?> owner) {
    Owner controller = controller(object);
    return controller != null && controller.uid().equals(owner.uid());
  }

  /** Puts an object in charge of a new one. */
  public static void take(ObjectNode made, Cached<?> owner) {
    Meta.of(made).putArray("ownerReferences").add(reference(owner));
  }

  /** What makes an object that was seen belong to that owner. */
  public static ObjectNode adoption(Cached<?> orphan, Cached<?> owner) {
    ArrayNode owners = owners(orphan);
    owners.add(reference(owner));
    return change(owners);
  }

  /** What makes it belong to that owner no more. */
  public static ObjectNode release(Cached<?> object, Cached<?> owner) {
    ArrayNode left = JsonNodeFactory.instance.arrayNode();
    owners(object)
        .forEach(
            reference -> {
              if (!Meta.text(reference.path("uid")).equals(owner.uid())) {
                left.add(reference);
              }
            });
    return change(left);
  }

  private static ArrayNode owners(Cached<?> object) {
    return object.tree().path("metadata").path("ownerReferences") instanceof ArrayNode known
        ? known
        : JsonNodeFactory.instance.arrayNode();
  }

  private static ObjectNode change(ArrayNode owners) {
    ObjectNode change = JsonNodeFactory.instance.objectNode();
    ObjectNode metadata = change.putObject("metadata");
    if (owners.isEmpty()) {
      metadata.putNull("ownerReferences");
    } else {
      metadata.set("ownerReferences", owners);
    }
    return change;
  }

  private static ObjectNode reference(Cached<?> owner) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("apiVersion", owner.kind().gvk().apiVersion())
        .put("kind", owner.kind().gvk().kind())
        .put("name", owner.name())
        .put("uid", owner.uid())
        .put("controller", true)
        .put("blockOwnerDeletion", true);
  }
}
