package dev.evenkeel.prove.bench.api;

import dev.evenkeel.prove.bench.api.load.Answer;
import dev.evenkeel.prove.bench.api.load.ClosedLoop;
import dev.evenkeel.prove.bench.api.load.LoadKind;
import dev.evenkeel.prove.bench.api.load.LoadObjects;
import dev.evenkeel.prove.bench.api.load.Script;
import dev.evenkeel.prove.bench.api.load.Scripts;
import dev.evenkeel.prove.bench.api.server.LiveHeap;
import dev.evenkeel.prove.bench.api.server.Meter;
import dev.evenkeel.prove.bench.api.server.OwnServer;
import dev.evenkeel.prove.bench.api.wire.Connection;
import dev.evenkeel.prove.bench.api.wire.Protocol;
import dev.evenkeel.prove.bench.api.wire.Request;
import dev.evenkeel.prove.bench.api.wire.Target;
import dev.evenkeel.prove.bench.api.wire.Transport;
import dev.evenkeel.prove.bench.api.wire.UnmeasurableException;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The server under test and what the phases share: connections to it, its meter, the results.
 *
 * <p>Threading: for one caller.
 */
final class Bench implements AutoCloseable {

  private static final Duration REQUEST_MAX = Duration.ofSeconds(60);

  private static final Pattern HEAP_METRIC =
      Pattern.compile(
          "(?m)^(jvm_memory_used_bytes\\{area=\"heap\"}|go_memstats_heap_inuse_bytes|"
              + "evenkeel_\\w*heap\\w*bytes)\\s+([0-9.eE+-]+)");

  /** Enough for a page of metrics. */
  private static final int ASKED_BYTES_MAX = 4 << 20;

  private final Settings settings;
  private final PrintWriter out;
  private final @Nullable OwnServer ownServer;
  private final List<Result> results = new ArrayList<>();
  private final List<String> namespaces = new ArrayList<>();

  private final String run = Long.toString(System.currentTimeMillis() % 100_000_000, 36);

  private boolean kindIsDefined;
  private Transport transport;
  private Meter meter;

  Bench(Settings settings, PrintWriter out, @Nullable OwnServer ownServer, Target target) {
    this.settings = settings;
    this.out = out;
    this.ownServer = ownServer;
    this.transport = new Transport(target, settings.loops);
    this.meter = ownServer == null ? new Meter(settings.pids) : new Meter(List.of(ownServer.pid()));
  }

  Settings settings() {
    return settings;
  }

  /** Sets what this run makes apart from what another makes on the same server. */
  String run() {
    return run;
  }

  Transport transport() {
    return transport;
  }

  Meter meter() {
    return meter;
  }

  @Nullable OwnServer ownServer() {
    return ownServer;
  }

  List<Result> results() {
    return results;
  }

  /** Keeps a result and says that it is there. */
  void add(Result result) {
    results.add(result);
    say(Report.progress(result));
  }

  void say(String line) {
    out.println("  " + line);
    out.flush();
  }

  /** Opens the connections of a number of clients. */
  List<Connection> connect(int clients) {
    return connect(settings.requestProtocol(), clients);
  }

  List<Connection> connect(Protocol protocol, int clients) {
    boolean shared = protocol == settings.requestProtocol() && clients == settings.clients;
    return transport.connect(protocol, 0, shared ? settings.connectionCount() : clients);
  }

  /** Runs clients on fresh connections. */
  ClosedLoop.Outcome load(int clients, Script script, Duration time) throws InterruptedException {
    List<Connection> connections = connect(clients);
    try {
      return ClosedLoop.run(connections, clients, script, time);
    } finally {
      connections.forEach(Connection::close);
    }
  }

  /** A namespace of this run with nothing in it. */
  LoadObjects namespace(String name, int payloadBytes) throws InterruptedException {
    String full = "bench-" + run + "-" + name;
    String body =
        "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"%s\"}}"
            .formatted(full);
    int status =
        ask(
            Request.post("/api/v1/namespaces", body.getBytes(StandardCharsets.US_ASCII)),
            Answer::status);
    if (status != 201) {
      throw new UnmeasurableException("creating a namespace was answered with " + status);
    }
    namespaces.add(full);
    defineKind();
    return new LoadObjects(settings.kind, full, payloadBytes);
  }

  private void defineKind() throws InterruptedException {
    if (settings.kind != LoadKind.CUSTOM || kindIsDefined) {
      return;
    }
    int status =
        ask(
            Request.post(
                "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
                LoadKind.DEFINITION.getBytes(StandardCharsets.US_ASCII)),
            Answer::status);
    if (status != 201 && status != 409) {
      throw new UnmeasurableException("defining a kind was answered with " + status);
    }
    long giveUp = System.nanoTime() + REQUEST_MAX.toNanos();
    while (ask(Request.get(settings.kind.collectionPath("default")), Answer::status) != 200) {
      if (System.nanoTime() > giveUp) {
        throw new UnmeasurableException("the kind that was defined is not served");
      }
      Thread.sleep(20);
    }
    kindIsDefined = true;
  }

  /** Creates objects up to the given number, and says how fast that went. */
  ClosedLoop.Outcome fill(LoadObjects objects, int size, int clients, Duration timeMax)
      throws InterruptedException {
    return load(clients, Scripts.create(objects, objects.size(), size, clients), timeMax);
  }

  /** Deletes all objects of a namespace. */
  void empty(String namespace) throws InterruptedException {
    int status = ask(Request.delete(settings.kind.collectionPath(namespace)), Answer::status);
    if (status != 200) {
      say("deleting the objects of " + namespace + " was answered with " + status);
    }
  }

  /** Sends one request. */
  <T> T ask(Request request, Function<Answer, T> read) throws InterruptedException {
    var result = new ArrayList<T>();
    Script once =
        new Script() {
          private boolean asked;

          @Override
          public @Nullable Request next(int client) {
            boolean first = !asked;
            asked = true;
            return first ? request : null;
          }

          @Override
          public int keptBytesMax() {
            return ASKED_BYTES_MAX;
          }

          @Override
          public @Nullable String check(int client, Answer answer) {
            result.add(read.apply(answer));
            return null;
          }
        };
    List<Connection> connections = transport.connect(Protocol.HTTP_1, 0, 1);
    try {
      ClosedLoop.Outcome outcome = ClosedLoop.run(connections, 1, once, REQUEST_MAX);
      if (result.isEmpty()) {
        throw new UnmeasurableException(
            request.method() + " " + request.path() + ": " + outcome.tally().errors());
      }
      return result.getFirst();
    } finally {
      connections.forEach(Connection::close);
    }
  }

  /** The newest version of a collection. */
  long version(LoadObjects objects) throws InterruptedException {
    return ask(Request.get(objects.collectionPath() + "?limit=1"), Answer::resourceVersion);
  }

  /** What is spent from here to {@link Metered#cost}. */
  Metered metered() {
    return new Metered(meter, meter.cpuSeconds(), generatorCpuSeconds());
  }

  /** The beginning of a measurement. */
  record Metered(Meter meter, double serverCpuSeconds, double generatorCpuSeconds) {

    Result.Cost cost() {
      return new Result.Cost(
          meter.cpuSeconds() - serverCpuSeconds,
          Bench.generatorCpuSeconds() - generatorCpuSeconds,
          meter.residentBytes());
    }
  }

  private static double generatorCpuSeconds() {
    var system =
        (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return system.getProcessCpuTime() / 1e9;
  }

  /** Bytes alive in the heap of a server of our own; not a number for any other. */
  double liveHeapBytes() throws InterruptedException {
    return ownServer == null ? Double.NaN : LiveHeap.bytes(ownServer.pid());
  }

  /** What the server says of its own heap, by the names of its metrics; nothing if it is silent. */
  Map<String, Double> heapMetrics() throws InterruptedException {
    var figures = new LinkedHashMap<String, Double>();
    Matcher line = HEAP_METRIC.matcher(ask(Request.get("/metrics"), Answer::text));
    while (line.find()) {
      figures.put(line.group(1), Double.parseDouble(line.group(2)));
    }
    return figures;
  }

  /**
   * Starts a server of our own again, on the same data.
   *
   * @return how many seconds it took to be ready
   */
  double restart(OwnServer server) throws IOException, InterruptedException {
    transport.close();
    OwnServer.Stop stop = server.stop();
    if (stop.exitCode() != 0) {
      say(
          String.format(
              Locale.ROOT,
              "the server ended with %d after %.1f s",
              stop.exitCode(),
              stop.seconds()));
    }
    double seconds = server.start();
    transport = new Transport(server.target(), settings.loops);
    meter = new Meter(List.of(server.pid()));
    return seconds;
  }

  /** Leaves a server that is not ours as it was found. */
  @Override
  public void close() throws InterruptedException {
    try {
      if (ownServer == null) {
        for (String namespace : namespaces) {
          empty(namespace);
          var _ = ask(Request.delete("/api/v1/namespaces/" + namespace), Answer::status);
        }
      }
    } finally {
      transport.close();
    }
  }
}
