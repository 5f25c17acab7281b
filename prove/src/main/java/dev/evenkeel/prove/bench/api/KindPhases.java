package dev.evenkeel.prove.bench.api;

import dev.evenkeel.prove.bench.api.load.Answer;
import dev.evenkeel.prove.bench.api.load.Beside;
import dev.evenkeel.prove.bench.api.load.ClosedLoop;
import dev.evenkeel.prove.bench.api.load.Documents;
import dev.evenkeel.prove.bench.api.load.Histogram;
import dev.evenkeel.prove.bench.api.load.Installation;
import dev.evenkeel.prove.bench.api.load.LoadKinds;
import dev.evenkeel.prove.bench.api.load.Script;
import dev.evenkeel.prove.bench.api.load.Scripts;
import dev.evenkeel.prove.bench.api.wire.Request;
import dev.evenkeel.prove.bench.api.wire.UnmeasurableException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Many custom kinds: how soon each can be used, what it costs in memory, what becomes of the
 * documents that tell of all of them, and of others' requests meanwhile.
 */
final class KindPhases {

  private static final Duration QUIET = Duration.ofSeconds(2);
  private static final Duration DOCUMENTS_MAX = Duration.ofMinutes(5);
  private static final Duration INSTALLATION_MIN = Duration.ofMinutes(1);
  private static final Duration A_KIND_MAX = Duration.ofMillis(200);
  private static final int TIMES = 21;
  private static final int LOOK_MILLIS = 10;

  /** As kubectl asks, the best first. */
  private static final String AGGREGATED =
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,"
          + "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,"
          + "application/json";

  private static final String JSON = "application/json";
  private static final String PROTOBUF =
      "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";

  private final Bench bench;
  private final LoadKinds kinds;

  KindPhases(Bench bench) {
    this.bench = bench;
    this.kinds = new LoadKinds(bench.run(), bench.settings().kinds);
  }

  void kinds(int size) throws InterruptedException {
    String namespace = bench.namespace("kinds", 0).namespace();
    try {
      install(size, namespace);
      describe(size, namespace);
    } finally {
      delete(size);
    }
  }

  /** What is read to see whether others are held up: a kind that is built in. */
  private static String other(String namespace) {
    return "/api/v1/namespaces/" + namespace;
  }

  private ClosedLoop.Outcome run(Beside script, Duration timeMax) throws InterruptedException {
    return bench.load(Beside.CLIENTS, script, timeMax);
  }

  private void install(int size, String namespace) throws InterruptedException {
    Map<String, Double> figures = new LinkedHashMap<>();
    double heapBefore = bench.liveHeapBytes();
    double residentBefore = bench.meter().residentBytes();
    // Warm-up first, then the same again.
    var _ = run(new Beside(Scripts.idle(QUIET), other(namespace)), QUIET.multipliedBy(2));
    var quiet = new Beside(Scripts.idle(QUIET), other(namespace));
    var _ = run(quiet, QUIET.multipliedBy(2));

    var installation = new Installation(kinds, namespace);
    var beside = new Beside(installation, other(namespace));
    Bench.Metered metered = bench.metered();
    ClosedLoop.Outcome outcome =
        run(beside, INSTALLATION_MIN.plus(A_KIND_MAX.multipliedBy(kinds.count())));
    Result.Cost cost = metered.cost();
    Histogram latencies = installation.latencies();
    double count = latencies.count();

    figures.put("bytes of a definition", (double) kinds.definition(0).length);
    figures.put("worst, ms", latencies.maxMillis());
    memory(figures, "live heap", heapBefore, bench.liveHeapBytes(), count);
    memory(figures, "resident", residentBefore, cost.residentBytes(), count);
    reads(figures, "get of another kind before", quiet.latencies());
    reads(figures, "get of another kind meanwhile", beside.latencies());
    bench.add(
        Result.of(
                "kinds",
                size,
                "kind",
                count,
                outcome.seconds(),
                latencies,
                outcome.tally().errors(),
                cost)
            .with(figures));
    if (count == 0) {
      throw new UnmeasurableException("no kind could be defined: " + outcome.tally().errors());
    }
  }

  private static void memory(
      Map<String, Double> figures, String what, double before, double after, double count) {
    figures.put(what + " MB before", before / 1e6);
    figures.put(what + " MB after", after / 1e6);
    figures.put(what + " KB a kind", (after - before) / 1e3 / count);
  }

  private static void reads(Map<String, Double> figures, String what, Histogram latencies) {
    figures.put(what + ", p50 ms", latencies.percentileMillis(0.50));
    figures.put(what + ", p99 ms", latencies.percentileMillis(0.99));
    figures.put(what + ", worst ms", latencies.maxMillis());
  }

  private void describe(int size, String namespace) throws InterruptedException {
    String version = "/apis/" + kinds.group(0) + "/" + LoadKinds.VERSION;
    var documents = new Documents(TIMES);
    documents.add("/apis, aggregated", Request.get("/apis", AGGREGATED));
    documents.add("/apis/GROUP/VERSION", Request.get(version, JSON));
    documents.add("/openapi/v3", Request.get("/openapi/v3", JSON));
    documents.add("/openapi/v3/…", Request.get("/openapi/v3" + version, JSON));
    documents.add("/openapi/v2, protobuf", Request.get("/openapi/v2", PROTOBUF));
    documents.add("/openapi/v2, JSON", Request.get("/openapi/v2", JSON));
    bench.meter().resetPeak();
    Bench.Metered metered = bench.metered();
    var beside = new Beside(documents, other(namespace));
    ClosedLoop.Outcome outcome = run(beside, DOCUMENTS_MAX);
    Map<String, Double> figures = new LinkedHashMap<>();
    for (Documents.Reading reading : documents.readings()) {
      figures.put(reading.name() + ", first, ms", reading.firstMillis());
      figures.put(reading.name() + ", again, p50 ms", reading.again().percentileMillis(0.5));
      figures.put(reading.name() + ", KB", reading.length() / 1e3);
    }
    reads(figures, "get of another kind meanwhile", beside.latencies());
    figures.put("resident MB at the peak", bench.meter().residentPeakBytes() / 1e6);
    figures.put("live heap MB after", bench.liveHeapBytes() / 1e6);
    bench.add(
        Result.ofFigures(
            "kinds, described", size, outcome.tally().errors(), metered.cost(), figures));
  }

  /** Deletes all of them, and waits until nothing tells of them. */
  private void delete(int size) throws InterruptedException {
    List<String> paths = IntStream.range(0, kinds.count()).mapToObj(kinds::definitionPath).toList();
    Duration timeMax = INSTALLATION_MIN.plus(A_KIND_MAX.multipliedBy(kinds.count()));
    Script script = Scripts.delete(paths);
    Bench.Metered metered = bench.metered();
    long start = System.nanoTime();
    ClosedLoop.Outcome outcome = bench.load(bench.settings().clients, script, timeMax);
    while (bench.ask(Request.get("/apis"), Answer::text).contains(kinds.domain())) {
      if (System.nanoTime() - start > timeMax.toNanos()) {
        throw new UnmeasurableException("kinds are still there after their deletion");
      }
      Thread.sleep(LOOK_MILLIS);
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    bench.add(
        Result.of(
                "kinds, deleted",
                size,
                "kind",
                (double) outcome.tally().count(),
                outcome.seconds(),
                outcome.tally().latencies(),
                outcome.tally().errors(),
                metered.cost())
            .with(Map.of("seconds until discovery has none", seconds)));
  }
}
