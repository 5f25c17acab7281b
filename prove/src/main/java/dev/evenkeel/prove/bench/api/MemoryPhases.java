package dev.evenkeel.prove.bench.api;

import dev.evenkeel.prove.bench.api.load.Answer;
import dev.evenkeel.prove.bench.api.load.ClosedLoop;
import dev.evenkeel.prove.bench.api.load.LoadObjects;
import dev.evenkeel.prove.bench.api.load.Scripts;
import dev.evenkeel.prove.bench.api.server.OwnServer;
import dev.evenkeel.prove.bench.api.wire.Request;
import dev.evenkeel.prove.bench.api.wire.UnmeasurableException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/** What things cost in memory, and how long a start takes. */
final class MemoryPhases {

  private static final Duration FILL_MAX = Duration.ofMinutes(10);
  private static final Duration LISTS_MAX = Duration.ofMinutes(2);
  private static final int BIG_LIST_OBJECTS = 1000;
  private static final int SAMPLE_OBJECTS = 100;
  private static final int SAMPLE_MILLIS = 10;

  private final Bench bench;
  private final Settings settings;

  MemoryPhases(Bench bench) {
    this.bench = bench;
    this.settings = bench.settings();
  }

  /** Starts a server of our own again and again, on all that it holds. */
  void start(int size, OwnServer server) throws IOException, InterruptedException {
    var seconds = new ArrayList<Double>();
    for (int i = 0; i < settings.starts; i++) {
      seconds.add(bench.restart(server));
    }
    List<Double> sorted = seconds.stream().sorted().toList();
    var figures = new LinkedHashMap<String, Double>();
    figures.put("seconds to ready, median", sorted.get(sorted.size() / 2));
    figures.put("seconds to ready, worst", sorted.getLast());
    bench.add(
        Result.ofFigures(
            "start",
            size,
            Map.of(),
            new Result.Cost(bench.meter().cpuSeconds(), Double.NaN, bench.meter().residentBytes()),
            figures));
  }

  /** Many lists at once, each large. */
  void bigLists(int size) throws InterruptedException {
    int payloadBytes = settings.bigListMegabytes * 1_000_000 / BIG_LIST_OBJECTS;
    LoadObjects objects = bench.namespace("big", payloadBytes);
    ClosedLoop.Outcome created = bench.fill(objects, BIG_LIST_OBJECTS, 8, FILL_MAX);
    if (created.tally().count() < BIG_LIST_OBJECTS) {
      throw new UnmeasurableException(
          "the objects to list could not be created: " + created.tally().errors());
    }
    String path = objects.collectionPath();
    long lengthMin = (long) BIG_LIST_OBJECTS * payloadBytes;
    // One alone first, for comparison and to warm up.
    var _ = bench.load(1, Scripts.repeat(path, lengthMin, 3), LISTS_MAX);
    ClosedLoop.Outcome alone = bench.load(1, Scripts.repeat(path, lengthMin, 3), LISTS_MAX);

    double residentBefore = bench.meter().residentBytes();
    bench.meter().resetPeak();
    Bench.Metered metered = bench.metered();
    var lists = settings.bigLists;
    try (var peak = new PeakSampler(bench)) {
      ClosedLoop.Outcome outcome =
          bench.load(lists, Scripts.repeat(path, lengthMin, lists), LISTS_MAX);
      double peakBytes = Math.max(peak.bytes(), bench.meter().residentPeakBytes());
      var figures = new LinkedHashMap<String, Double>();
      figures.put("lists", (double) lists);
      figures.put("resident MB before", residentBefore / 1e6);
      figures.put("resident MB at the peak", peakBytes / 1e6);
      figures.put("resident MB of growth", (peakBytes - residentBefore) / 1e6);
      figures.put("slowest list, ms", outcome.tally().latencies().maxMillis());
      figures.put("one list alone, ms", alone.tally().latencies().percentileMillis(0.5));
      bench.add(
          Result.of(
                  "biglists",
                  size,
                  "MB",
                  outcome.tally().bytes() / 1e6,
                  outcome.seconds(),
                  outcome.tally().latencies(),
                  outcome.tally().errors(),
                  metered.cost())
              .with(figures));
    }
  }

  /** Looks at the resident memory often, for systems that do not let the peak be reset. */
  private static final class PeakSampler implements AutoCloseable {

    private final AtomicBoolean over = new AtomicBoolean();
    private final Thread thread;
    private volatile double bytes;

    PeakSampler(Bench bench) {
      thread =
          Thread.ofPlatform()
              .daemon()
              .start(
                  () -> {
                    try {
                      while (!over.get()) {
                        bytes = Math.max(bytes, bench.meter().residentBytes());
                        Thread.sleep(SAMPLE_MILLIS);
                      }
                    } catch (InterruptedException e) {
                      Thread.currentThread().interrupt();
                    }
                  });
    }

    double bytes() {
      return bytes;
    }

    @Override
    public void close() throws InterruptedException {
      over.set(true);
      thread.join();
    }
  }

  /** Many objects: what one costs, as a multiple of its JSON. */
  void objects(int size) throws InterruptedException {
    LoadObjects objects = bench.namespace("many", settings.payloadBytes);
    double heapBefore = bench.liveHeapBytes();
    double residentBefore = bench.meter().residentBytes();
    Bench.Metered metered = bench.metered();
    ClosedLoop.Outcome outcome = bench.fill(objects, settings.objects, settings.clients, FILL_MAX);
    Result.Cost cost = metered.cost();
    Map<String, Double> said = bench.heapMetrics();
    double heapAfter = bench.liveHeapBytes();
    double count = outcome.tally().count();
    double jsonBytes = jsonBytes(objects);
    var figures = new LinkedHashMap<String, Double>();
    figures.put("objects", count);
    figures.put("JSON bytes an object", jsonBytes);
    double residentPerObject = (cost.residentBytes() - residentBefore) / count;
    double heapPerObject = (heapAfter - heapBefore) / count;
    figures.put("resident bytes an object", residentPerObject);
    figures.put("resident, as a multiple of its JSON", residentPerObject / jsonBytes);
    figures.put("live heap bytes an object", heapPerObject);
    figures.put("live heap, as a multiple of its JSON", heapPerObject / jsonBytes);
    figures.putAll(said);
    bench.add(
        Result.of(
                "objects",
                size + (int) count,
                "request",
                count,
                outcome.seconds(),
                outcome.tally().latencies(),
                outcome.tally().errors(),
                cost)
            .with(figures));
  }

  /** What an object weighs as the server sends it, on average. */
  private double jsonBytes(LoadObjects objects) throws InterruptedException {
    String path = objects.collectionPath() + "?limit=" + SAMPLE_OBJECTS;
    return (double) bench.ask(Request.get(path), Answer::length) / SAMPLE_OBJECTS;
  }
}
