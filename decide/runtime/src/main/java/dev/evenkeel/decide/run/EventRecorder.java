package dev.evenkeel.decide.run;

import dev.evenkeel.decide.plan.PlannedEvent;
import dev.evenkeel.kernel.api.WireTime;
import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kinds;
import dev.evenkeel.observe.transport.Client;
import dev.evenkeel.observe.transport.PatchType;
import dev.evenkeel.observe.transport.Query;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Tells users what happened to objects, as events. What is told again is counted on the event that
 * says it already; many events that differ in their text alone become one; an object that has a lot
 * to tell is heard less often. Telling never waits and never fails: an event that cannot be written
 * is forgotten.
 *
 * <p><b>Threading:</b> for any thread; all else on its loop.
 */
public final class EventRecorder implements AutoCloseable {

  /** As long as this the same is counted and not told anew. */
  private static final Duration SERIES = Duration.ofMinutes(10);

  /** So many texts for one reason are told one by one. */
  private static final int TEXTS_MAX = 10;

  /** What an object may tell at once, and how soon it may tell one more after that. */
  private static final int BURST = 25;

  private static final Duration REFILL = Duration.ofMinutes(5);

  /** Objects and series that are remembered; the longest unused are forgotten. */
  private static final int REMEMBERED_MAX = 4_096;

  /**
   * So few are written at a time: what is told gives way to what is done. On a server with nothing
   * else to do that is thousands a second.
   */
  private static final int WRITING_MAX = 2;

  /** A name has 253 characters at most, and ends in a dot and 16 digits. */
  private static final int NAME_PREFIX_MAX = 253 - 17;

  /** An answer that has not come by then never comes: others are written all the same. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  /** So many may wait to be written; what is told beyond is dropped, and counted as such. */
  private static final int WAITING_MAX = 20_000;

  private final Env env;
  private final Client client;
  private final Loop loop;
  private final Map<String, Series> series = remembering();
  private final Map<String, Texts> texts = remembering();
  private final Map<String, Bucket> buckets = remembering();
  private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
  private int writing;
  private Instant lastWritten = Instant.EPOCH;
  private final AtomicLong told = new AtomicLong();
  private final AtomicLong written = new AtomicLong();
  private final AtomicLong dropped = new AtomicLong();

  public EventRecorder(Env env, Client client) {
    this.env = env;
    this.client = client;
    this.loop = env.loop("events");
  }

  private static <V> Map<String, V> remembering() {
    return new LinkedHashMap<>(16, 0.75f, true) {
      @Override
      protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
        return size() > REMEMBERED_MAX;
      }
    };
  }

  /** An event that is there, and when it was last told. */
  private static final class Series {
    private @Nullable String name;
    private int count;
    private Instant last = Instant.EPOCH;
    private boolean writing;
  }

  /** How many texts one reason had lately. */
  private static final class Texts {
    private Instant since = Instant.EPOCH;
    private int count;
  }

  /** What an object may still tell. */
  private static final class Bucket {
    private double left = BURST;
    private Instant at = Instant.EPOCH;
  }

  /**
   * What became of what was told.
   *
   * @param written to the server, new or counted on; what is told while an event is being written
   *     is counted with the next
   * @param dropped because too much was told at once, or it could not be written
   */
  public record Figures(long told, long written, long dropped) {

    public Figures plus(Figures other) {
      return new Figures(told + other.told, written + other.written, dropped + other.dropped);
    }
  }

  public Figures figures() {
    return new Figures(told.get(), written.get(), dropped.get());
  }

  /** How many were forgotten, because too much was told at once or they could not be written. */
  public long dropped() {
    return dropped.get();
  }

  /**
   * Tells something of an object.
   *
   * @param component who tells, for example {@code replicaset-controller}
   */
  public void tell(Cached<?> about, String component, PlannedEvent told) {
    try {
      loop.execute(() -> record(about, component, told));
    } catch (RejectedExecutionException e) {
      // It is closed: nobody listens any more.
    }
  }

  private void record(Cached<?> about, String component, PlannedEvent told) {
    this.told.incrementAndGet();
    Instant now = env.clock().now();
    if (!mayTell(about, component, now) || waiting.size() >= WAITING_MAX) {
      dropped.incrementAndGet();
      return;
    }
    String sort = String.join("\n", component, about.uid(), told.type().word(), told.reason());
    PlannedEvent shown = told;
    String key = sort + "\n" + told.message();
    if (isTold(key, now)) {
      again(about, key, now);
      return;
    }
    if (isMany(sort, now)) {
      key = sort;
      shown =
          new PlannedEvent(
              told.type(), told.reason(), "(combined from similar events): " + told.message());
      if (isTold(key, now)) {
        again(about, key, now);
        return;
      }
    }
    first(about, component, shown, key, now);
  }

  private boolean mayTell(Cached<?> about, String component, Instant now) {
    Bucket bucket = buckets.computeIfAbsent(component + "\n" + about.uid(), _ -> new Bucket());
    double refilled = (double) Duration.between(bucket.at, now).toMillis() / REFILL.toMillis();
    bucket.left = Math.min(BURST, bucket.left + Math.max(0, refilled));
    bucket.at = now;
    if (bucket.left < 1) {
      return false;
    }
    bucket.left--;
    return true;
  }

  private boolean isTold(String key, Instant now) {
    Series known = series.get(key);
    return known != null && now.isBefore(known.last.plus(SERIES));
  }

  private boolean isMany(String sort, Instant now) {
    Texts known = texts.computeIfAbsent(sort, _ -> new Texts());
    if (!now.isBefore(known.since.plus(SERIES))) {
      known.since = now;
      known.count = 0;
    }
    known.count++;
    return known.count > TEXTS_MAX;
  }

  private void first(
      Cached<?> about, String component, PlannedEvent told, String key, Instant now) {
    var made = new Series();
    made.count = 1;
    made.last = now;
    made.writing = true;
    series.put(key, made);
    write(
        made,
        () -> {
          ObjectNode event = event(about, component, told, now);
          return client
              .create(Kinds.EVENTS, namespace(about), event)
              .thenApply(_ -> event.path("metadata").path("name").asString(""));
        });
  }

  /** Counts on; what was told while an event is being written is counted with the next. */
  private void again(Cached<?> about, String key, Instant now) {
    Series known = series.get(key);
    if (known == null) {
      return;
    }
    known.count++;
    known.last = now;
    if (known.writing || known.name == null) {
      return;
    }
    known.writing = true;
    String name = known.name;
    write(
        known,
        () -> {
          ObjectNode change = JsonNodeFactory.instance.objectNode();
          change.put("count", known.count).put("lastTimestamp", WireTime.seconds(known.last));
          return client
              .patch(
                  Kinds.EVENTS,
                  namespace(about),
                  name,
                  PatchType.MERGE,
                  Bytes.wrap(Json.encode(change)),
                  new Query())
              .thenApply(_ -> name);
        });
  }

  /**
   * @param event answers with its name
   */
  private void write(Series of, Supplier<CompletableFuture<String>> event) {
    waiting.add(() -> finish(begun(event), of));
    writeMore();
  }

  /** What cannot even be sent has failed like any other: its place is free again. */
  private static CompletableFuture<String> begun(Supplier<CompletableFuture<String>> event) {
    try {
      return event.get();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private void writeMore() {
    Instant now = env.clock().now();
    if (writing > 0 && now.isAfter(lastWritten.plus(PATIENCE))) {
      writing = 0;
    }
    while (!waiting.isEmpty() && writing < WRITING_MAX) {
      writing++;
      lastWritten = now;
      waiting.remove().run();
    }
  }

  private void finish(CompletableFuture<String> answer, Series of) {
    var _ =
        answer.whenComplete(
            (name, failure) -> {
              try {
                loop.execute(
                    () -> {
                      writing = Math.max(0, writing - 1);
                      of.writing = false;
                      if (failure == null) {
                        written.incrementAndGet();
                        of.name = name;
                      } else {
                        dropped.incrementAndGet();
                        of.last = Instant.EPOCH; // told anew the next time
                      }
                      writeMore();
                    });
              } catch (RejectedExecutionException e) {
                // It is closed.
              }
            });
  }

  /** Of an object in no namespace in the one that every cluster has. */
  private static String namespace(Cached<?> about) {
    return about.namespace().isEmpty() ? "default" : about.namespace();
  }

  private ObjectNode event(Cached<?> about, String component, PlannedEvent told, Instant now) {
    ObjectNode event = JsonNodeFactory.instance.objectNode();
    event.put("apiVersion", "v1").put("kind", "Event");
    event
        .putObject("metadata")
        .put(
            "name",
            about.name().substring(0, Math.min(about.name().length(), NAME_PREFIX_MAX))
                + "."
                + Long.toHexString(env.random().nextLong() & Long.MAX_VALUE))
        .put("namespace", namespace(about));
    event
        .putObject("involvedObject")
        .put("apiVersion", about.kind().gvk().apiVersion())
        .put("kind", about.kind().gvk().kind())
        .put("name", about.name())
        .put("namespace", about.namespace())
        .put("uid", about.uid())
        .put("resourceVersion", Long.toString(about.version()));
    event
        .put("type", told.type().word())
        .put("reason", told.reason())
        .put("message", told.message())
        .put("count", 1)
        .put("firstTimestamp", WireTime.seconds(now))
        .put("lastTimestamp", WireTime.seconds(now))
        .put("reportingComponent", component)
        .put("reportingInstance", "");
    event.putObject("source").put("component", component);
    return event;
  }

  @Override
  public void close() {
    loop.close();
  }
}
