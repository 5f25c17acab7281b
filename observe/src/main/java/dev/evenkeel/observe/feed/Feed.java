package dev.evenkeel.observe.feed;

import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.env.Clock;
import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.kernel.json.JsonException;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kind;
import dev.evenkeel.observe.object.ObjectReader;
import dev.evenkeel.observe.object.Trim;
import dev.evenkeel.observe.transport.Query;
import dev.evenkeel.observe.transport.Request;
import dev.evenkeel.observe.transport.Transport;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One kind and scope as a whole state and every change after it, for as long as it is open.
 *
 * <p><b>Invariants:</b>
 *
 * <ul>
 *   <li>Until {@link #close} there is always an exchange under way or a timer set: it never dies
 *       silently. An exchange of which nothing is heard for too long is given up and replaced.
 *   <li>The version only grows. A state older than what was told is refused, whoever answers: a
 *       client that acts on the past does harm. (After a store was put back from a copy, feeds stay
 *       broken and say why; they are opened anew with the process.)
 *   <li>While somebody needs a version that was not reached, there is a timer that ends in another
 *       way of getting there: {@link #need}.
 *   <li>A change is told once the state it follows was told, and every change between two versions
 *       is told before the later one is.
 * </ul>
 *
 * <p><b>Threading:</b> owned by one loop; {@link #figures} may be asked by anybody.
 */
public final class Feed<T> implements AutoCloseable {

  /*
   * The state is asked for as a stream (sendInitialEvents), which costs the server no list in memory
   * and goes on as the watch. A server that cannot says so (400, 422), or streams without ever saying
   * that the state is whole; then it is asked for as lists.
   */

  /** A watch that ends sooner, without a word, is a failure: or else it would be opened at once. */
  private static final long WATCH_NANOS_MIN = Duration.ofSeconds(1).toNanos();

  /** A watch that says nothing while others do is opened anew so often, until it says something. */
  private static final int PROBES_MAX = 2;

  private static final int STATUS_BYTES_MAX = 1 << 20;

  private final Loop loop;
  private final Clock clock;
  private final RandomGenerator random;
  private final Transport transport;
  private final Kind<T> kind;
  private final Scope scope;
  private final FeedLimits limits;
  private final FeedListener<T> listener;
  private final EventReader<T> reader;
  private final Backoff backoff;
  private final Gauge gauge;
  private final CatchUp catchUp;

  private @Nullable FeedRequest attempt;
  private Loop.@Nullable Timer retry;
  private Map<String, Cached<T>> gathered = new HashMap<>();
  private boolean stateNeeded = true;
  private boolean streaming = true;
  private boolean closed;
  private long version;
  private long heardNanos;
  private int probes;

  /** A feed that begins with {@link #start}. */
  public Feed(
      Env env,
      Loop loop,
      Transport transport,
      Kind<T> kind,
      Scope scope,
      Trim trim,
      FeedLimits limits,
      FeedListener<T> listener) {
    this.loop = loop;
    this.clock = env.clock();
    this.random = env.random();
    this.transport = transport;
    this.kind = kind;
    this.scope = scope;
    this.limits = limits;
    this.listener = listener;
    this.reader = new EventReader<>(new ObjectReader<>(kind, trim));
    this.backoff = new Backoff(random, limits.backoffFirst(), limits.backoffMax());
    this.gauge = new Gauge(clock);
    this.catchUp = new CatchUp(loop, limits.behind(), new Ways());
  }

  /** Begins. Called once, on the loop. */
  public void start() {
    sync(SyncReason.FIRST);
  }

  public FeedFigures figures() {
    return gauge.figures();
  }

  /**
   * Says that the server has this version, so that a watch that does not bring it is behind, and is
   * replaced in seconds. Called on the loop.
   *
   * @param atOnce not to wait first whether it comes by itself: of a kind in which nothing changes
   *     nothing comes
   */
  public void need(long needed, boolean atOnce) {
    if (!closed) {
      catchUp.need(needed, atOnce);
    }
  }

  /**
   * Says how far another feed of the same server is. That one is further may mean that nothing has
   * changed here, or that nothing arrives. A watch that has said nothing for long is opened anew
   * from where it was then: it costs a request, and if something was missed it comes at once.
   * Called on the loop.
   */
  public void others(long reached) {
    if (version >= reached || stateNeeded || attempt == null || probes == PROBES_MAX) {
      return;
    }
    long quietNanos = limits.quiet().toNanos() << probes;
    if (clock.nanoTime() - heardNanos >= quietNanos) {
      probes++;
      go();
    }
  }

  /** Ends it; nothing is told any more. Called on the loop. */
  @Override
  public void close() {
    closed = true;
    catchUp.close();
    end();
    gauge.state(FeedState.CLOSED);
  }

  /** Runs on the loop, unless that is closed: then nobody is left to care. */
  void onLoop(Runnable task) {
    try {
      loop.execute(task);
    } catch (RejectedExecutionException e) {
      // The feed's owner has closed.
    }
  }

  private void end() {
    if (attempt != null) {
      attempt.abandon();
      attempt = null;
    }
    if (retry != null) {
      retry.cancel();
      retry = null;
    }
  }

  private void sync(SyncReason reason) {
    gauge.sync(reason);
    stateNeeded = true;
    go();
  }

  /** Does what is to be done next. */
  private void go() {
    end();
    if (closed) {
      return;
    }
    if (!stateNeeded) {
      gauge.resume();
      gauge.state(FeedState.RESUMING);
      watch(false);
      return;
    }
    gauge.state(FeedState.SYNCING);
    gathered = new HashMap<>();
    if (streaming && !catchUp.mistrustsWatches()) {
      watch(true);
    } else {
      page("", limits.pageItems());
    }
  }

  private void watch(boolean initial) {
    Query query = scope.query().with("watch", "true").with("allowWatchBookmarks", "true");
    if (initial) {
      query.with("sendInitialEvents", "true").with("resourceVersionMatch", "NotOlderThan");
    } else {
      query.with("resourceVersion", Long.toString(version));
    }
    query.with("timeoutSeconds", Long.toString(watchSeconds(initial)));
    begin(
        new FeedRequest(
            this,
            loop,
            clock,
            Request.watch(kind.collectionPath(scope.namespace()), query.toString()),
            new WatchReader(initial)));
  }

  /**
   * A server says how far it is when a watch ends; who waits for just that asks for a short one.
   */
  private long watchSeconds(boolean initial) {
    if (!initial && catchUp.isUnderWay()) {
      return CatchUp.WATCH_TIME.toSeconds();
    }
    long seconds = limits.watchTime().toSeconds();
    return seconds + random.nextLong(seconds + 1);
  }

  private void page(String token, int items) {
    Query query = scope.query();
    if (items > 0) {
      query.with("limit", Integer.toString(items));
    }
    query.withUnlessEmpty("continue", token);
    begin(
        new FeedRequest(
            this,
            loop,
            clock,
            Request.get(kind.collectionPath(scope.namespace()), query.toString()),
            new PageReader(token)));
  }

  private void begin(FeedRequest next) {
    end();
    attempt = next;
    next.start(transport, limits.answer());
  }

  /** Whether an exchange is still the one that counts. */
  boolean isCurrent(FeedRequest asking) {
    return asking.equals(attempt);
  }

  void sign() {
    gauge.sign(clock.nanoTime());
  }

  void failed(String message) {
    failed(message, Duration.ZERO);
  }

  private void failed(String message, Duration atLeast) {
    count(message);
    later(backoff.failed(atLeast));
  }

  private void count(String message) {
    end();
    gauge.failed(message, backoff.failures() + 1);
  }

  private void later(Duration wait) {
    if (!closed) {
      gauge.state(FeedState.BROKEN);
      retry = loop.runLater(wait, this::go);
    }
  }

  void stuck(String message) {
    gauge.stuck();
    // The connection may be dead: over the same one the next request would hang as well.
    transport.renew();
    failed(message);
  }

  private void succeeded() {
    backoff.succeeded();
    gauge.succeeded();
  }

  /** What came cannot be trusted: what was told may lack something. */
  void damaged(RuntimeException e) {
    gauge.sync(SyncReason.DAMAGED);
    stateNeeded = true;
    failed("what the server sent cannot be used: " + e);
  }

  private void refused(Status status, int retryAfterSeconds) {
    Status.Details details = status.details();
    int seconds = Math.max(retryAfterSeconds, details == null ? 0 : details.retryAfterSeconds());
    failed(
        "the server answered " + status.code() + ": " + status.message(),
        Duration.ofSeconds(seconds));
  }

  private static boolean isExpired(Status status) {
    return status.code() == 410 || status.reason().equals("Expired");
  }

  /** The first time at once: it is nobody's fault. If it comes again, something is wrong. */
  private void expired(Status status) {
    gauge.sync(SyncReason.EXPIRED);
    stateNeeded = true;
    boolean first = backoff.failures() == 0;
    count(status.message());
    Duration wait = backoff.failed(Duration.ZERO);
    if (first) {
      go();
    } else {
      later(wait);
    }
  }

  private void heard() {
    heardNanos = clock.nanoTime();
    probes = 0;
  }

  /** A whole state was read. False if it is refused. */
  private boolean synced(long newVersion) {
    if (newVersion < version) {
      failed(
          "the server's state is of version "
              + newVersion
              + ", older than "
              + version
              + ", which was seen already");
      return false;
    }
    List<Cached<T>> objects = new ArrayList<>(gathered.values());
    gathered = new HashMap<>();
    objects.sort(Comparator.comparing(Cached::key));
    stateNeeded = false;
    version = newVersion;
    heard();
    gauge.reached(newVersion);
    listener.replaced(objects, newVersion);
    return true;
  }

  /** What can be done about being behind. */
  private final class Ways implements CatchUp.Ways {

    @Override
    public long version() {
      return version;
    }

    @Override
    public boolean isAtWork(Duration quietMax) {
      FeedRequest now = attempt;
      return retry != null || (stateNeeded && now != null && now.quietNanos() < quietMax.toNanos());
    }

    @Override
    public void watchAnew() {
      if (!stateNeeded) {
        gauge.behind();
        go();
        haveServerCatchUp();
      }
    }

    /** A server that is asked for its newest state learns how far it is, and says so in watches. */
    private void haveServerCatchUp() {
      var _ =
          transport
              .send(
                  Request.get(
                      kind.collectionPath(scope.namespace()),
                      scope.query().with("limit", "1").toString()))
              .thenAccept(answer -> answer.body().close());
    }

    @Override
    public void readAll(String why) {
      gauge.behind();
      gauge.failed(why, backoff.failures());
      transport.renew();
      sync(SyncReason.BEHIND);
    }
  }

  /** Reads what one request is answered. Called on the loop, while its exchange is current. */
  interface Reader {

    /** The longest time without a sign, once the answer has begun. */
    Duration silenceMax();

    /** How long a body that refuses or lists may be; nothing is gathered for a watch. */
    int bytesMax();

    /** The answer begins, with success. */
    void begun();

    /** A piece of a watch. False if the exchange is over. */
    boolean piece(ByteBuffer piece);

    /** Whether pieces are gathered, and given whole at the end. */
    boolean isWhole();

    /** The body came to its end. */
    void ended(byte[] whole, long lastedNanos);

    /** The server says no. */
    void refused(Status status, int retryAfterSeconds);

    /** Nothing came for too long, though the answer had begun. */
    void silent(String message);
  }

  /** A watch, with or without the state before it. */
  private final class WatchReader implements Reader {
    private final Lines lines = new Lines(limits.eventBytesMax());
    private boolean initial;
    private boolean told;

    WatchReader(boolean initial) {
      this.initial = initial;
    }

    @Override
    public Duration silenceMax() {
      return initial ? limits.answer() : limits.silence();
    }

    @Override
    public int bytesMax() {
      return STATUS_BYTES_MAX;
    }

    @Override
    public boolean isWhole() {
      return false;
    }

    @Override
    public void begun() {
      if (!initial) {
        gauge.state(FeedState.LIVE);
      }
    }

    @Override
    public boolean piece(ByteBuffer piece) {
      lines.add(piece);
      while (lines.next()) {
        EventReader.Event<T> event = reader.read(lines.bytes(), lines.from(), lines.to());
        if (event != null && !take(event)) {
          return false;
        }
      }
      return true;
    }

    private boolean take(EventReader.Event<T> event) {
      return switch (event) {
        case EventReader.Present<T>(Cached<T> object) -> {
          if (initial) {
            gathered.put(object.key(), object);
          } else {
            advance(object.version());
            listener.changed(object);
          }
          yield true;
        }
        case EventReader.Gone<T>(Cached<T> last) -> {
          if (initial) {
            gathered.remove(last.key());
          } else {
            advance(last.version());
            listener.deleted(last);
          }
          yield true;
        }
        case EventReader.Bookmark<T>(long reached, boolean end) -> bookmark(reached, end);
        case EventReader.Refused<T>(Status status) -> {
          refused(status, 0);
          yield false;
        }
      };
    }

    private void advance(long next) {
      if (next < version) {
        throw new JsonException("version " + next + " came after " + version);
      }
      told();
      heard();
      version = next;
      gauge.event(next);
    }

    private void told() {
      if (!told) {
        told = true;
        succeeded();
      }
    }

    private boolean bookmark(long reached, boolean end) {
      if (!initial) {
        if (reached < version) {
          throw new JsonException("a bookmark of version " + reached + " came after " + version);
        }
        told();
        heard();
        version = reached;
        gauge.reached(reached);
        listener.reached(reached);
        return true;
      }
      if (end) {
        if (!synced(reached)) {
          return false;
        }
        initial = false;
        told();
        gauge.state(FeedState.LIVE);
      }
      return true;
    }

    @Override
    public void ended(byte[] whole, long lastedNanos) {
      if (initial) {
        Feed.this.failed("the stream ended before the state was whole");
      } else if (told || lastedNanos >= WATCH_NANOS_MIN) {
        go();
      } else {
        Feed.this.failed("the watch ended as soon as it had begun");
      }
    }

    @Override
    public void refused(Status status, int retryAfterSeconds) {
      boolean cannotStream = initial && (status.code() == 400 || status.code() == 422);
      if (cannotStream) {
        listsOnly();
        go();
      } else if (isExpired(status) && !initial) {
        expired(status);
      } else {
        Feed.this.refused(status, retryAfterSeconds);
      }
    }

    @Override
    public void silent(String message) {
      if (initial) {
        // Servers that do not know the request for the state take it for a plain watch.
        listsOnly();
      }
      stuck(message);
    }

    private void listsOnly() {
      streaming = false;
      gauge.listsOnly();
    }
  }

  /** A list, or a page of one. */
  private final class PageReader implements Reader {
    private final String token;

    PageReader(String token) {
      this.token = token;
    }

    @Override
    public Duration silenceMax() {
      return limits.answer();
    }

    @Override
    public int bytesMax() {
      return limits.listBytesMax();
    }

    @Override
    public boolean isWhole() {
      return true;
    }

    @Override
    public void begun() {}

    @Override
    public boolean piece(ByteBuffer piece) {
      throw new IllegalStateException("a list is read as a whole");
    }

    @Override
    public void ended(byte[] whole, long lastedNanos) {
      EventReader.ListEnd end =
          reader.readList(whole, object -> gathered.put(object.key(), object));
      if (!end.continueToken().isEmpty()) {
        page(end.continueToken(), limits.pageItems());
      } else if (synced(end.version())) {
        gauge.state(FeedState.RESUMING);
        watch(false);
      }
    }

    @Override
    public void refused(Status status, int retryAfterSeconds) {
      if (isExpired(status) && !token.isEmpty()) {
        // Its pages outlived the server's memory: all at once then.
        gathered = new HashMap<>();
        page("", 0);
      } else {
        Feed.this.refused(status, retryAfterSeconds);
      }
    }

    @Override
    public void silent(String message) {
      stuck(message);
    }
  }
}
