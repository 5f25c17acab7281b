package dev.evenkeel.kernel.patch;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The copies that one application of a patch has made so far, and what it has cost.
 *
 * <p><b>Invariants.</b> Only nodes made here are ever changed, each input node is copied at most
 * once, and the steps never exceed {@link #STEPS_MAX}. <b>Threading.</b> Owned by the one call that
 * applies the patch.
 */
final class Draft {

  /**
   * List items and map entries that may be gone through, about a microsecond each. An honest patch
   * needs a few times as many as object and patch have parts; what needs more repeats itself, and
   * would otherwise cost the product of both sizes.
   */
  static final long STEPS_MAX = 1_000_000;

  /** Moving items up or down in a list takes next to nothing. */
  private static final int SHIFTS_PER_STEP = 64;

  private final Set<JsonNode> own = Collections.newSetFromMap(new IdentityHashMap<>());
  private long steps;

  /** The object itself if it is a copy already, else a copy whose values are shared. */
  ObjectNode writable(ObjectNode object) {
    if (own.contains(object)) {
      return object;
    }
    charge(object.size());
    ObjectNode copy = JsonNodeFactory.instance.objectNode();
    copy.setAll(object);
    own.add(copy);
    return copy;
  }

  /** The list itself if it is a copy already, else a copy whose items are shared. */
  ArrayNode writable(ArrayNode array) {
    if (own.contains(array)) {
      return array;
    }
    charge(array.size());
    ArrayNode copy = JsonNodeFactory.instance.arrayNode(array.size());
    copy.addAll(array);
    own.add(copy);
    return copy;
  }

  /** To be called before so many items of a list move by one place. */
  void chargeShift(int items) {
    charge(items / SHIFTS_PER_STEP);
  }

  /** To be called before work of that many steps. */
  void charge(long more) {
    steps += more + 1;
    if (steps > STEPS_MAX) {
      throw PatchErrors.tooLarge("the patch takes more than " + STEPS_MAX + " steps to apply");
    }
  }
}
