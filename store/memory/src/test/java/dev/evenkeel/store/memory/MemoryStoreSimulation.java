package dev.evenkeel.store.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.kernel.env.SimulatedEnv;
import dev.evenkeel.store.Event;
import dev.evenkeel.store.RangeQuery;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.StoreException;
import dev.evenkeel.store.Txn;
import dev.evenkeel.store.TxnResult;
import dev.evenkeel.store.Watch;
import dev.evenkeel.store.WatchBatch;
import dev.evenkeel.store.WatchQuery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * Writers, a compactor and watchers on the deterministic loop: a thousand seeds, each another
 * interleaving. Whatever the order, a watcher's own map ends as the store's, and the same seed
 * takes the same way again.
 */
final class MemoryStoreSimulation {

  private static final int SEEDS = 1000;
  private static final int WRITES = 60;
  private static final int KEYS = 6;

  /** What a run came to, to be compared with another of the same seed. */
  private record Ending(long trace, long revision, int relists, List<String> state) {}

  @Test
  void everyWatcherEndsWithTheStoresState_inAThousandInterleavings() {
    int relists = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      relists += run(seed).relists;
    }
    assertThat(relists).as("compaction overtakes a watcher now and then").isPositive();
  }

  @Test
  void theSameSeed_takesTheSameWay() {
    for (long seed = 0; seed < 20; seed++) {
      assertThat(run(seed)).isEqualTo(run(seed));
    }
    assertThat(run(1).trace).isNotEqualTo(run(2).trace);
  }

  private static Ending run(long seed) {
    var env = new SimulatedEnv(seed);
    try (Store store = MemoryStore.open(env)) {
      var writers = List.of(new Writer(env, store, "a"), new Writer(env, store, "b"));
      var mirrors = new ArrayList<Mirror>();
      for (int i = 0; i < 3; i++) {
        mirrors.add(new Mirror(env, store));
      }
      var compactor = new Compactor(env, store);
      writers.forEach(Writer::start);
      mirrors.forEach(Mirror::start);
      compactor.start();
      env.runFor(Duration.ofMinutes(5));

      List<String> state = lines(store);
      long revision = store.currentRevision().join();
      int relists = 0;
      for (Mirror mirror : mirrors) {
        assertThat(mirror.revision)
            .as("seed %d: how far the mirror came", seed)
            .isEqualTo(revision);
        assertThat(mirror.lines()).as("seed %d", seed).isEqualTo(state);
        relists += mirror.relists;
      }
      assertThat(writers).as("seed %d", seed).allMatch(writer -> writer.left == 0);
      return new Ending(env.traceHash(), revision, relists, state);
    }
  }

  private static List<String> lines(Store store) {
    return store.range(RangeQuery.prefix(Bytes.EMPTY)).join().items().stream()
        .map(item -> item.key() + "=" + item.value() + "@" + item.modRevision())
        .toList();
  }

  /**
   * Changes keys on the condition that they are as last seen, and looks again when they are not.
   */
  private static final class Writer {
    private final Loop loop;
    private final Store store;
    private final RandomGenerator random;
    private final String name;
    private int left = WRITES;

    Writer(SimulatedEnv env, Store store, String name) {
      this.loop = env.loop("writer-" + name);
      this.store = store;
      this.random = env.random();
      this.name = name;
    }

    void start() {
      var _ = loop.runLater(Duration.ofMillis(random.nextInt(50)), this::write);
    }

    private void write() {
      Bytes key = Bytes.utf8("k" + random.nextInt(KEYS));
      Bytes other = Bytes.utf8("other" + random.nextInt(KEYS));
      var current = store.get(key, Store.NEWEST).join().item();
      var txn = Txn.builder().ifModRevision(key, current == null ? 0 : current.modRevision());
      if (random.nextInt(4) == 0) {
        txn.delete(key);
      } else {
        txn.put(key, Bytes.utf8(name + left));
      }
      if (random.nextBoolean()) {
        txn.put(other, Bytes.utf8(name + left));
      }
      var _ =
          store
              .commit(txn.build())
              .thenAcceptAsync(
                  result -> {
                    if (result instanceof TxnResult.Committed) {
                      left--;
                    }
                    if (left > 0) {
                      start();
                    }
                  },
                  loop);
    }
  }

  /** Forgets history now and then, without asking anybody. */
  private static final class Compactor {
    private final Loop loop;
    private final Store store;
    private int left = 10;

    Compactor(SimulatedEnv env, Store store) {
      this.loop = env.loop("compactor");
      this.store = store;
    }

    void start() {
      var _ = loop.runLater(Duration.ofMillis(150), this::compact);
    }

    private void compact() {
      long revision = store.currentRevision().join();
      var _ =
          store
              .compact(revision)
              .handleAsync(
                  (_, _) -> {
                    if (--left > 0) {
                      start();
                    }
                    return null;
                  },
                  loop);
    }
  }

  /** Lists, then watches; lists anew when told that its place was compacted. Slow on purpose. */
  private static final class Mirror {
    private final Loop loop;
    private final Store store;
    private final RandomGenerator random;
    private final TreeMap<Bytes, String> state = new TreeMap<>();
    private long revision;
    private int relists = -1;

    Mirror(SimulatedEnv env, Store store) {
      this.loop = env.loop("mirror");
      this.store = store;
      this.random = env.random();
    }

    void start() {
      loop.execute(this::list);
    }

    private void list() {
      relists++;
      state.clear();
      var found = store.range(RangeQuery.prefix(Bytes.EMPTY)).join();
      found.items().forEach(item -> state.put(item.key(), item.value() + "@" + item.modRevision()));
      revision = found.revision();
      Watch watch = store.watch(WatchQuery.prefix(Bytes.EMPTY, revision + 1));
      var _ = loop.runLater(Duration.ofMillis(random.nextInt(400)), () -> follow(watch));
    }

    private void follow(Watch watch) {
      var _ =
          watch
              .next()
              .whenCompleteAsync(
                  (batch, error) -> {
                    if (error == null) {
                      apply(batch);
                      var _ =
                          loop.runLater(
                              Duration.ofMillis(random.nextInt(100)), () -> follow(watch));
                    } else if (cause(error) instanceof StoreException.Compacted) {
                      list();
                    }
                  },
                  loop);
    }

    private static Throwable cause(Throwable error) {
      return error instanceof CompletionException wrapped && wrapped.getCause() != null
          ? wrapped.getCause()
          : error;
    }

    private void apply(WatchBatch batch) {
      for (WatchBatch.Commit commit : batch.commits()) {
        assertThat(commit.revision()).isGreaterThan(revision);
        revision = commit.revision();
        for (Event event : commit.events()) {
          switch (event) {
            case Event.Put put ->
                state.put(put.key(), put.current().value() + "@" + put.current().modRevision());
            case Event.Delete delete -> state.remove(delete.key());
          }
        }
      }
      revision = batch.revision();
    }

    List<String> lines() {
      var lines = new ArrayList<String>();
      state.forEach((key, value) -> lines.add(key + "=" + value));
      return lines;
    }
  }
}
