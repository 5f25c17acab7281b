package dev.evenkeel.observe.object;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.json.JsonCursor;
import dev.evenkeel.kernel.json.JsonException;
import dev.evenkeel.kernel.tree.Keyed;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/**
 * One version of an object as a client holds it: its JSON bytes, less what is trimmed on arrival,
 * and the little that everybody asks for. What else is of interest is read from the bytes when it
 * is asked for, and not kept.
 *
 * <p><b>Threading:</b> immutable.
 */
public final class Cached<T> implements Keyed {

  /** This object, its key's and its array's headers, its place in the tree. */
  private static final int OVERHEAD_BYTES = 104;

  private final Kind<T> kind;
  private final String key;
  private final long version;
  private final byte[] json;
  private final Map<String, String> labels;
  private final List<Owner> owners;

  Cached(
      Kind<T> kind,
      String key,
      long version,
      byte[] json,
      Map<String, String> labels,
      List<Owner> owners) {
    this.kind = kind;
    this.key = key;
    this.version = version;
    this.json = json;
    this.labels = labels;
    this.owners = owners;
  }

  /** How an object is found: {@code namespace/name}, or the name if it is in no namespace. */
  public static String key(String namespace, String name) {
    return namespace.isEmpty() ? name : namespace + "/" + name;
  }

  public Kind<T> kind() {
    return kind;
  }

  @Override
  public String key() {
    return key;
  }

  /** Empty for an object in no namespace. */
  public String namespace() {
    return key.substring(0, Math.max(0, key.indexOf('/')));
  }

  public String name() {
    return key.substring(key.indexOf('/') + 1);
  }

  public String uid() {
    return text("metadata", "uid");
  }

  /** Its resourceVersion. A deleted object's last state has that of its deletion. */
  public long version() {
    return version;
  }

  public Map<String, String> labels() {
    return labels;
  }

  public List<Owner> owners() {
    return owners;
  }

  /** Its JSON, with apiVersion and kind, without what was trimmed. */
  public Bytes json() {
    return Bytes.wrap(json);
  }

  /**
   * A string, number or truth value by the names of the fields that lead to it; empty if there is
   * none. Costs one walk over the bytes and makes nothing but the text.
   */
  public String text(String... path) {
    var cursor = new JsonCursor().reset(json, 0, json.length);
    for (String step : path) {
      if (cursor.peek() != '{') {
        return "";
      }
      cursor.enterObject();
      byte[] wanted = step.getBytes(StandardCharsets.UTF_8);
      boolean found = false;
      while (!found && cursor.nextField()) {
        if (cursor.isNamed(wanted)) {
          found = true;
        } else {
          cursor.skipValue();
        }
      }
      if (!found) {
        return "";
      }
    }
    return cursor.scalar();
  }

  /**
   * Whether this text stands anywhere in its JSON. What is not mentioned is not there; what is may
   * be anything.
   *
   * @param ascii of letters, digits and the like, which stand in JSON as they are
   */
  public boolean mentions(String ascii) {
    int last = json.length - ascii.length();
    char first = ascii.charAt(0);
    for (int from = 0; from <= last; from++) {
      if (json[from] == first && standsAt(ascii, from)) {
        return true;
      }
    }
    return false;
  }

  private boolean standsAt(String ascii, int from) {
    for (int i = 1; i < ascii.length(); i++) {
      if (json[from + i] != ascii.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** The whole object as a tree of the caller's own. */
  public ObjectNode tree() {
    return Json.parseObject(json);
  }

  /**
   * The object as its kind decodes it, made anew with each call.
   *
   * @throws JsonException if it does not fit, naming the object
   */
  public T value() {
    try {
      return kind.decoder().decode(json);
    } catch (JsonException e) {
      throw new JsonException(this + ": " + e.getMessage());
    }
  }

  /** What it holds in memory, about; labels and owners are shared and not counted. */
  public int memoryBytes() {
    return OVERHEAD_BYTES + key.length() + json.length;
  }

  @Override
  public String toString() {
    return kind + " " + key + "@" + version;
  }
}
