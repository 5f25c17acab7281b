package dev.evenkeel.observe.object;

import dev.evenkeel.kernel.json.JsonCursor;
import dev.evenkeel.kernel.json.JsonException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes objects of the bytes in which they arrive, in one pass: reads the header, finds what is to
 * be trimmed, and copies the rest.
 *
 * <p><b>Threading:</b> owned by one loop.
 */
public final class ObjectReader<T> {

  private static final byte[] API_VERSION = ascii("apiVersion");
  private static final byte[] KIND = ascii("kind");
  private static final byte[] METADATA = ascii("metadata");
  private static final byte[] NAME = ascii("name");
  private static final byte[] NAMESPACE = ascii("namespace");
  private static final byte[] RESOURCE_VERSION = ascii("resourceVersion");
  private static final byte[] LABELS = ascii("labels");
  private static final byte[] OWNERS = ascii("ownerReferences");
  private static final byte[] UID = ascii("uid");
  private static final byte[] CONTROLLER = ascii("controller");
  private static final byte[] BLOCKS = ascii("blockOwnerDeletion");

  private final Kind<T> kind;
  private final Trim trim;
  private final byte[] typeFields;
  private final JsonCursor cursor = new JsonCursor();
  private final Interner<Map<String, String>> labelSets = new Interner<>();
  private final Interner<List<Owner>> ownerSets = new Interner<>();

  private int[] cuts = new int[8];
  private int cutCount;
  private boolean typed;
  private String name = "";
  private String namespace = "";
  private long version;
  private Map<String, String> labels = Map.of();
  private List<Owner> owners = List.of();

  public ObjectReader(Kind<T> kind, Trim trim) {
    this.kind = kind;
    this.trim = trim;
    this.typeFields =
        ascii(
            "{\"apiVersion\":\""
                + kind.gvk().apiVersion()
                + "\",\"kind\":\""
                + kind.gvk().kind()
                + "\"");
  }

  /**
   * Reads the object that begins there. What it is made of is copied; the array stays the caller's.
   *
   * @throws JsonException if it is malformed, or has no name or no version that is a number
   */
  public Cached<T> read(byte[] bytes, int from, int to) {
    cursor.reset(bytes, from, to);
    cutCount = 0;
    typed = false;
    name = "";
    namespace = "";
    version = -1;
    labels = Map.of();
    owners = List.of();
    if (cursor.peek() != '{') {
      throw new JsonException("an object should come");
    }
    int start = cursor.position();
    object(bytes, trim.root(), false);
    int end = cursor.position();
    if (name.isEmpty() || version < 0) {
      throw new JsonException("an object of " + kind + " has no name or no version");
    }
    return new Cached<>(
        kind, Cached.key(namespace, name), version, copied(bytes, start, end), labels, owners);
  }

  /** One object on the way to a header's field or to one that is dropped. */
  private void object(byte[] bytes, Trim.@Nullable Node trimmed, boolean inMetadata) {
    boolean top = trimmed == trim.root();
    cursor.enterObject();
    int keptEnd = cursor.position();
    int droppedFrom = -1;
    int droppedEnd = -1;
    while (cursor.nextField()) {
      int start = cursor.fieldStart();
      Trim.Node child = trimmed == null ? null : trimmed.childAt(cursor);
      if (child != null && child.isDropped()) {
        cursor.skipValue();
        droppedFrom = droppedFrom < 0 ? start : droppedFrom;
        droppedEnd = cursor.position();
        continue;
      }
      if (droppedFrom >= 0) {
        cut(droppedFrom, start);
        droppedFrom = -1;
      }
      value(bytes, child, top, inMetadata);
      keptEnd = cursor.position();
    }
    if (droppedFrom >= 0) {
      // With the comma before it, if there is one.
      cut(keptEnd, droppedEnd);
    }
  }

  private void value(byte[] bytes, Trim.@Nullable Node child, boolean top, boolean inMetadata) {
    if (inMetadata && child == null) {
      headerField(bytes);
    } else if (top && cursor.isNamed(METADATA) && cursor.peek() == '{') {
      object(bytes, child, true);
    } else if (child != null && cursor.peek() == '{') {
      object(bytes, child, false);
    } else {
      typed |= top && (cursor.isNamed(KIND) || cursor.isNamed(API_VERSION));
      cursor.skipValue();
    }
  }

  private void headerField(byte[] bytes) {
    if (cursor.isNamed(NAME)) {
      name = cursor.string();
    } else if (cursor.isNamed(NAMESPACE)) {
      namespace = cursor.string();
    } else if (cursor.isNamed(RESOURCE_VERSION)) {
      version = number(cursor.string());
    } else if (cursor.isNamed(LABELS)) {
      labels = readLabels(bytes);
    } else if (cursor.isNamed(OWNERS)) {
      owners = readOwners(bytes);
    } else {
      cursor.skipValue();
    }
  }

  private Map<String, String> readLabels(byte[] bytes) {
    int from = cursor.position();
    cursor.skipValue();
    int to = cursor.position();
    Map<String, String> known = labelSets.find(bytes, from, to);
    if (known == null) {
      known = labels(new JsonCursor().reset(bytes, from, to));
      labelSets.put(bytes, from, to, known);
    }
    return known;
  }

  private static Map<String, String> labels(JsonCursor at) {
    if (at.peek() != '{') {
      return Map.of();
    }
    List<String> pairs = new ArrayList<>();
    at.enterObject();
    while (at.nextField()) {
      pairs.add(at.name().intern());
      pairs.add(at.string());
    }
    return pairs.isEmpty() ? Map.of() : new Labels(pairs);
  }

  private List<Owner> readOwners(byte[] bytes) {
    int from = cursor.position();
    cursor.skipValue();
    int to = cursor.position();
    List<Owner> known = ownerSets.find(bytes, from, to);
    if (known == null) {
      known = owners(new JsonCursor().reset(bytes, from, to));
      ownerSets.put(bytes, from, to, known);
    }
    return known;
  }

  private static List<Owner> owners(JsonCursor at) {
    if (at.peek() != '[') {
      return List.of();
    }
    List<Owner> owners = new ArrayList<>();
    at.enterArray();
    while (at.nextElement()) {
      owners.add(owner(at));
    }
    return List.copyOf(owners);
  }

  private static Owner owner(JsonCursor at) {
    String apiVersion = "";
    String kind = "";
    String name = "";
    String uid = "";
    boolean controller = false;
    boolean blocks = false;
    at.enterObject();
    while (at.nextField()) {
      if (at.isNamed(API_VERSION)) {
        apiVersion = at.string();
      } else if (at.isNamed(KIND)) {
        kind = at.string();
      } else if (at.isNamed(NAME)) {
        name = at.string();
      } else if (at.isNamed(UID)) {
        uid = at.string();
      } else if (at.isNamed(CONTROLLER)) {
        controller = at.scalar().equals("true");
      } else if (at.isNamed(BLOCKS)) {
        blocks = at.scalar().equals("true");
      } else {
        at.skipValue();
      }
    }
    return new Owner(apiVersion, kind, name, uid, controller, blocks);
  }

  /** The version as a number, -1 if it is none. */
  public static long number(String text) {
    if (text.isEmpty() || text.length() > 18) {
      return -1;
    }
    long number = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < '0' || c > '9') {
        return -1;
      }
      number = number * 10 + (c - '0');
    }
    return number;
  }

  private void cut(int from, int to) {
    if (cutCount == cuts.length) {
      cuts = Arrays.copyOf(cuts, cuts.length * 2);
    }
    cuts[cutCount++] = from;
    cuts[cutCount++] = to;
  }

  /** Without what was cut; with apiVersion and kind, which the items of some lists lack. */
  private byte[] copied(byte[] bytes, int start, int end) {
    int length = end - start + (typed ? 0 : typeFields.length);
    for (int i = 0; i < cutCount; i += 2) {
      length -= cuts[i + 1] - cuts[i];
    }
    byte[] copy = new byte[length];
    int to = 0;
    int from = start;
    if (!typed) {
      System.arraycopy(typeFields, 0, copy, 0, typeFields.length);
      to = typeFields.length;
      copy[to++] = ',';
      from = start + 1;
    }
    for (int i = 0; i <= cutCount; i += 2) {
      int until = i < cutCount ? cuts[i] : end;
      System.arraycopy(bytes, from, copy, to, until - from);
      to += until - from;
      from = i < cutCount ? cuts[i + 1] : end;
    }
    return copy;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
