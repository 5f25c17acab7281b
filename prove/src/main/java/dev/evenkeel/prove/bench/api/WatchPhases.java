package dev.evenkeel.prove.bench.api;

import dev.evenkeel.prove.bench.api.load.ClosedLoop;
import dev.evenkeel.prove.bench.api.load.Histogram;
import dev.evenkeel.prove.bench.api.load.LoadObjects;
import dev.evenkeel.prove.bench.api.load.Watchers;
import dev.evenkeel.prove.bench.api.load.Writers;
import dev.evenkeel.prove.bench.api.wire.Connection;
import dev.evenkeel.prove.bench.api.wire.Protocol;
import dev.evenkeel.prove.bench.api.wire.UnmeasurableException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Watches: many of one namespace while it changes, on shared connections and on connections of
 * their own, one that never reads, and idle ones.
 */
final class WatchPhases {

  /** Changed by the writers in turn; few, because it is the watchers that are measured. */
  private static final int WATCHED_OBJECTS = 100;

  private static final Duration FILL_MAX = Duration.ofSeconds(30);
  private static final Duration QUIET_MAX = Duration.ofSeconds(5);

  /** Figures of those who write, their time to warm up included. */
  static final String WRITERS_P50 = "writers' p50, ms";

  static final String WRITERS_P99 = "writers' p99, ms";

  private final Bench bench;
  private final Settings settings;
  private @Nullable LoadObjects watched;

  WatchPhases(Bench bench) {
    this.bench = bench;
    this.settings = bench.settings();
  }

  /** As fast as the watchers follow, then at a fixed rate. */
  void watch(int size) throws InterruptedException {
    try (Watchers watchers = open()) {
      run("watch", size, watchers, asUsual(), 0);
    }
    if (settings.watchRate > 0) {
      try (Watchers watchers = open()) {
        run("watch, fixed rate", size, watchers, asUsual(), settings.watchRate);
      }
    }
  }

  /**
   * Watchers on connections of their own, few writers: as fast as both can, then at a fixed rate.
   */
  void fanOut(int size) throws InterruptedException {
    for (int count : settings.fanOut) {
      String phase = String.format(Locale.ROOT, "fan-out, %,d connections", count);
      Writing few = new Writing(Protocol.HTTP_1, settings.fanOutWriters);
      try (Watchers watchers = openOwn(count)) {
        run(phase, size, watchers, few, 0);
      }
      if (settings.fanOutRate > 0) {
        try (Watchers watchers = openOwn(count)) {
          run(phase + ", fixed rate", size, watchers, few, settings.fanOutRate / count);
        }
      }
    }
  }

  /** The same load without and with a watcher that never reads. */
  void stalled(int size) throws InterruptedException {
    try (Watchers watchers = open()) {
      run("none stalled", size, watchers, asUsual(), 0);
    }
    try (Watchers watchers = open()) {
      Connection stalled =
          Watchers.openStalled(bench.transport(), settings.watchProtocol(), path());
      try {
        run("one stalled", size, watchers, asUsual(), 0);
      } finally {
        stalled.close();
      }
    }
  }

  private LoadObjects watched() throws InterruptedException {
    if (watched == null) {
      watched = bench.namespace("watched", settings.payloadBytes);
      int size = Math.max(WATCHED_OBJECTS, settings.clients);
      ClosedLoop.Outcome outcome = bench.fill(watched, size, settings.clients, FILL_MAX);
      if (outcome.tally().count() < size) {
        throw new UnmeasurableException(
            "the watched objects could not be created: " + outcome.tally().errors());
      }
    }
    return watched;
  }

  private String path() throws InterruptedException {
    LoadObjects objects = watched();
    return objects.collectionPath()
        + "?watch=true&timeoutSeconds=3600&resourceVersion="
        + bench.version(objects);
  }

  private Watchers open() throws InterruptedException {
    return Watchers.open(
        bench.transport(),
        settings.watchProtocol(),
        settings.watchConnections,
        settings.watchers,
        path());
  }

  private Watchers openOwn(int count) throws InterruptedException {
    return Watchers.open(bench.transport(), Protocol.HTTP_1, count, count, path());
  }

  /** Who changes what is watched. */
  private record Writing(Protocol protocol, int clients) {}

  private Writing asUsual() {
    return new Writing(settings.requestProtocol(), settings.clients);
  }

  private void run(String phase, int size, Watchers watchers, Writing writing, double perSecond)
      throws InterruptedException {
    var writers =
        new Writers(
            watched(),
            writing.clients(),
            () -> watchers.delivered() / watchers.size(),
            settings.backlog,
            perSecond);
    var outcome = new AtomicReference<ClosedLoop.@Nullable Outcome>();
    List<Connection> connections = bench.connect(writing.protocol(), writing.clients());
    Thread load =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    outcome.set(
                        ClosedLoop.run(
                            connections,
                            writing.clients(),
                            writers,
                            settings.warmUp().plus(settings.time())));
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                });
    Thread.sleep(settings.warmUp());
    watchers.startTiming();
    Bench.Metered metered = bench.metered();
    long before = watchers.delivered();
    long start = System.nanoTime();
    load.join(settings.time());
    long delivered = watchers.delivered() - before;
    double seconds = (System.nanoTime() - start) / 1e9;
    Result.Cost cost = metered.cost();
    load.join();
    connections.forEach(Connection::close);

    long[] written = writers.versions();
    watchers.awaitEach(written.length, QUIET_MAX);
    bench.add(
        Result.of(
                phase,
                size,
                "delivery",
                (double) delivered,
                seconds,
                watchers.latencies(),
                errors(outcome.get(), watchers.verify(written)),
                cost)
            .with(figures(watchers, written.length, outcome.get())));
  }

  private static Map<String, Long> errors(
      ClosedLoop.@Nullable Outcome writers, Map<String, Integer> faults) {
    var errors = new TreeMap<String, Long>();
    if (writers == null) {
      errors.put("writers: failed", 1L);
    } else {
      writers.tally().errors().forEach((kind, count) -> errors.put("writers: " + kind, count));
    }
    faults.forEach((kind, count) -> errors.put("watchers: " + kind, (long) count));
    return errors;
  }

  private static Map<String, Double> figures(
      Watchers watchers, int changes, ClosedLoop.@Nullable Outcome writers) {
    var figures = new LinkedHashMap<String, Double>();
    figures.put("watchers", (double) watchers.size());
    figures.put("connections", (double) watchers.connectionCount());
    figures.put("changes", (double) changes);
    if (writers != null) {
      Histogram answers = writers.tally().latencies();
      figures.put(WRITERS_P50, answers.percentileMillis(0.50));
      figures.put(WRITERS_P99, answers.percentileMillis(0.99));
    }
    return figures;
  }

  /** Watches to which nothing happens: what one costs to hold. */
  void idle(int size) throws InterruptedException {
    double heapBefore = bench.liveHeapBytes();
    double residentBefore = bench.meter().residentBytes();
    Bench.Metered metered = bench.metered();
    long start = System.nanoTime();
    try (Watchers watchers =
        Watchers.open(
            bench.transport(),
            settings.watchProtocol(),
            settings.watchConnections,
            settings.idleWatchers,
            path())) {
      double openSeconds = (System.nanoTime() - start) / 1e9;
      Result.Cost opening = metered.cost();
      Thread.sleep(settings.warmUp());
      double residentAfter = bench.meter().residentBytes();
      Bench.Metered holding = bench.metered();
      Thread.sleep(settings.warmUp());
      double cpuHeld = holding.cost().serverCpuSeconds();
      double heapAfter = bench.liveHeapBytes();
      var errors = new TreeMap<String, Long>();
      watchers.ended().forEach((kind, count) -> errors.put("watchers: " + kind, (long) count));
      // That they are alive: one change reaches all of them.
      touch(watchers, errors);
      var figures = new LinkedHashMap<String, Double>();
      figures.put("watches", (double) watchers.size());
      figures.put("connections", (double) watchers.connectionCount());
      figures.put("seconds to open", openSeconds);
      figures.put("resident bytes a watch", (residentAfter - residentBefore) / watchers.size());
      figures.put("live heap bytes a watch", (heapAfter - heapBefore) / watchers.size());
      figures.put("server CPU share while idle", cpuHeld / (settings.warmUp().toMillis() / 1e3));
      bench.add(
          Result.ofFigures(
              "idle",
              size,
              errors,
              new Result.Cost(
                  opening.serverCpuSeconds(), opening.generatorCpuSeconds(), residentAfter),
              figures));
    }
  }

  private void touch(Watchers watchers, Map<String, Long> errors) throws InterruptedException {
    var writers = new Writers(watched(), 1, () -> 0, 1, 0);
    // A backlog of one that nobody works off: one change, then the time is up.
    ClosedLoop.Outcome outcome = bench.load(1, writers, Duration.ofMillis(500));
    outcome.tally().errors().forEach((kind, count) -> errors.put("writers: " + kind, count));
    watchers.awaitEach(1, QUIET_MAX);
    watchers
        .verify(writers.versions())
        .forEach((kind, count) -> errors.put("watchers: " + kind, (long) count));
  }
}
