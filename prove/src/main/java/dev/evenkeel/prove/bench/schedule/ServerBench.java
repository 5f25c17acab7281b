package dev.evenkeel.prove.bench.schedule;

import dev.evenkeel.prove.bench.api.load.Answer;
import dev.evenkeel.prove.bench.api.load.ClosedLoop;
import dev.evenkeel.prove.bench.api.load.Script;
import dev.evenkeel.prove.bench.api.server.Meter;
import dev.evenkeel.prove.bench.api.server.OwnServer;
import dev.evenkeel.prove.bench.api.wire.Connection;
import dev.evenkeel.prove.bench.api.wire.Protocol;
import dev.evenkeel.prove.bench.api.wire.Request;
import dev.evenkeel.prove.bench.api.wire.Transport;
import dev.evenkeel.prove.bench.api.wire.UnmeasurableException;
import dev.evenkeel.prove.report.Table;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Pods from the POST until a watch shows their node, against a server in a process of its own, with
 * nothing but the Kubernetes API.
 */
final class ServerBench {

  private static final int CLIENTS = 32;
  private static final Duration ROUND_MAX = Duration.ofMinutes(2);

  private final OwnServer server;
  private final int nodes;
  private final int pods;
  private final int rounds;
  private final PrintWriter out;

  ServerBench(OwnServer server, int nodes, int pods, int rounds, PrintWriter out) {
    this.server = server;
    this.nodes = nodes;
    this.pods = pods;
    this.rounds = rounds;
    this.out = out;
  }

  private record Round(
      double podsASecond, double p50, double p99, double cpuMillis, double megabytes) {}

  void run() throws InterruptedException {
    var meter = new Meter(List.of(server.pid()));
    List<Round> measured = new ArrayList<>();
    try (var transport = new Transport(server.target(), 1)) {
      fill(transport, "/api/v1/nodes", nodes, ServerBench::node, null);
      out.printf(Locale.ROOT, "  %,d nodes%n", nodes);
      out.flush();
      for (int i = 0; i < rounds; i++) {
        Round round = round(transport, meter, i);
        measured.add(round);
        out.printf(
            Locale.ROOT,
            "  round %d: %,.0f pods/s, p50 %.2f s, p99 %.2f s, %.2f ms of CPU a pod, %,.0f MB%n",
            i + 1,
            round.podsASecond,
            round.p50,
            round.p99,
            round.cpuMillis,
            round.megabytes);
        out.flush();
      }
    }
    out.println();
    out.print(table(measured));
    out.flush();
  }

  private String table(List<Round> measured) {
    var table = new Table(List.of("figure", "first round", "last round"));
    Round first = measured.getFirst();
    Round last = measured.getLast();
    table.add(List.of("pods a second", whole(first.podsASecond), whole(last.podsASecond)));
    table.add(List.of("p50, s", parts(first.p50), parts(last.p50)));
    table.add(List.of("p99, s", parts(first.p99), parts(last.p99)));
    table.add(List.of("server CPU, ms a pod", parts(first.cpuMillis), parts(last.cpuMillis)));
    table.add(List.of("resident, MB", whole(first.megabytes), whole(last.megabytes)));
    return table.text();
  }

  private static String whole(double number) {
    return String.format(Locale.ROOT, "%,.0f", number);
  }

  private static String parts(double number) {
    return String.format(Locale.ROOT, "%.2f", number);
  }

  private Round round(Transport transport, Meter meter, int number) throws InterruptedException {
    String namespace = "bench-" + number;
    fill(
        transport,
        "/api/v1/namespaces",
        1,
        _ -> "{\"metadata\":{\"name\":\"" + namespace + "\"}}",
        null);
    var bound = new Bound(pods);
    List<Connection> watching = transport.connect(Protocol.HTTP_1, 0, 1);
    try {
      Connection connection = watching.getFirst();
      String path = "/api/v1/namespaces/" + namespace + "/pods";
      connection.loop().execute(() -> connection.send(Request.get(path + "?watch=true"), bound));
      bound.awaitOpen();
      double cpuBefore = meter.cpuSeconds();
      long start = System.nanoTime();
      fill(transport, path, pods, ServerBench::pod, bound);
      bound.awaitAll();
      double cpu = meter.cpuSeconds() - cpuBefore;
      double[] seconds = bound.latenciesSeconds();
      return new Round(
          pods / ((bound.lastNanos - start) / 1e9),
          seconds[seconds.length / 2],
          seconds[(int) (seconds.length * 0.99)],
          cpu * 1e3 / pods,
          meter.residentBytes() / 1e6);
    } finally {
      watching.forEach(Connection::close);
    }
  }

  private static String node(int number) {
    return "{\"metadata\":{\"name\":\"node-%1$d\",\"labels\":{\"kubernetes.io/hostname\":\"node-%1$d\",\"topology.kubernetes.io/zone\":\"zone-%2$d\"}},\"status\":{\"allocatable\":{\"cpu\":\"4\",\"memory\":\"32Gi\",\"pods\":\"110\"},\"capacity\":{\"cpu\":\"4\",\"memory\":\"32Gi\",\"pods\":\"110\"},\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\",\"lastHeartbeatTime\":\"2100-01-01T00:00:00Z\"}]}}"
        .formatted(number, number % 3);
  }

  private static String pod(int number) {
    return "{\"metadata\":{\"name\":\"pod-%d\",\"labels\":{\"app\":\"bench\"}},\"spec\":{\"containers\":[{\"name\":\"main\",\"image\":\"registry.example.com/pause:3.9\",\"resources\":{\"requests\":{\"cpu\":\"100m\",\"memory\":\"200Mi\"}}}]}}"
        .formatted(number);
  }

  private static void fill(
      Transport transport, String path, int count, IntFunction<String> body, @Nullable Bound times)
      throws InterruptedException {
    int clients = Math.min(CLIENTS, count);
    var next = new AtomicInteger();
    var script =
        new Script() {
          @Override
          public @Nullable Request next(int client) {
            int number = next.getAndIncrement();
            if (number >= count) {
              return null;
            }
            byte[] bytes = body.apply(number).getBytes(StandardCharsets.US_ASCII);
            if (times != null) {
              times.sentNanos[number] = System.nanoTime();
            }
            return Request.post(path, bytes);
          }

          @Override
          public @Nullable String check(int client, Answer answer) {
            return answer.status() == 201
                ? null
                : "status " + answer.status() + ": " + answer.text();
          }
        };
    List<Connection> connections = transport.connect(Protocol.HTTP_2, 0, clients);
    try {
      ClosedLoop.Outcome outcome = ClosedLoop.run(connections, clients, script, ROUND_MAX);
      if (!outcome.tally().errors().isEmpty() || next.get() < count) {
        throw new UnmeasurableException("creating at " + path + ": " + outcome.tally().errors());
      }
    } finally {
      connections.forEach(Connection::close);
    }
  }

  /**
   * When pods were sent and when they were seen on a node.
   *
   * <p><b>Threading:</b> sending and seeing are each one event loop's; who waits reads afterwards.
   */
  private static final class Bound implements dev.evenkeel.prove.bench.api.wire.Receiver {
    private static final byte[] NAME = "\"name\":\"pod-".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NODE = "\"nodeName\":\"".getBytes(StandardCharsets.US_ASCII);

    private final long[] sentNanos;
    private final long[] seenNanos;
    private final java.util.concurrent.CountDownLatch open =
        new java.util.concurrent.CountDownLatch(1);
    private final java.util.concurrent.CountDownLatch left;
    private volatile @Nullable String failure;
    private volatile long lastNanos;
    private byte[] line = new byte[64 << 10];
    private int length;

    Bound(int pods) {
      this.sentNanos = new long[pods];
      this.seenNanos = new long[pods];
      this.left = new java.util.concurrent.CountDownLatch(pods);
    }

    void awaitOpen() throws InterruptedException {
      if (!open.await(30, TimeUnit.SECONDS) || failure != null) {
        throw new UnmeasurableException("the pods cannot be watched: " + failure);
      }
    }

    void awaitAll() throws InterruptedException {
      if (!left.await(ROUND_MAX.toSeconds(), TimeUnit.SECONDS)) {
        throw new UnmeasurableException(
            left.getCount() + " pods have no node after " + ROUND_MAX.toSeconds() + " s");
      }
    }

    double[] latenciesSeconds() {
      double[] seconds = new double[sentNanos.length];
      for (int i = 0; i < seconds.length; i++) {
        seconds[i] = (seenNanos[i] - sentNanos[i]) / 1e9;
      }
      Arrays.sort(seconds);
      return seconds;
    }

    @Override
    public void head(int status) {
      if (status != 200) {
        failure = "status " + status;
      }
      open.countDown();
    }

    @Override
    public void bytes(byte[] bytes, int from, int to) {
      for (int i = from; i < to; i++) {
        if (bytes[i] == '\n') {
          event();
          length = 0;
        } else {
          if (length == line.length) {
            line = Arrays.copyOf(line, 2 * length);
          }
          line[length++] = bytes[i];
        }
      }
    }

    private void event() {
      int name = after(NAME, 0);
      if (name < 0 || after(NODE, name) < 0) {
        return;
      }
      int number = 0;
      for (int i = name; line[i] != '"'; i++) {
        number = 10 * number + line[i] - '0';
      }
      if (seenNanos[number] == 0) {
        long now = System.nanoTime();
        seenNanos[number] = now;
        lastNanos = now;
        left.countDown();
      }
    }

    private int after(byte[] text, int from) {
      for (int at = from; at <= length - text.length; at++) {
        if (line[at] == text[0]
            && Arrays.equals(line, at, at + text.length, text, 0, text.length)) {
          return at + text.length;
        }
      }
      return -1;
    }

    @Override
    public void end() {
      failure = "the watch ended";
      open.countDown();
    }

    @Override
    public void failed(String kind) {
      failure = kind;
      open.countDown();
    }
  }
}
