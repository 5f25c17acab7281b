package dev.evenkeel.observe.feed;

import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.json.JsonCursor;
import dev.evenkeel.kernel.json.JsonException;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.ObjectReader;
import dev.evenkeel.observe.transport.Statuses;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads events and lists where they lie: finds the objects' bytes and hands them on, without a
 * tree.
 *
 * <p><b>Threading:</b> owned by one loop.
 */
final class EventReader<T> {

  private static final byte[] TYPE = ascii("type");
  private static final byte[] OBJECT = ascii("object");
  private static final byte[] METADATA = ascii("metadata");
  private static final byte[] ITEMS = ascii("items");
  private static final byte[] RESOURCE_VERSION = ascii("resourceVersion");
  private static final byte[] CONTINUE = ascii("continue");
  private static final byte[] ANNOTATIONS = ascii("annotations");
  private static final byte[] INITIAL_EVENTS_END = ascii("k8s.io/initial-events-end");

  /** One event of a watch. */
  sealed interface Event<T> {}

  /** The object is there, in this state. */
  record Present<T>(Cached<T> object) implements Event<T> {}

  /** The object is gone. */
  record Gone<T>(Cached<T> last) implements Event<T> {}

  /** All up to this version has been sent. */
  record Bookmark<T>(long version, boolean initialEventsEnd) implements Event<T> {}

  /** The server ends the watch. */
  record Refused<T>(Status status) implements Event<T> {}

  /** Takes the objects of a list as they are read. */
  interface Items<T> {
    void item(Cached<T> object);
  }

  /** What stands beside a list's items. */
  record ListEnd(long version, String continueToken) {}

  private final ObjectReader<T> objects;
  private final JsonCursor cursor = new JsonCursor();

  EventReader(ObjectReader<T> objects) {
    this.objects = objects;
  }

  /** Null for a line with nothing in it. */
  @Nullable Event<T> read(byte[] bytes, int from, int to) {
    cursor.reset(bytes, from, to);
    if (cursor.peek() == 0) {
      return null;
    }
    String type = "";
    int objectFrom = -1;
    int objectTo = -1;
    cursor.enterObject();
    while (cursor.nextField()) {
      if (cursor.isNamed(TYPE)) {
        type = cursor.string();
      } else if (cursor.isNamed(OBJECT)) {
        objectFrom = cursor.position();
        if (isChange(type)) {
          // The reader of objects finds the end by itself: nothing that follows is of interest.
          break;
        }
        cursor.skipValue();
        objectTo = cursor.position();
      } else {
        cursor.skipValue();
      }
    }
    if (objectFrom < 0) {
      throw new JsonException("an event has no object");
    }
    return event(type, bytes, objectFrom, objectTo < 0 ? to : objectTo);
  }

  private static boolean isChange(String type) {
    return type.equals("ADDED") || type.equals("MODIFIED") || type.equals("DELETED");
  }

  private Event<T> event(String type, byte[] bytes, int from, int to) {
    return switch (type) {
      case "ADDED", "MODIFIED" -> new Present<>(objects.read(bytes, from, to));
      case "DELETED" -> new Gone<>(objects.read(bytes, from, to));
      case "BOOKMARK" -> bookmark(bytes, from, to);
      case "ERROR" ->
          new Refused<>(Statuses.of(500, 0, Json.parse(Arrays.copyOfRange(bytes, from, to))));
      default -> throw new JsonException("an event is of the unknown type '" + type + "'");
    };
  }

  private Bookmark<T> bookmark(byte[] bytes, int from, int to) {
    cursor.reset(bytes, from, to);
    long version = -1;
    boolean end = false;
    cursor.enterObject();
    while (cursor.nextField()) {
      if (!cursor.isNamed(METADATA)) {
        cursor.skipValue();
        continue;
      }
      cursor.enterObject();
      while (cursor.nextField()) {
        if (cursor.isNamed(RESOURCE_VERSION)) {
          version = ObjectReader.number(cursor.string());
        } else if (cursor.isNamed(ANNOTATIONS) && cursor.peek() == '{') {
          end = endsInitialEvents();
        } else {
          cursor.skipValue();
        }
      }
    }
    if (version < 0) {
      throw new JsonException("a bookmark has no version that is a number");
    }
    return new Bookmark<>(version, end);
  }

  private boolean endsInitialEvents() {
    boolean end = false;
    cursor.enterObject();
    while (cursor.nextField()) {
      if (cursor.isNamed(INITIAL_EVENTS_END)) {
        end = cursor.string().equals("true");
      } else {
        cursor.skipValue();
      }
    }
    return end;
  }

  /** Reads a list, or a page of one. */
  ListEnd readList(byte[] bytes, Items<T> items) {
    cursor.reset(bytes, 0, bytes.length);
    long version = -1;
    String token = "";
    cursor.enterObject();
    while (cursor.nextField()) {
      if (cursor.isNamed(METADATA) && cursor.peek() == '{') {
        cursor.enterObject();
        while (cursor.nextField()) {
          if (cursor.isNamed(RESOURCE_VERSION)) {
            version = ObjectReader.number(cursor.string());
          } else if (cursor.isNamed(CONTINUE)) {
            token = cursor.string();
          } else {
            cursor.skipValue();
          }
        }
      } else if (cursor.isNamed(ITEMS) && cursor.peek() == '[') {
        cursor.enterArray();
        while (cursor.nextElement()) {
          int from = cursor.position();
          cursor.skipValue();
          items.item(objects.read(bytes, from, cursor.position()));
        }
      } else {
        cursor.skipValue();
      }
    }
    if (version < 0) {
      throw new JsonException("a list has no version that is a number");
    }
    return new ListEnd(version, token);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
