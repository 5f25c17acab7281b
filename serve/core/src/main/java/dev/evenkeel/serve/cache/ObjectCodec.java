package dev.evenkeel.serve.cache;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.json.JsonCursor;
import dev.evenkeel.store.KeyValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Between an object's stored bytes and what is served. Stored bytes begin with apiVersion, kind and
 * metadata, in that order, and carry no resourceVersion: it is the revision of the write itself. So
 * serving an object is copying its bytes with the version put in at a place that is known.
 */
public final class ObjectCodec {

  private static final byte[] VERSION_HEAD =
      "\"resourceVersion\":\"".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] METADATA = "metadata".getBytes(StandardCharsets.US_ASCII);
  private static final Set<String> IN_PREFIX = Set.of("apiVersion", "kind", "metadata");
  private static final byte[] LABELS = "labels".getBytes(StandardCharsets.US_ASCII);

  /** A bit of a long each. */
  private static final int FIELDS_MAX = Long.SIZE;

  private static final byte[] VERSION_TAIL = "\",".getBytes(StandardCharsets.US_ASCII);

  private final byte[] prefix;
  private final byte[][][] fieldPaths;

  /** A bit for each field. */
  private final long allFields;

  /**
   * @param storedAs the kind and version of the stored bytes
   * @param indexedFields paths such as {@code spec.nodeName} whose values are kept beside the bytes
   */
  public ObjectCodec(Gvk storedAs, List<String> indexedFields) {
    this.prefix =
        ("{\"apiVersion\":\""
                + storedAs.apiVersion()
                + "\",\"kind\":\""
                + storedAs.kind()
                + "\",\"metadata\":{")
            .getBytes(StandardCharsets.UTF_8);
    if (indexedFields.size() > FIELDS_MAX) {
      throw new IllegalArgumentException("more than " + FIELDS_MAX + " indexed fields");
    }
    this.fieldPaths = indexedFields.stream().map(ObjectCodec::steps).toArray(byte[][][]::new);
    this.allFields = indexedFields.isEmpty() ? 0 : -1L >>> (FIELDS_MAX - indexedFields.size());
  }

  private static byte[][] steps(String path) {
    return Arrays.stream(path.split("\\.", -1))
        .map(step -> step.getBytes(StandardCharsets.UTF_8))
        .toArray(byte[][]::new);
  }

  /** The bytes to store. */
  public byte[] toStored(ObjectNode object) {
    ObjectNode metadata =
        object.get("metadata") instanceof ObjectNode given
            ? given
            : JsonNodeFactory.instance.objectNode();
    return Json.encode(prefix, metadata, "resourceVersion", object, IN_PREFIX);
  }

  /** Stored bytes with the version put in; a revision of 0 is that of what was never written. */
  public byte[] withVersion(byte[] stored, long revision) {
    return revision == 0 ? stored : withVersion(stored, Long.toString(revision));
  }

  private byte[] withVersion(byte[] stored, String version) {
    if (!startsWithPrefix(stored)) {
      return withVersion(toStored(Json.parseObject(stored)), version);
    }
    byte[] number = version.getBytes(StandardCharsets.US_ASCII);
    int added = VERSION_HEAD.length + number.length + VERSION_TAIL.length;
    byte[] served = new byte[stored.length + added];
    int at = prefix.length;
    System.arraycopy(stored, 0, served, 0, at);
    System.arraycopy(VERSION_HEAD, 0, served, at, VERSION_HEAD.length);
    at += VERSION_HEAD.length;
    System.arraycopy(number, 0, served, at, number.length);
    at += number.length;
    System.arraycopy(VERSION_TAIL, 0, served, at, VERSION_TAIL.length);
    at += VERSION_TAIL.length;
    System.arraycopy(stored, prefix.length, served, at, stored.length - prefix.length);
    return served;
  }

  /** Served bytes with another version in place of theirs. */
  byte[] withOtherVersion(byte[] served, long revision) {
    int from = prefix.length + VERSION_HEAD.length;
    int to = from;
    while (served[to] != '"') {
      to++;
    }
    byte[] number = Long.toString(revision).getBytes(StandardCharsets.US_ASCII);
    byte[] other = new byte[served.length - (to - from) + number.length];
    System.arraycopy(served, 0, other, 0, from);
    System.arraycopy(number, 0, other, from, number.length);
    System.arraycopy(served, to, other, from + number.length, served.length - to);
    return other;
  }

  /** An object as the store has it. */
  public CachedObject read(String key, KeyValue stored) {
    return read(
        key, withVersion(stored.value().array(), stored.modRevision()), stored.modRevision());
  }

  /** An object that was just written: only its bytes are of interest, so its header is not read. */
  public CachedObject written(String key, byte[] stored, long revision) {
    return new CachedObject(
        key, revision, withVersion(stored, revision), CachedObject.NONE, CachedObject.NONE);
  }

  /**
   * An object that was not written, with the version that its author said it has.
   *
   * @param version a number
   */
  public CachedObject claimed(CachedObject unwritten, String version) {
    return unwritten.at(unwritten.revision(), withVersion(unwritten.json(), version));
  }

  /** The last state of an object that was deleted, with the version of its deletion. */
  public CachedObject gone(CachedObject last, long revision) {
    return last.at(revision, withOtherVersion(last.json(), revision));
  }

  private CachedObject read(String key, byte[] served, long revision) {
    var header = new HeaderReader(new JsonCursor().reset(served, 0, served.length));
    header.object(0, allFields, false);
    return new CachedObject(
        key,
        revision,
        served,
        header.labels.isEmpty() ? CachedObject.NONE : header.labels.toArray(new String[0]),
        header.fields);
  }

  private boolean startsWithPrefix(byte[] stored) {
    return stored.length > prefix.length
        && Arrays.equals(stored, 0, prefix.length, prefix, 0, prefix.length)
        && stored[prefix.length] != '}';
  }

  /** One pass over the bytes: labels as pairs, and the indexed fields; the rest is passed over. */
  private final class HeaderReader {
    private final JsonCursor cursor;
    private final List<String> labels = new ArrayList<>(0);
    private final @Nullable String[] fields =
        fieldPaths.length == 0 ? CachedObject.NONE : new String[fieldPaths.length];

    HeaderReader(JsonCursor cursor) {
      this.cursor = cursor;
    }

    /**
     * @param open the fields, as bits, whose paths lead here
     */
    void object(int depth, long open, boolean inMetadata) {
      cursor.enterObject();
      while (cursor.nextField()) {
        boolean metadata = depth == 0 && cursor.isNamed(METADATA);
        boolean labelled = inMetadata && cursor.isNamed(LABELS);
        long named = named(open, depth);
        byte first = cursor.peek();
        if (first == '{' && labelled) {
          labels();
        } else if (first == '{' && (metadata || named != 0)) {
          object(depth + 1, named, metadata);
        } else if (named != 0 && first != '[' && first != 'n') {
          value(named, depth + 1);
        } else {
          cursor.skipValue();
        }
        if (metadata && fieldPaths.length == 0) {
          return;
        }
      }
    }

    private void labels() {
      cursor.enterObject();
      while (cursor.nextField()) {
        labels.add(cursor.name().intern());
        labels.add(cursor.string());
      }
    }

    /** Those of the fields whose paths go on with the current name. */
    private long named(long open, int depth) {
      long named = 0;
      for (long left = open; left != 0; left &= left - 1) {
        int field = Long.numberOfTrailingZeros(left);
        byte[][] path = fieldPaths[field];
        if (path.length > depth && cursor.isNamed(path[depth])) {
          named |= 1L << field;
        }
      }
      return named;
    }

    private void value(long named, int depth) {
      String value = cursor.scalar();
      for (long left = named; left != 0; left &= left - 1) {
        int field = Long.numberOfTrailingZeros(left);
        if (fieldPaths[field].length == depth) {
          fields[field] = value;
        }
      }
    }
  }
}
