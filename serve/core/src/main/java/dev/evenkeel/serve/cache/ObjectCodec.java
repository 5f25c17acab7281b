package dev.evenkeel.serve.cache;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.store.KeyValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Between an object's stored bytes and what is served. Stored bytes begin with apiVersion, kind and
 * metadata, in that order, and carry no resourceVersion: it is the revision of the write itself. So
 * serving an object is copying its bytes with the version put in at a place that is known.
 */
public final class ObjectCodec {

  private static final JsonFactory JSON = new JsonFactory();

  private static final byte[] VERSION_HEAD =
      "\"resourceVersion\":\"".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] VERSION_TAIL = "\",".getBytes(StandardCharsets.US_ASCII);

  private final Gvk storedAs;
  private final byte[] prefix;
  private final String[][] fieldPaths;

  /** So many steps a walk goes down at most: to labels, or to the deepest field. */
  private final int pathSteps;

  /**
   * @param storedAs the kind and version of the stored bytes
   * @param indexedFields paths such as {@code spec.nodeName} whose values are kept beside the bytes
   */
  public ObjectCodec(Gvk storedAs, List<String> indexedFields) {
    this.storedAs = storedAs;
    this.prefix =
        ("{\"apiVersion\":\""
                + storedAs.apiVersion()
                + "\",\"kind\":\""
                + storedAs.kind()
                + "\",\"metadata\":{")
            .getBytes(StandardCharsets.UTF_8);
    this.fieldPaths =
        indexedFields.stream().map(path -> path.split("\\.", -1)).toArray(String[][]::new);
    this.pathSteps =
        Math.max(2, Arrays.stream(fieldPaths).mapToInt(path -> path.length).max().orElse(0));
  }

  /** The bytes to store. Takes the tree apart: the caller gives it away. */
  public byte[] toStored(ObjectNode object) {
    ObjectNode ordered = JsonNodeFactory.instance.objectNode();
    ordered.put("apiVersion", storedAs.apiVersion());
    ordered.put("kind", storedAs.kind());
    ObjectNode metadata = ordered.putObject("metadata");
    object
        .path("metadata")
        .forEachEntry(
            (name, value) -> {
              if (!name.equals("resourceVersion")) {
                metadata.set(name, value);
              }
            });
    object.forEachEntry(
        (name, value) -> {
          if (!ordered.has(name)) {
            ordered.set(name, value);
          }
        });
    return Json.encode(ordered);
  }

  /** Stored bytes with the version put in; a revision of 0 is that of what was never written. */
  public byte[] withVersion(byte[] stored, long revision) {
    if (revision == 0) {
      return stored;
    }
    if (!startsWithPrefix(stored)) {
      return withVersion(toStored(Json.parseObject(stored)), revision);
    }
    byte[] number = Long.toString(revision).getBytes(StandardCharsets.US_ASCII);
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

  /** The last state of an object that was deleted, with the version of its deletion. */
  public CachedObject gone(CachedObject last, long revision) {
    return last.at(revision, withOtherVersion(last.json(), revision));
  }

  private CachedObject read(String key, byte[] served, long revision) {
    var header = new Header(fieldPaths.length);
    try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), served)) {
      parser.nextToken();
      new HeaderReader(parser, header).object(0);
    }
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

  /** What is looked at without decoding: labels as pairs, and the indexed fields. */
  private static final class Header {
    private final List<String> labels = new ArrayList<>(0);
    private final @Nullable String[] fields;

    Header(int fieldCount) {
      this.fields = fieldCount == 0 ? CachedObject.NONE : new String[fieldCount];
    }
  }

  /** One pass over the bytes that skips what nobody asked for. */
  private final class HeaderReader {
    private final JsonParser parser;
    private final Header header;
    private final String[] path = new String[pathSteps];

    HeaderReader(JsonParser parser, Header header) {
      this.parser = parser;
      this.header = header;
    }

    void object(int depth) {
      String name;
      while ((name = parser.nextName()) != null) {
        path[depth] = name;
        JsonToken token = parser.nextToken();
        if (token == JsonToken.START_OBJECT) {
          if (depth == 1 && name.equals("labels") && path[0].equals("metadata")) {
            labels();
          } else if (leadsToField(depth + 1) || (depth == 0 && name.equals("metadata"))) {
            object(depth + 1);
          } else {
            parser.skipChildren();
          }
        } else if (token == JsonToken.START_ARRAY) {
          parser.skipChildren();
        } else {
          value(depth + 1);
        }
        if (depth == 0 && fieldPaths.length == 0 && name.equals("metadata")) {
          return;
        }
      }
    }

    private void labels() {
      String name;
      while ((name = parser.nextName()) != null) {
        parser.nextToken();
        header.labels.add(name.intern());
        header.labels.add(parser.getString());
      }
    }

    private boolean leadsToField(int depth) {
      for (String[] field : fieldPaths) {
        if (field.length > depth && Arrays.equals(field, 0, depth, path, 0, depth)) {
          return true;
        }
      }
      return false;
    }

    private void value(int depth) {
      for (int i = 0; i < fieldPaths.length; i++) {
        String[] field = fieldPaths[i];
        if (field.length == depth && Arrays.equals(field, 0, depth, path, 0, depth)) {
          header.fields[i] = parser.getString();
        }
      }
    }
  }
}
