package dev.evenkeel.prove.bench.api.load;

import dev.evenkeel.prove.bench.api.wire.Connection;
import dev.evenkeel.prove.bench.api.wire.Receiver;
import dev.evenkeel.prove.bench.api.wire.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Clients that each ask, wait for the answer, and ask again. They may share connections.
 *
 * <p>Threading: each client lives on its connection's event loop; the caller waits.
 */
public final class ClosedLoop {

  /** How long an answer may still take once the time is up. */
  private static final Duration GRACE = Duration.ofSeconds(30);

  private final List<Client> clients = new ArrayList<>();
  private final CountDownLatch unfinished;
  private volatile boolean stopped;

  /**
   * What came of it.
   *
   * @param seconds from the first request to the end of the time, or to the last answer if nothing
   *     was left to ask
   */
  public record Outcome(LoadResult tally, double seconds) {

    public double perSecond() {
      return tally.count() / seconds;
    }
  }

  private ClosedLoop(List<Connection> connections, int clientCount, Script script) {
    int sharing = (clientCount + connections.size() - 1) / connections.size();
    if (sharing > connections.getFirst().room()) {
      throw new IllegalArgumentException(
          "the server lets %d requests share a connection, and %d clients would: use more connections"
              .formatted(connections.getFirst().room(), sharing));
    }
    for (int i = 0; i < clientCount; i++) {
      clients.add(new Client(i, connections.get(i % connections.size()), script));
    }
    this.unfinished = new CountDownLatch(clientCount);
  }

  /** Runs until the time is up or no client has anything left to ask. */
  public static Outcome run(
      List<Connection> connections, int clientCount, Script script, Duration time)
      throws InterruptedException {
    return new ClosedLoop(connections, clientCount, script).run(time);
  }

  private Outcome run(Duration time) throws InterruptedException {
    long start = System.nanoTime();
    for (Client client : clients) {
      client.connection.loop().execute(client::proceed);
    }
    boolean early = unfinished.await(time.toNanos(), TimeUnit.NANOSECONDS);
    long end = System.nanoTime();
    stopped = true;
    boolean answered = early || unfinished.await(GRACE.toMillis(), TimeUnit.MILLISECONDS);
    var all = new LoadResult();
    for (Client client : clients) {
      all.add(client.tallyAtEnd(answered));
    }
    return new Outcome(all, (end - start) / 1e9);
  }

  /** One client. What is answered after the end of the time does not count. */
  private final class Client implements Receiver {

    private final int index;
    private final Connection connection;
    private final Script script;
    private final Answer answer;
    private final LoadResult tally = new LoadResult();
    private long askedNanos;
    private volatile boolean finished;

    Client(int index, Connection connection, Script script) {
      this.index = index;
      this.connection = connection;
      this.script = script;
      this.answer = new Answer(script.keptBytesMax());
    }

    void proceed() {
      if (stopped) {
        finish();
        return;
      }
      long pauseNanos = script.pauseNanos(index, System.nanoTime());
      if (pauseNanos > 0) {
        var _ = connection.loop().schedule(this::proceed, pauseNanos, TimeUnit.NANOSECONDS);
        return;
      }
      Request request = script.next(index);
      if (request == null) {
        finish();
        return;
      }
      answer.reset();
      askedNanos = System.nanoTime();
      connection.send(request, this);
    }

    @Override
    public void head(int status) {
      answer.head(status);
    }

    @Override
    public void bytes(byte[] bytes, int from, int to) {
      answer.bytes(bytes, from, to);
    }

    @Override
    public void end() {
      long nanos = System.nanoTime() - askedNanos;
      String wrong = script.check(index, answer);
      if (!stopped) {
        count(wrong, nanos);
      }
      proceed();
    }

    private void count(@Nullable String wrong, long nanos) {
      if (wrong == null) {
        tally.succeeded(nanos, answer.length());
      } else {
        tally.failed(wrong);
      }
    }

    /** The connection is gone, and this client's load with it: the table will say so. */
    @Override
    public void failed(String kind) {
      tally.failed(kind);
      finish();
    }

    private void finish() {
      if (!finished) {
        finished = true;
        unfinished.countDown();
      }
    }

    LoadResult tallyAtEnd(boolean allAnswered) {
      if (!allAnswered && !finished) {
        // Its loop may still be counting, so what it has counted is not looked at.
        var lost = new LoadResult();
        lost.failed("no answer within " + GRACE.toSeconds() + " s");
        return lost;
      }
      return tally;
    }
  }
}
