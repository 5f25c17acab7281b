package dev.evenkeel.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.store.GetResult;
import dev.evenkeel.store.KeyValue;
import dev.evenkeel.store.RangeQuery;
import dev.evenkeel.store.RangeResult;
import dev.evenkeel.store.SnapshotInfo;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.StoreException;
import dev.evenkeel.store.Txn;
import dev.evenkeel.store.TxnResult;
import dev.evenkeel.store.WatchQuery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Snapshots of a running store, and stores started from them. */
abstract class SnapshotContract extends ContractPart {

  @TempDir Path folder;

  @Test
  void snapshot_saysWhatIsInTheFile() throws IOException {
    put("a", "1");
    put("b", "1");
    long newest = delete("a");
    Path file = folder.resolve("snapshot");
    SnapshotInfo info = await(store().snapshot(file));
    assertThat(info.revision()).isEqualTo(newest);
    assertThat(info.keys()).isEqualTo(1);
    assertThat(info.bytes()).isEqualTo(Files.size(file)).isPositive();
  }

  @Test
  void restoredStore_hasEqualState() {
    long created = put("a", "1");
    long changed = put("a", "2");
    put("gone", "1");
    delete("gone");
    long binary = committed(Txn.put(bytes(0xff, 0x00), bytes(0x00, 0xff)));

    Store restored = snapshotAndRestore();
    assertThat(all(restored).items())
        .containsExactly(
            new KeyValue(key("a"), key("2"), created, changed, 2),
            new KeyValue(bytes(0xff, 0x00), bytes(0x00, 0xff), binary, binary, 1));
    assertThat(await(restored.get(key("gone"), Store.NEWEST)).item()).isNull();
  }

  @Test
  void restoredStore_goesOnBehindTheSnapshotsRevision() {
    long created = put("a", "1");
    Path file = folder.resolve("snapshot");
    SnapshotInfo info = await(store().snapshot(file));
    Store restored = closedAfterwards(fixture().restore(file));
    assertThat(await(restored.currentRevision())).isGreaterThanOrEqualTo(info.revision());

    TxnResult result =
        await(
            restored.commit(
                Txn.builder().ifModRevision(key("a"), created).put(key("a"), key("2")).build()));
    assertThat(result).isInstanceOf(TxnResult.Committed.class);
    assertThat(result.revision()).isGreaterThan(info.revision());
    assertThat(await(restored.get(key("a"), Store.NEWEST)))
        .isEqualTo(
            new GetResult(
                result.revision(),
                new KeyValue(key("a"), key("2"), created, result.revision(), 2)));
  }

  @Test
  void restoredStore_canBeWatchedFromItsRevisionOn() {
    put("w/a", "1");
    Store restored = snapshotAndRestore();
    long revision = await(restored.currentRevision());
    var watch =
        closedAfterwards(
            new WatchReader(restored.watch(WatchQuery.prefix(key("w/"), revision + 1))));
    long written = await(restored.commit(Txn.put(key("w/a"), key("2")))).revision();
    assertThat(watch.linesUntil(written)).containsExactly(written + ": put w/a=2");
  }

  @Test
  void restoredStore_refusesHistoryItDoesNotHave() {
    assumeTrue(fixture().restoreForgetsHistory(), "the engine's snapshots carry the history");
    long first = put("a", "1");
    long second = put("a", "2");
    Store restored = snapshotAndRestore();

    var read = failure(StoreException.Compacted.class, restored.get(key("a"), first));
    assertThat(read.compactedRevision()).isEqualTo(second);
    for (long from : List.of(first, second)) {
      var watch =
          closedAfterwards(new WatchReader(restored.watch(WatchQuery.prefix(key("a"), from))));
      var refused = failure(StoreException.Compacted.class, watch.next());
      assertThat(refused.requested()).isEqualTo(from);
      assertThat(refused.compactedRevision()).isEqualTo(second);
    }
    assertThat(await(restored.get(key("a"), second)).item())
        .isEqualTo(new KeyValue(key("a"), key("2"), first, second, 2));
  }

  @Test
  void snapshotOfAnEmptyStore_restoresToAnEmptyStore() {
    Store restored = snapshotAndRestore();
    assertThat(all(restored).items()).isEmpty();
    assertThat(await(restored.commit(Txn.put(key("a"), key("1"))))).isNotNull();
    assertThat(all(restored).items()).hasSize(1);
  }

  @Test
  void laterChanges_areNotInTheSnapshotAndReachNoRestoredStore() {
    put("a", "1");
    Path file = folder.resolve("snapshot");
    await(store().snapshot(file));
    put("a", "2");
    put("b", "1");
    Store restored = closedAfterwards(fixture().restore(file));
    Store other = closedAfterwards(fixture().restore(file));
    await(restored.commit(Txn.put(key("c"), key("1"))));
    assertThat(all(other).items()).extracting(KeyValue::key).containsExactly(key("a"));
    assertThat(all(other).items().getFirst().value()).isEqualTo(key("1"));
    assertThat(isAbsent("c")).isTrue();
  }

  @Test
  void snapshotAmongWriters_isTheStateOfOneRevision() {
    putMany("s/", 500);
    var stop = new AtomicBoolean();
    Path file = folder.resolve("snapshot");
    Callable<Boolean> writer =
        () -> {
          for (int i = 0; !stop.get(); i++) {
            committed(
                Txn.builder()
                    .put(key("pair/1"), key("" + i))
                    .put(key(numbered("s/", i % 500)), key("changed " + i))
                    .put(key("pair/2"), key("" + i))
                    .build());
            await(store().commit(Txn.delete(key(numbered("s/", (i * 7) % 500)))));
          }
          return true;
        };
    Callable<Boolean> snapshotter =
        () -> {
          try {
            eventually("writing goes on", () -> !isAbsent("pair/1"));
            SnapshotInfo info = await(store().snapshot(file));
            RangeResult then = range(RangeQuery.prefix(Bytes.EMPTY).at(info.revision()));
            assertThat(info.keys()).isEqualTo(then.count());
            Store restored = fixture().restore(file);
            try (restored) {
              assertThat(all(restored).items()).isEqualTo(then.items());
            }
          } finally {
            stop.set(true);
          }
          return true;
        };
    assertThat(inParallel(List.of(writer, snapshotter))).containsExactly(true, true);
  }

  @Test
  void file_appearsOnlyWhenItIsWhole() throws IOException {
    for (int i = 0; i < 16; i++) {
      committed(Txn.put(key("large/" + i), zeros(1 << 19)));
    }
    Path file = folder.resolve("snapshot");
    CompletableFuture<SnapshotInfo> pending = store().snapshot(file);
    while (!Files.exists(file) && !pending.isDone()) {
      Thread.onSpinWait();
    }
    long firstSeenBytes = Files.exists(file) ? Files.size(file) : -1;
    assertThat(firstSeenBytes).isEqualTo(await(pending).bytes());
  }

  @Test
  void snapshotIntoAFolderThatIsNotThere_failsAndTheStoreGoesOn() {
    put("a", "1");
    Path file = folder.resolve("no such folder").resolve("snapshot");
    failure(StoreException.class, store().snapshot(file));
    assertThat(file).doesNotExist();
    put("a", "2");
    assertThat(existing("a").version()).isEqualTo(2);
  }

  private Store snapshotAndRestore() {
    Path file = folder.resolve("snapshot");
    await(store().snapshot(file));
    return closedAfterwards(fixture().restore(file));
  }

  private static RangeResult all(Store store) {
    return await(store.range(RangeQuery.prefix(Bytes.EMPTY)));
  }
}
