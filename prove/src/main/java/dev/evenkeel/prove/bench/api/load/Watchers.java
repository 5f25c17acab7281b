package dev.evenkeel.prove.bench.api.load;

import dev.evenkeel.prove.bench.api.wire.Connection;
import dev.evenkeel.prove.bench.api.wire.Protocol;
import dev.evenkeel.prove.bench.api.wire.Receiver;
import dev.evenkeel.prove.bench.api.wire.Request;
import dev.evenkeel.prove.bench.api.wire.Transport;
import dev.evenkeel.prove.bench.api.wire.UnmeasurableException;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Many watches of the same collection, opened together, counted together, and held against what was
 * written.
 *
 * <p>Threading: for one caller; the watches live on their event loops.
 */
public final class Watchers implements AutoCloseable {

  private static final Duration OPEN_MAX = Duration.ofSeconds(60);

  private static final int CONNECTED_AT_ONCE_MAX = 100;

  /** A socket of a watcher that does not read is to be full soon. */
  private static final int STALLED_RECEIVE_BYTES = 8 << 10;

  private final List<Connection> connections = new ArrayList<>();
  private final List<Watcher> watchers = new ArrayList<>();
  private final Map<EventLoop, Watcher.Shared> shared = new HashMap<>();
  private final CountDownLatch unopened;

  private Watchers(int count) {
    this.unopened = new CountDownLatch(count);
  }

  /**
   * Opens watches and waits for the answer to each.
   *
   * @param connectionCount how many connections they share over HTTP/2; more are opened if the
   *     server does not let that many watches share one. Over HTTP/1.1 each has its own.
   */
  public static Watchers open(
      Transport transport, Protocol protocol, int connectionCount, int count, String path)
      throws InterruptedException {
    var all = new Watchers(count);
    try {
      all.connect(transport, protocol, connectionCount, count, path);
      for (int i = all.connections.size(); i < count; i++) {
        all.watch(all.connections.get(i % all.connections.size()), path);
      }
      if (!all.unopened.await(OPEN_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new UnmeasurableException(
            all.unopened.getCount() + " of " + count + " watches were not answered");
      }
      return all;
    } catch (RuntimeException | InterruptedException e) {
      all.close();
      throw e;
    }
  }

  /** A connection is used as soon as it is there: a server does not wait long for a request. */
  private void connect(
      Transport transport, Protocol protocol, int connectionCount, int count, String path) {
    int needed = 1;
    while (connections.size() < needed) {
      int next = Math.min(CONNECTED_AT_ONCE_MAX, needed - connections.size());
      List<Connection> opened = transport.connect(protocol, 0, next);
      if (connections.isEmpty()) {
        int room = Math.max(1, opened.getFirst().room());
        needed = Math.max(Math.min(connectionCount, count), (count + room - 1) / room);
      }
      connections.addAll(opened);
      opened.forEach(connection -> watch(connection, path));
    }
  }

  private void watch(Connection connection, String path) {
    Watcher.Shared own =
        shared.computeIfAbsent(connection.loop(), loop -> new Watcher.Shared(unopened::countDown));
    var watcher = new Watcher(own);
    watchers.add(watcher);
    connection.loop().execute(() -> connection.send(Request.get(path), watcher));
  }

  /** Opens one watch more, which from its answer on is never read from. */
  public static Connection openStalled(Transport transport, Protocol protocol, String path) {
    Connection connection = transport.connect(protocol, STALLED_RECEIVE_BYTES, 1).getFirst();
    var answered = new CompletableFuture<Integer>();
    connection
        .loop()
        .execute(
            () ->
                connection.send(
                    Request.get(path),
                    new Receiver() {
                      @Override
                      public void head(int status) {
                        connection.pauseReading();
                        answered.complete(status);
                      }

                      @Override
                      public void bytes(byte[] bytes, int from, int to) {}

                      @Override
                      public void end() {}

                      @Override
                      public void failed(String kind) {
                        answered.completeExceptionally(new IllegalStateException(kind));
                      }
                    }));
    int status = answered.orTimeout(OPEN_MAX.toMillis(), TimeUnit.MILLISECONDS).join();
    if (status != 200) {
      throw new UnmeasurableException("the stalled watch was answered with " + status);
    }
    return connection;
  }

  public int size() {
    return watchers.size();
  }

  public int connectionCount() {
    return connections.size();
  }

  /** How many events arrived so far, over all watchers. */
  public long delivered() {
    return shared.values().stream().mapToLong(each -> each.delivered.getAcquire()).sum();
  }

  /** From now on deliveries are timed, if they are of what is written from now on. */
  public void startTiming() {
    long now = System.nanoTime();
    shared.values().forEach(each -> each.timedFromNanos = now);
  }

  /** How long deliveries took since {@link #startTiming}. To be called when all is delivered. */
  public Histogram latencies() {
    var all = new Histogram();
    shared.forEach(
        (loop, each) ->
            // On the loop, because it may still be recording.
            loop.submit(() -> all.add(each.latencies)).awaitUninterruptibly());
    return all;
  }

  /** Why watches are over that should not be, and how many for each reason. */
  public Map<String, Integer> ended() {
    var reasons = new TreeMap<String, Integer>();
    for (Watcher watcher : watchers) {
      String reason = watcher.ended();
      if (reason != null) {
        reasons.merge(reason, 1, Integer::sum);
      }
    }
    return reasons;
  }

  /** Waits until each watcher has that many events, or until nothing more comes. */
  public void awaitEach(long events, Duration quietMax) throws InterruptedException {
    long before = -1;
    long quietSince = System.nanoTime();
    while (delivered() < events * size()) {
      long now = System.nanoTime();
      if (delivered() != before) {
        before = delivered();
        quietSince = now;
      } else if (now - quietSince > quietMax.toNanos()) {
        return;
      }
      Thread.sleep(2);
    }
    // What is too much comes right behind, if at all.
    Thread.sleep(100);
  }

  /**
   * Holds what each watcher saw against what was written.
   *
   * @return what is wrong, and with how many watchers; nothing if each saw every version once and
   *     in order
   */
  public Map<String, Integer> verify(long[] written) {
    History expected = History.of(written);
    var faults = new TreeMap<String, Integer>();
    for (Watcher watcher : watchers) {
      History seen = watcher.history();
      if (seen.disorders() > 0) {
        faults.merge("saw a version again or out of order", 1, Integer::sum);
      } else if (seen.count() < expected.count()) {
        faults.merge("missed an event", 1, Integer::sum);
      } else if (seen.count() > expected.count()) {
        faults.merge("saw an event that nobody wrote", 1, Integer::sum);
      } else if (!seen.sameAs(expected)) {
        faults.merge("saw other events than were written", 1, Integer::sum);
      }
    }
    ended().forEach((reason, count) -> faults.merge("ended: " + reason, count, Integer::sum));
    return faults;
  }

  @Override
  public void close() {
    connections.forEach(Connection::close);
  }
}
