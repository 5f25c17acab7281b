package dev.evenkeel.decide.plan;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kind;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** One thing to do. Doing it twice is the same as doing it once. */
public sealed interface Action {

  /** The part of an object that says how it is. */
  String STATUS = "status";

  Kind<?> kind();

  /** Empty for kinds without namespaces. */
  String namespace();

  /** Empty if the server is to make one. */
  String name();

  /** Why, for people. */
  String because();

  /** In a word, for records. */
  String verb();

  /** What must hold for it to be done, for records; empty if nothing. */
  String preconditions();

  /**
   * What it is about, for records.
   *
   * @param name of the object, which the server may have made
   */
  default String target(String name) {
    return kind() + " " + Cached.key(namespace(), name);
  }

  /** Makes an object, unless it is there. */
  record Create(Kind<?> kind, ObjectNode object, String because) implements Action {

    /** What its name begins with if the rest is to be drawn; empty otherwise. */
    public String generateName() {
      return Meta.text(object.path("metadata").path("generateName"));
    }

    /** The same under a name. */
    public Create named(String name) {
      ObjectNode named = object.objectNode();
      named.setAll(object);
      ObjectNode metadata = object.objectNode();
      if (object.get("metadata") instanceof ObjectNode known) {
        metadata.setAll(known);
      }
      named.set("metadata", metadata.put("name", name));
      return new Create(kind, named, because);
    }

    @Override
    public String namespace() {
      return Meta.namespace(object);
    }

    @Override
    public String name() {
      return Meta.name(object);
    }

    @Override
    public String verb() {
      return "create";
    }

    @Override
    public String preconditions() {
      return name().isEmpty() ? "" : "absent";
    }
  }

  /** Makes fields of an object what they should be, and owns them from then on. */
  record Apply(Kind<?> kind, ObjectNode object, String because) implements Action {
    @Override
    public String namespace() {
      return Meta.namespace(object);
    }

    @Override
    public String name() {
      return Meta.name(object);
    }

    @Override
    public String verb() {
      return "apply";
    }

    @Override
    public String preconditions() {
      return "";
    }
  }

  /**
   * Changes an object that was seen.
   *
   * @param subresource {@code status}, or empty for the object itself
   * @param change a merge patch
   * @param uid of the object that was seen
   * @param version that was seen; 0 if any will do
   */
  record Patch(
      Kind<?> kind,
      String namespace,
      String name,
      String subresource,
      ObjectNode change,
      String uid,
      long version,
      String because)
      implements Action {
    @Override
    public String verb() {
      return subresource.isEmpty() ? "patch" : subresource;
    }

    @Override
    public String preconditions() {
      return Seen.conditions(uid, version);
    }
  }

  /**
   * Deletes an object that was seen.
   *
   * @param propagation what becomes of what belongs to it
   * @param atOnce whether it is given no time to end, though it was asked to end before
   */
  record Delete(
      Kind<?> kind,
      String namespace,
      String name,
      String uid,
      long version,
      Propagation propagation,
      boolean atOnce,
      String because)
      implements Action {

    public Delete(
        Kind<?> kind,
        String namespace,
        String name,
        String uid,
        long version,
        Propagation propagation,
        String because) {
      this(kind, namespace, name, uid, version, propagation, false, because);
    }

    @Override
    public String verb() {
      return "delete";
    }

    @Override
    public String preconditions() {
      return Seen.conditions(uid, version);
    }
  }

  /**
   * Has something outside of the API be as it should be, or not be there, on behalf of an object.
   *
   * @param uid of the object
   * @param generation of the object
   * @param actuator who can do it
   * @param thing what the reconciler calls it; one of an object's things
   * @param wanted how it should be; null if it should not be there
   */
  record Effect(
      Kind<?> kind,
      String namespace,
      String name,
      String uid,
      long generation,
      String actuator,
      String thing,
      @Nullable ObjectNode wanted,
      String because)
      implements Action {
    @Override
    public String verb() {
      return wanted == null ? "withdraw" : "effect";
    }

    @Override
    public String preconditions() {
      return "";
    }

    @Override
    public String target(String ignored) {
      return actuator + " " + thing;
    }
  }

  /** What becomes of what belongs to a deleted object. */
  enum Propagation {
    BACKGROUND("Background"),
    FOREGROUND("Foreground"),
    ORPHAN("Orphan");

    private final String word;

    Propagation(String word) {
      this.word = word;
    }

    /** As the API writes it. */
    public String word() {
      return word;
    }
  }
}
