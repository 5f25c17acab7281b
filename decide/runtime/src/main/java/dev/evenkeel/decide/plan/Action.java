package dev.evenkeel.decide.plan;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.observe.object.Kind;
import tools.jackson.databind.node.ObjectNode;

/** One thing to do. Doing it twice is the same as doing it once. */
public sealed interface Action {

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

  /** Makes an object, unless it is there. */
  record Create(Kind<?> kind, ObjectNode object, String because) implements Action {
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
   */
  record Delete(
      Kind<?> kind,
      String namespace,
      String name,
      String uid,
      long version,
      Propagation propagation,
      String because)
      implements Action {
    @Override
    public String verb() {
      return "delete";
    }

    @Override
    public String preconditions() {
      return Seen.conditions(uid, version);
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
