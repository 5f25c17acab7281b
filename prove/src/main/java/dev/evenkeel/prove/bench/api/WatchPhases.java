package dev.evenkeel.prove.bench.api;

import dev.evenkeel.prove.bench.api.load.ClosedLoop;
import dev.evenkeel.prove.bench.api.load.LoadObjects;
import dev.evenkeel.prove.bench.api.load.Watchers;
import dev.evenkeel.prove.bench.api.load.Writers;
import dev.evenkeel.prove.bench.api.wire.Connection;
import dev.evenkeel.prove.bench.api.wire.UnmeasurableException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Watches: many of one namespace while it changes, one that never reads, and idle ones. */
final class WatchPhases {

  /** Changed by the writers in turn; few, because it is the watchers that are measured. */
  private static final int WATCHED_OBJECTS = 100;

  private static final Duration FILL_MAX = Duration.ofSeconds(30);
  private static final Duration QUIET_MAX = Duration.ofSeconds(5);

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
      run("watch", size, watchers, 0);
    }
    if (settings.watchRate > 0) {
      try (Watchers watchers = open()) {
        run("watch, fixed rate", size, watchers, settings.watchRate);
      }
    }
  }

  /** The same load without and with a watcher that never reads. */
  void stalled(int size) throws InterruptedException {
    try (Watchers watchers = open()) {
      run("none stalled", size, watchers, 0);
    }
    try (Watchers watchers = open()) {
      Connection stalled =
          Watchers.openStalled(bench.transport(), settings.watchProtocol(), path());
      try {
        run("one stalled", size, watchers, 0);
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

  private void run(String phase, int size, Watchers watchers, double perSecond)
      throws InterruptedException {
    var writers =
        new Writers(
            watched(),
            settings.clients,
            () -> watchers.delivered() / watchers.size(),
            settings.backlog,
            perSecond);
    var outcome = new AtomicReference<ClosedLoop.@Nullable Outcome>();
    List<Connection> connections = bench.connect(settings.clients);
    Thread writing =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    outcome.set(
                        ClosedLoop.run(
                            connections,
                            settings.clients,
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
    writing.join(settings.time());
    long delivered = watchers.delivered() - before;
    double seconds = (System.nanoTime() - start) / 1e9;
    Result.Cost cost = metered.cost();
    writing.join();
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
            .with(
                figures(
                    "watchers", watchers.size(),
                    "connections", watchers.connectionCount(),
                    "changes", written.length)));
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
      String first, double a, String second, double b, String third, double c) {
    var figures = new LinkedHashMap<String, Double>();
    figures.put(first, a);
    figures.put(second, b);
    figures.put(third, c);
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
