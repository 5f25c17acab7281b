package dev.evenkeel.prove.bench.store;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.store.RangeQuery;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.StoreStats;
import dev.evenkeel.store.Txn;
import dev.evenkeel.store.TxnResult;
import dev.evenkeel.store.Watch;
import dev.evenkeel.store.WatchQuery;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;

/** The load, the same for every engine. */
final class Measurements {

  private static final int NAMESPACES = 1000;
  private static final int FILL_KEYS_PER_COMMIT = 100;
  private static final int FILLS_IN_FLIGHT = 16;

  private final Engine engine;
  private final int size;
  private final int writers;
  private final int seconds;
  private final Bytes value;
  private final Bytes[] keys;
  private final Map<Figure, Double> figures = new EnumMap<>(Figure.class);

  Measurements(Engine engine, int size, int writers, int valueBytes, int seconds) {
    this.engine = engine;
    this.size = size;
    this.writers = writers;
    this.seconds = seconds;
    byte[] bytes = new byte[valueBytes];
    new java.util.Random(1).nextBytes(bytes);
    this.value = Bytes.wrap(bytes);
    this.keys = new Bytes[size];
    for (int i = 0; i < size; i++) {
      keys[i] = key(i);
    }
  }

  private static Bytes key(int i) {
    return Bytes.utf8("/registry/configmaps/%s/object-%08d".formatted(namespace(i), i));
  }

  private static String namespace(int i) {
    return "namespace-%04d".formatted(i % NAMESPACES);
  }

  /** A value of its own for every write, as in life. */
  private Bytes freshValue() {
    return Bytes.wrap(value.array().clone());
  }

  Map<Figure, Double> all() throws InterruptedException {
    try (Store store = engine.open()) {
      fill(store);
      commits(store);
      watched(store);
      reads(store, Figure.READS_PER_SECOND);
      ranges(store);
      StoreStats stats = store.stats().join();
      if (stats.diskBytes() > 0) {
        figures.put(Figure.DISK_BYTES_PER_KEY, (double) stats.diskBytes() / size);
      }
    }
    if (engine.durable()) {
      start();
    }
    return figures;
  }

  private void fill(Store store) {
    var flying = new java.util.ArrayDeque<java.util.concurrent.CompletableFuture<TxnResult>>();
    for (int i = 0; i < size; ) {
      var txn = Txn.builder();
      for (int j = 0; j < FILL_KEYS_PER_COMMIT && i < size; j++, i++) {
        txn.put(keys[i], freshValue());
      }
      flying.add(store.commit(txn.build()));
      if (flying.size() >= FILLS_IN_FLIGHT) {
        var _ = flying.remove().join();
      }
    }
    flying.forEach(java.util.concurrent.CompletableFuture::join);
  }

  private void commits(Store store) throws InterruptedException {
    var _ = write(store, Math.max(1, seconds / 2));
    Duration cpuBefore = engine.cpu();
    Rate rate = write(store, seconds);
    Duration cpu = engine.cpu().minus(cpuBefore);
    figures.put(Figure.COMMITS_PER_SECOND, rate.perSecond());
    figures.put(Figure.COMMIT_P50_MILLIS, rate.p50Millis());
    figures.put(Figure.COMMIT_P99_MILLIS, rate.p99Millis());
    figures.put(Figure.COMMIT_CPU_MICROS, cpu.toNanos() / 1e3 / rate.count());
  }

  /** What was done in how long. */
  private record Rate(long count, double seconds, double p50Millis, double p99Millis) {

    static Rate of(long[] sortedNanos, double seconds) {
      return new Rate(
          sortedNanos.length,
          seconds,
          percentileMillis(sortedNanos, 0.50),
          percentileMillis(sortedNanos, 0.99));
    }

    private static double percentileMillis(long[] sortedNanos, double share) {
      return sortedNanos.length == 0
          ? Double.NaN
          : sortedNanos[(int) (share * sortedNanos.length)] / 1e6;
    }

    double perSecond() {
      return count / seconds;
    }
  }

  /** Writers that each change keys of their own, on the condition that nobody else has. */
  private Rate write(Store store, int forSeconds) throws InterruptedException {
    var samples = new ArrayList<long[]>();
    var threads = new ArrayList<Thread>();
    long start = System.nanoTime();
    long end = start + Duration.ofSeconds(forSeconds).toNanos();
    for (int w = 0; w < writers; w++) {
      int writer = w;
      threads.add(
          Thread.startVirtualThread(
              () -> {
                long[] own = writeUntil(store, writer, end);
                synchronized (samples) {
                  samples.add(own);
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    double took = (System.nanoTime() - start) / 1e9;
    long[] all = samples.stream().flatMapToLong(Arrays::stream).sorted().toArray();
    return Rate.of(all, took);
  }

  private long[] writeUntil(Store store, int writer, long end) {
    var random = new SplittableRandom(writer);
    long[] nanos = new long[1024];
    int count = 0;
    while (System.nanoTime() < end) {
      Bytes key = keys[random.nextInt(size / writers) * writers + writer];
      long before = System.nanoTime();
      TxnResult result =
          store.commit(Txn.builder().ifExists(key).put(key, freshValue()).build()).join();
      if (!(result instanceof TxnResult.Committed)) {
        throw new IllegalStateException("a writer's own key was gone: " + result);
      }
      if (count == nanos.length) {
        nanos = Arrays.copyOf(nanos, 2 * count);
      }
      nanos[count++] = System.nanoTime() - before;
    }
    return Arrays.copyOf(nanos, count);
  }

  private void watched(Store store) throws InterruptedException {
    var delivered = new LongAdder();
    long from = store.currentRevision().join() + 1;
    var watches = new ArrayList<Watch>();
    for (int i = 0; i < NAMESPACES; i++) {
      Watch watch =
          store.watch(
              WatchQuery.prefix(Bytes.utf8("/registry/configmaps/" + namespace(i) + "/"), from));
      watches.add(watch);
      follow(watch, delivered);
    }
    Rate rate = write(store, seconds);
    figures.put(Figure.WATCHED_COMMITS_PER_SECOND, rate.perSecond());
    figures.put(Figure.FEEDS_PER_COMMIT, (double) delivered.sum() / rate.count());
    watches.forEach(Watch::close);
  }

  private static void follow(Watch watch, LongAdder delivered) {
    var _ =
        watch
            .next()
            .whenComplete(
                (batch, error) -> {
                  if (error == null) {
                    if (!batch.commits().isEmpty()) {
                      delivered.increment();
                    }
                    follow(watch, delivered);
                  }
                });
  }

  private void reads(Store store, Figure figure) throws InterruptedException {
    if (figure == Figure.READS_PER_SECOND) {
      warmCache(store);
    }
    var _ = read(store, Math.max(1, seconds / 2));
    figures.put(figure, read(store, seconds));
  }

  /** Reads every value once, so that a cache holds what it can. */
  private void warmCache(Store store) {
    if (engine.inHeap()) {
      for (Bytes key : keys) {
        var _ = store.get(key, Store.NEWEST).join();
      }
    }
  }

  private double read(Store store, int forSeconds) throws InterruptedException {
    // Local engines answer on the caller's thread, so a reader a core; remote ones need many.
    int readers = engine.inHeap() ? Runtime.getRuntime().availableProcessors() : writers;
    var count = new LongAdder();
    var threads = new ArrayList<Thread>();
    long start = System.nanoTime();
    long end = start + Duration.ofSeconds(forSeconds).toNanos();
    for (int r = 0; r < readers; r++) {
      int reader = r;
      Runnable work =
          () -> {
            var random = new SplittableRandom(reader);
            while (System.nanoTime() < end) {
              for (int i = 0; i < 16; i++) {
                if (store.get(keys[random.nextInt(keys.length)], Store.NEWEST).join().item()
                    == null) {
                  throw new IllegalStateException("a key is gone");
                }
              }
              count.add(16);
            }
          };
      threads.add(
          engine.inHeap() ? Thread.ofPlatform().start(work) : Thread.startVirtualThread(work));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return count.sum() / ((System.nanoTime() - start) / 1e9);
  }

  private void ranges(Store store) {
    long start = System.nanoTime();
    long end = start + Duration.ofSeconds(seconds).toNanos();
    long read = 0;
    int namespace = 0;
    while (System.nanoTime() < end) {
      Bytes prefix = Bytes.utf8("/registry/configmaps/" + namespace(namespace++) + "/");
      read += store.range(RangeQuery.prefix(prefix)).join().items().size();
    }
    figures.put(Figure.RANGE_KEYS_PER_SECOND, read / ((System.nanoTime() - start) / 1e9));
  }

  /** Opens what is there, without a cache: time, heap, and reads that go to the disk. */
  private void start() throws InterruptedException {
    long before = usedHeapBytes();
    long start = System.nanoTime();
    try (Store store = engine.openUncached()) {
      var _ = store.currentRevision().join();
      figures.put(Figure.START_MILLIS, (System.nanoTime() - start) / 1e6);
      if (engine.inHeap()) {
        figures.put(Figure.HEAP_BYTES_PER_KEY, (double) (usedHeapBytes() - before) / size);
        reads(store, Figure.READS_UNCACHED_PER_SECOND);
      }
    }
  }

  private static long usedHeapBytes() throws InterruptedException {
    for (int i = 0; i < 3; i++) {
      System.gc();
      Thread.sleep(100);
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
