package dev.evenkeel.prove.bench.informer;

import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.observe.cache.Informer;
import dev.evenkeel.observe.cache.Informers;
import dev.evenkeel.observe.feed.FeedLimits;
import dev.evenkeel.observe.feed.Scope;
import dev.evenkeel.observe.http.HttpSettings;
import dev.evenkeel.observe.http.HttpTransport;
import dev.evenkeel.observe.object.Kinds;
import dev.evenkeel.observe.object.Trim;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import tools.jackson.databind.node.ObjectNode;

/**
 * What one informer took.
 *
 * @param seconds from its start until its cache shows every object
 * @param heapBytes that the heap grew by, after collecting garbage on both sides
 */
public record InformerRun(String who, int objects, double seconds, long heapBytes) {

  private static final int SYNC_SECONDS_MAX = 300;
  private static final int COLLECTIONS_MIN = 4;
  private static final int COLLECTIONS_MAX = 20;
  private static final long PAUSE_NANOS = 500_000_000L;

  /** An informer that is filled, for as long as its memory is looked at. */
  public interface Filled extends AutoCloseable {
    int objects();

    @Override
    void close();
  }

  /** Measures whatever fills a cache. */
  public static InformerRun of(String who, Supplier<Filled> fill) {
    long before = usedHeapBytes();
    long start = System.nanoTime();
    try (Filled filled = fill.get()) {
      double seconds = (System.nanoTime() - start) / 1e9;
      long held = usedHeapBytes() - before;
      return new InformerRun(who, filled.objects(), seconds, held);
    }
  }

  /** Our own, as users have it. */
  public static InformerRun ours(String who, Env env, HttpSettings settings, Trim trim) {
    return of(
        who,
        () -> {
          HttpTransport transport = HttpTransport.open(env, settings);
          var informers = new Informers(env, transport, FeedLimits.DEFAULTS);
          Informer<ObjectNode> informer = informers.informer(Kinds.PODS, Scope.ALL, trim);
          informer.synced().orTimeout(SYNC_SECONDS_MAX, TimeUnit.SECONDS).join();
          return new Filled() {
            @Override
            public int objects() {
              return informer.snapshot().size();
            }

            @Override
            public void close() {
              informers.close();
              transport.close();
            }
          };
        });
  }

  public double bytesPerObject() {
    return objects == 0 ? 0 : (double) heapBytes / objects;
  }

  /** Collects until nothing more goes: what was closed before may take a while to let go. */
  private static long usedHeapBytes() {
    Runtime runtime = Runtime.getRuntime();
    long before = Long.MAX_VALUE;
    for (int i = 0; i < COLLECTIONS_MAX; i++) {
      System.gc();
      long used = runtime.totalMemory() - runtime.freeMemory();
      if (i >= COLLECTIONS_MIN && used > before - before / 200) {
        return Math.min(used, before);
      }
      before = used;
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    return before;
  }
}
