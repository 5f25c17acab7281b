package dev.evenkeel.observe.cache;

import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.kernel.env.SimulatedEnv;
import dev.evenkeel.observe.transport.Answer;
import dev.evenkeel.observe.transport.AnswerBody;
import dev.evenkeel.observe.transport.Request;
import dev.evenkeel.observe.transport.Transport;
import dev.evenkeel.observe.transport.TransportException;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * An API server of one kind, as simple as can be: it remembers every state it was in. It is honest
 * (what it sends is true and in order) and unreliable: everything is delayed and cut into odd
 * pieces, and it can be made to break connections, fall silent, forget history and be away.
 */
final class ModelServer implements Transport {

  /** What it makes of a request for the state as a stream. */
  enum Streaming {
    UNDERSTOOD,
    REFUSED,
    /** As servers do that were there before it: it is a plain watch to them. */
    IGNORED
  }

  /** One object. */
  record Item(String namespace, String name, long version, String color, int value) {
    String key() {
      return namespace + "/" + name;
    }

    String json(long shownVersion) {
      return """
      {"apiVersion":"v1","kind":"Thing","metadata":{"name":"%s","namespace":"%s","uid":"u",\
      "resourceVersion":"%d","labels":{"color":"%s"},"managedFields":[{"a":{}}]},"value":%d}\
      """
          .formatted(name, namespace, shownVersion, color, value);
    }
  }

  private record Event(long version, @Nullable Item before, @Nullable Item after) {}

  private final SimulatedEnv env;
  private final Loop loop;
  private final RandomGenerator random;
  private final Streaming streaming;
  private final TreeMap<Long, NavigableMap<String, Item>> states = new TreeMap<>();
  private final List<Event> events = new ArrayList<>();
  private final List<Stream> streams = new ArrayList<>();
  private long version = 10;
  private long compacted = 0;
  private long awayUntilNanos;
  private boolean hangs;
  int requests;
  int delayMillisMax = 50;

  ModelServer(SimulatedEnv env, Streaming streaming) {
    this.env = env;
    this.loop = env.loop("server");
    this.random = env.random();
    this.streaming = streaming;
    states.put(version, new TreeMap<>());
  }

  // What happens to it.

  NavigableMap<String, Item> state() {
    return states.lastEntry().getValue();
  }

  /** The state it was in at a version. */
  NavigableMap<String, Item> stateAt(long wanted) {
    return states.floorEntry(wanted).getValue();
  }

  long version() {
    return version;
  }

  void put(String namespace, String name, String color, int value) {
    version++;
    var item = new Item(namespace, name, version, color, value);
    var next = new TreeMap<>(state());
    Item before = next.put(item.key(), item);
    commit(next, new Event(version, before, item));
  }

  void delete(String key) {
    var next = new TreeMap<>(state());
    Item before = next.remove(key);
    if (before != null) {
      version++;
      commit(next, new Event(version, before, null));
    }
  }

  private void commit(NavigableMap<String, Item> next, Event event) {
    states.put(version, next);
    events.add(event);
    List.copyOf(streams).forEach(stream -> stream.tell(event));
  }

  /** A write to another kind: versions are the server's, not the kind's. */
  void writeElsewhere() {
    version++;
  }

  void compact() {
    compacted = version;
  }

  void bookmarks() {
    List.copyOf(streams).forEach(stream -> stream.bookmark(false));
  }

  void endStreams(boolean cleanly) {
    for (Stream stream : List.copyOf(streams)) {
      if (random.nextBoolean()) {
        stream.end(cleanly);
      }
    }
  }

  /** Some streams send nothing any more, and do not say so. */
  void silenceStreams() {
    for (Stream stream : streams) {
      stream.silent |= random.nextInt(3) == 0;
    }
  }

  /** Breaks all connections and is away for a while. */
  void restart(Duration away, boolean hanging) {
    List.copyOf(streams).forEach(stream -> stream.end(false));
    awayUntilNanos = env.clock().nanoTime() + away.toNanos();
    hangs = hanging;
  }

  int openStreams() {
    return streams.size();
  }

  // What it answers.

  private Duration delay() {
    return Duration.ofMillis(random.nextInt(delayMillisMax + 1));
  }

  @Override
  public CompletableFuture<Answer> send(Request request) {
    var answered = new CompletableFuture<Answer>();
    requests++;
    loop.runLater(delay(), () -> handle(request, answered));
    return answered;
  }

  private void handle(Request request, CompletableFuture<Answer> answered) {
    if (env.clock().nanoTime() < awayUntilNanos) {
      if (!hangs) {
        answered.completeExceptionally(
            new TransportException(TransportException.Reached.NOTHING, "connection refused", null));
      }
      return;
    }
    Map<String, String> query = query(request.query());
    Answer answer = query.containsKey("watch") ? watch(query) : list(query);
    loop.runLater(delay(), () -> answered.complete(answer));
  }

  private static Map<String, String> query(String text) {
    Map<String, String> query = new HashMap<>();
    for (String pair : text.split("&", -1)) {
      int equals = pair.indexOf('=');
      if (equals > 0) {
        query.put(
            pair.substring(0, equals),
            URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
      }
    }
    return query;
  }

  private Answer status(int code, String reason, String message) {
    var body = new Stream("", false);
    body.send(
        "{\"kind\":\"Status\",\"code\":%d,\"reason\":\"%s\",\"message\":\"%s\"}"
            .formatted(code, reason, message));
    body.end(true);
    return new Answer(code, List.of(), body);
  }

  private Answer list(Map<String, String> query) {
    String token = query.getOrDefault("continue", "");
    long at = token.isEmpty() ? version : Long.parseLong(token.substring(0, token.indexOf(':')));
    if (at < compacted) {
      return status(410, "Expired", "The provided continue parameter is too old");
    }
    String after = token.isEmpty() ? "" : token.substring(token.indexOf(':') + 1);
    int limit = Integer.parseInt(query.getOrDefault("limit", "1000000"));
    String color = color(query);
    var items = new StringBuilder();
    String next = "";
    int count = 0;
    for (Item item : stateAt(at).tailMap(after, false).values()) {
      if (!color.isEmpty() && !item.color().equals(color)) {
        continue;
      }
      if (count == limit) {
        break;
      }
      items.append(count++ == 0 ? "" : ",").append(item.json(item.version()));
      next = count == limit ? at + ":" + item.key() : "";
    }
    var body = new Stream("", false);
    body.send(
        "{\"kind\":\"ThingList\",\"metadata\":{\"resourceVersion\":\"%d\",\"continue\":\"%s\"},\"items\":[%s]}"
            .formatted(at, next, items));
    body.end(true);
    return new Answer(200, List.of(), body);
  }

  private static String color(Map<String, String> query) {
    String selector = query.getOrDefault("labelSelector", "");
    return selector.isEmpty() ? "" : selector.substring(selector.indexOf('=') + 1);
  }

  private Answer watch(Map<String, String> query) {
    boolean initial = query.containsKey("sendInitialEvents") && streaming != Streaming.IGNORED;
    if (initial && streaming == Streaming.REFUSED) {
      return status(422, "Invalid", "sendInitialEvents: Forbidden");
    }
    String from = query.getOrDefault("resourceVersion", "");
    if (!from.isEmpty() && Long.parseLong(from) < compacted && random.nextBoolean()) {
      return status(410, "Expired", "too old resource version");
    }
    var stream = new Stream(color(query), true);
    if (from.isEmpty()) {
      for (Item item : state().values()) {
        if (stream.wants(item)) {
          stream.event("ADDED", item.json(item.version()));
        }
      }
      if (initial) {
        stream.bookmark(true);
      }
    } else if (Long.parseLong(from) < compacted) {
      stream.event(
          "ERROR",
          "{\"kind\":\"Status\",\"code\":410,\"reason\":\"Expired\",\"message\":\"too old\"}");
      stream.end(true);
      return new Answer(200, List.of(), stream);
    } else {
      for (Event event : events) {
        if (event.version > Long.parseLong(from)) {
          stream.tell(event);
        }
      }
    }
    streams.add(stream);
    return new Answer(200, List.of(), stream);
  }

  @Override
  public void close() {
    loop.close();
  }

  /** A body of which the pieces are under way for a while. */
  private final class Stream implements AnswerBody {
    private final String color;
    private final boolean cut;
    private final Deque<ByteBuffer> arrived = new ArrayDeque<>();
    private @Nullable CompletableFuture<@Nullable ByteBuffer> reader;
    private @Nullable TransportException failure;
    private long lastArrivalNanos;
    private boolean silent;
    private boolean ended;
    private boolean over;

    Stream(String color, boolean cut) {
      this.color = color;
      this.cut = cut;
    }

    boolean wants(@Nullable Item item) {
      return item != null && (color.isEmpty() || item.color().equals(color));
    }

    void tell(Event event) {
      Item after = event.after;
      Item before = event.before;
      if (wants(after) && after != null) {
        event(wants(before) ? "MODIFIED" : "ADDED", after.json(event.version));
      } else if (wants(before) && before != null) {
        // What leaves the selector is shown as it now is; what is deleted, as it last was.
        event("DELETED", (after == null ? before : after).json(event.version));
      }
    }

    void event(String type, String object) {
      send("{\"type\":\"" + type + "\",\"object\":" + object + "}\n");
    }

    void bookmark(boolean end) {
      event(
          "BOOKMARK",
          "{\"kind\":\"Thing\",\"metadata\":{\"resourceVersion\":\"%d\"%s}}"
              .formatted(
                  version, end ? ",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}" : ""));
    }

    void send(String text) {
      if (silent || ended) {
        return;
      }
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      int half = cut && random.nextInt(4) == 0 ? random.nextInt(bytes.length) : 0;
      if (half > 0) {
        later(() -> arrive(ByteBuffer.wrap(bytes, 0, half)));
      }
      later(() -> arrive(ByteBuffer.wrap(bytes, half, bytes.length - half).slice()));
    }

    /** Delays everything and reorders nothing. */
    private void later(Runnable task) {
      long now = env.clock().nanoTime();
      lastArrivalNanos = Math.max(lastArrivalNanos, now + delay().toNanos());
      loop.runLater(Duration.ofNanos(lastArrivalNanos - now), task);
    }

    private void arrive(ByteBuffer piece) {
      CompletableFuture<@Nullable ByteBuffer> waiting = reader;
      if (waiting == null) {
        arrived.add(piece);
      } else {
        reader = null;
        waiting.complete(piece);
      }
    }

    void end(boolean cleanly) {
      if (ended || silent) {
        streams.remove(this);
        return;
      }
      ended = true;
      streams.remove(this);
      later(
          () -> {
            over = true;
            failure =
                cleanly
                    ? null
                    : new TransportException(
                        TransportException.Reached.PERHAPS, "connection reset", null);
            CompletableFuture<@Nullable ByteBuffer> waiting = reader;
            reader = null;
            if (waiting != null) {
              finish(waiting);
            }
          });
    }

    private void finish(CompletableFuture<@Nullable ByteBuffer> waiting) {
      if (failure == null) {
        waiting.complete(null);
      } else {
        waiting.completeExceptionally(failure);
      }
    }

    @Override
    public CompletableFuture<@Nullable ByteBuffer> next() {
      if (!arrived.isEmpty()) {
        return CompletableFuture.completedFuture(arrived.remove());
      }
      var waiting = new CompletableFuture<@Nullable ByteBuffer>();
      if (over) {
        finish(waiting);
      } else {
        reader = waiting;
      }
      return waiting;
    }

    @Override
    public void close() {
      silent = true;
      streams.remove(this);
    }
  }
}
