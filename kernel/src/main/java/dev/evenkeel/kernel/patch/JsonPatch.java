package dev.evenkeel.kernel.patch;

import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.json.GoText;
import dev.evenkeel.kernel.json.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * JSON patch, RFC 6902: a list of operations, of which all apply or none does.
 *
 * <p>Where upstream is milder than the RFC, so is this: {@code replace} also sets a missing field,
 * {@code test} takes a missing field for null, and a negative index counts from the end.
 */
public final class JsonPatch {

  public static final int OPERATIONS_MAX = 10_000;

  private static final int STRICT_ERRORS_MAX = 100;
  private static final Set<String> FIELDS = Set.of("op", "path", "from", "value");

  /** What all {@code copy} operations of a patch may add together: each can double the object. */
  public static final int COPIED_BYTES_MAX = 3 * 1024 * 1024;

  private final Draft draft = new Draft();
  private ObjectNode root;
  private long copiedBytes;
  private boolean nested;

  private JsonPatch(ObjectNode root) {
    this.root = root;
  }

  /**
   * The object with the patch applied. Neither is changed; the result shares what stays the same.
   *
   * @throws ApiException 400 if it is no patch, 413 if it is too large, 422 if a test or a path
   *     fails
   */
  public static ObjectNode apply(JsonNode patch, ObjectNode object) {
    if (!(patch instanceof ArrayNode operations)) {
      throw PatchErrors.malformed(
          "error decoding patch: json: cannot unmarshal "
              + word(patch)
              + " into Go value of type []handlers.jsonPatchOp");
    }
    if (operations.size() > OPERATIONS_MAX) {
      throw PatchErrors.tooLarge(
          "The allowed maximum operations in a JSON patch is "
              + OPERATIONS_MAX
              + ", got "
              + operations.size());
    }
    var application = new JsonPatch(object);
    for (int i = 0; i < operations.size(); i++) {
      application.applyOne(operations.get(i), i);
    }
    return application.result();
  }

  /**
   * What a strict reader refuses in a patch that can be read.
   *
   * @param duplicates what is said of the fields that it gives twice
   */
  public static List<String> strictErrors(JsonNode patch, List<String> duplicates) {
    List<String> errors = new ArrayList<>(0);
    for (String duplicate : duplicates) {
      errors.add("json patch " + duplicate);
    }
    for (int i = 0; i < patch.size() && i < OPERATIONS_MAX; i++) {
      for (String field : patch.path(i).propertyNames()) {
        if (!FIELDS.contains(field) && errors.size() < STRICT_ERRORS_MAX) {
          errors.add("json patch unknown field " + GoText.quoted("[" + i + "]." + field));
        }
      }
    }
    return errors;
  }

  /** Go's word for what a value is. */
  private static String word(JsonNode value) {
    return switch (value.getNodeType()) {
      case ARRAY -> "array";
      case STRING -> "string";
      case NUMBER -> "number";
      case BOOLEAN -> "bool";
      default -> "object";
    };
  }

  /** Says that an operation does not apply; {@link #applyOne} adds which. */
  private static final class Failed extends RuntimeException {
    Failed(String message) {
      super(message, null, false, false);
    }
  }

  private void applyOne(JsonNode operation, int index) {
    String where = "patch[" + index + "]";
    if (!operation.isObject()) {
      throw PatchErrors.malformed(
          "error decoding patch: json: cannot unmarshal "
              + word(operation)
              + " into Go value of type handlers.jsonPatchOp");
    }
    String kind = text(operation, "op");
    String path = text(operation, "path");
    String from = text(operation, "from");
    JsonNode value = operation.path("value");
    if (value.isMissingNode()) {
      value = JsonNodeFactory.instance.nullNode();
    }
    try {
      switch (kind) {
        case "add" -> add(path(path), value);
        case "remove" -> remove(path(path), "remove", path);
        case "replace" -> replace(path(path), value);
        case "move" -> add(path(path), remove(path(from), "move", lastOf(path(from))));
        case "copy" -> add(path(path), copyOf(existing(path(from)), Json.DEPTH_MAX));
        case "test" -> test(path(path), value);
        default -> throw new Failed("Unexpected kind: " + kind);
      }
    } catch (Failed e) {
      throw PatchErrors.doesNotApply(where, String.valueOf(e.getMessage()));
    }
  }

  /** Empty if there is none: as a path that leads nowhere, as an operation an unknown one. */
  private static String text(JsonNode operation, String field) {
    JsonNode node = operation.path(field);
    if (node.isMissingNode() || node.isNull()) {
      return field.equals("op") ? "unknown" : "";
    }
    if (!node.isString()) {
      throw PatchErrors.malformed(
          "error decoding patch: json: cannot unmarshal "
              + word(node)
              + " into Go struct field jsonPatchOp."
              + field
              + " of type string");
    }
    return node.stringValue();
  }

  private ObjectNode result() {
    if (nested && Trees.isDeeperThan(root, Json.DEPTH_MAX)) {
      throw PatchErrors.doesNotApply(
          "patch", "the result nests deeper than " + Json.DEPTH_MAX + " levels");
    }
    return root;
  }

  // ---- operations

  private void add(List<String> path, JsonNode value) {
    nested |= value.isContainer();
    switch (writableParent(path)) {
      case ObjectNode object -> object.set(path.getLast(), value);
      case ArrayNode array -> {
        String step = path.getLast();
        // One more place than there are items: behind the last.
        int index = step.equals("-") ? array.size() : index(step, array.size() + 1);
        draft.chargeShift(array.size() - index);
        array.insert(index, value);
      }
      default -> throw missing(path);
    }
  }

  /**
   * @param operation what it is done for
   * @param shown how that names the path
   */
  private JsonNode remove(List<String> path, String operation, String shown) {
    String step = lastOf(path);
    return switch (writableParent(path)) {
      case ObjectNode object -> {
        @Nullable JsonNode removed = object.remove(step);
        if (removed == null) {
          throw new Failed(
              "error in %s for path: '%s': Unable to remove nonexistent key: %s: missing value"
                  .formatted(operation, shown, step));
        }
        yield removed;
      }
      case ArrayNode array -> {
        int index = index(step, array.size());
        draft.chargeShift(array.size() - index);
        yield array.remove(index);
      }
      default -> throw missing(path);
    };
  }

  private void replace(List<String> path, JsonNode value) {
    nested |= value.isContainer();
    if (path.isEmpty()) {
      if (!(value instanceof ObjectNode object)) {
        throw new Failed("replace operation value must be object");
      }
      root = object;
      return;
    }
    switch (writableParent(path)) {
      case ObjectNode object -> object.set(path.getLast(), value);
      case ArrayNode array -> array.set(index(path.getLast(), array.size()), value);
      default -> throw missing(path);
    }
  }

  private void test(List<String> path, JsonNode expected) {
    @Nullable JsonNode actual = path.isEmpty() ? root : child(parent(path), path.getLast());
    boolean passes = actual == null ? expected.isNull() : Trees.same(expected, actual);
    if (!passes) {
      throw new Failed("testing value " + written(path) + " failed: test failed");
    }
  }

  private JsonNode existing(List<String> path) {
    String step = lastOf(path);
    @Nullable JsonNode found = child(parent(path), step);
    if (found == null) {
      throw missing(path);
    }
    return found;
  }

  /**
   * A deep copy, given up as soon as the copies get too large or too deep: a patch of a few lines
   * could otherwise double an object until memory ends.
   */
  private JsonNode copyOf(JsonNode node, int depthMax) {
    copiedBytes += encodedBytes(node);
    if (copiedBytes > COPIED_BYTES_MAX) {
      throw new Failed(
          "Unable to complete the copy, the accumulated size increase of copy exceeds the limit "
              + COPIED_BYTES_MAX);
    }
    if (depthMax == 0 && node.isContainer()) {
      throw new Failed("Unable to complete the copy, it nests too deep");
    }
    return switch (node) {
      case ObjectNode object -> {
        ObjectNode copy = JsonNodeFactory.instance.objectNode();
        object.forEachEntry(
            (name, value) -> {
              copiedBytes += name.length() + 4;
              copy.set(name, copyOf(value, depthMax - 1));
            });
        yield copy;
      }
      case ArrayNode array -> {
        ArrayNode copy = JsonNodeFactory.instance.arrayNode(array.size());
        array.forEach(item -> copy.add(copyOf(item, depthMax - 1)));
        yield copy;
      }
      default -> node;
    };
  }

  /** About what the node takes in JSON, without what is inside it. */
  private static int encodedBytes(JsonNode node) {
    return node.isString() ? node.stringValue().length() + 3 : 3;
  }

  // ---- paths

  private static List<String> path(String text) {
    if (text.isEmpty()) {
      return List.of();
    }
    if (text.charAt(0) != '/') {
      throw new Failed("doc is missing path: \"" + text + "\"");
    }
    String[] steps = text.substring(1).split("/", -1);
    for (int i = 0; i < steps.length; i++) {
      steps[i] = steps[i].replace("~1", "/").replace("~0", "~");
    }
    return Arrays.asList(steps);
  }

  private static String lastOf(List<String> path) {
    if (path.isEmpty()) {
      throw missing(path);
    }
    return path.getLast();
  }

  /** What holds the last step, for reading. */
  private JsonNode parent(List<String> path) {
    JsonNode here = root;
    for (String step : path.subList(0, path.size() - 1)) {
      @Nullable JsonNode next = child(here, step);
      if (next == null || !next.isContainer()) {
        throw missing(path);
      }
      here = next;
    }
    return here;
  }

  /** What holds the last step, it and all above it copied so that it may be changed. */
  private JsonNode writableParent(List<String> path) {
    lastOf(path);
    root = draft.writable(root);
    JsonNode here = root;
    for (String step : path.subList(0, path.size() - 1)) {
      JsonNode next =
          switch (child(here, step)) {
            case ObjectNode object -> draft.writable(object);
            case ArrayNode array -> draft.writable(array);
            case null, default -> throw missing(path);
          };
      if (here instanceof ObjectNode object) {
        object.set(step, next);
      } else if (here instanceof ArrayNode array) {
        array.set(index(step, array.size()), next);
      }
      here = next;
    }
    return here;
  }

  /** Null if an object has no such field. */
  private static @Nullable JsonNode child(JsonNode container, String step) {
    return switch (container) {
      case ObjectNode object -> object.get(step);
      case ArrayNode array -> array.get(index(step, array.size()));
      default -> null;
    };
  }

  /** A place in a list of that many places. */
  private static int index(String step, int places) {
    int index;
    try {
      index = Integer.parseInt(step);
    } catch (NumberFormatException e) {
      throw new Failed("value was not a proper array index: '" + step + "'");
    }
    int fromStart = index < 0 ? index + places : index;
    if (fromStart < 0 || fromStart >= places) {
      throw new Failed("Unable to access invalid index: " + index);
    }
    return fromStart;
  }

  private static Failed missing(List<String> path) {
    return new Failed("doc is missing path: \"" + written(path) + "\"");
  }

  private static String written(List<String> path) {
    var text = new StringBuilder();
    for (String step : path) {
      text.append('/').append(step.replace("~", "~0").replace("/", "~1"));
    }
    return text.toString();
  }
}
