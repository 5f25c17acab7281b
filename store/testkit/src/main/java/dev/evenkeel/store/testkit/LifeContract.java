package dev.evenkeel.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.store.KeyValue;
import dev.evenkeel.store.RangeQuery;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.StoreException;
import dev.evenkeel.store.StoreStats;
import dev.evenkeel.store.Txn;
import dev.evenkeel.store.TxnResult;
import dev.evenkeel.store.WatchBatch;
import dev.evenkeel.store.WatchQuery;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sizes and counts, and the end of a store. */
abstract class LifeContract extends ContractPart {

  @TempDir Path folder;

  // Sizes and counts

  @Test
  void stats_countKeysAndTheirBytes() {
    put("a", "1");
    put("bc", "22");
    put("bc", "333");
    put("gone", "1");
    long newest = delete("gone");
    eventuallyStats("two keys of three bytes", stats -> stats.keys() == 2 && stats.keyBytes() == 3);
    eventuallyStats("the newest revision", stats -> stats.revision() == newest);
    eventuallyStats(
        "four bytes of values, or unknown",
        stats -> stats.valueBytes() == 4 || stats.valueBytes() == -1);
  }

  @Test
  void stats_ofAStoreWithoutKeysAreZero() {
    eventuallyStats(
        "nothing",
        stats ->
            stats.keys() == 0
                && stats.keyBytes() == 0
                && stats.valueBytes() <= 0
                && stats.watches() == 0
                && stats.watchedPrefixes() == 0);
    assertThat(await(store().stats()).revision()).isEqualTo(currentRevision());
  }

  @Test
  void stats_countWatchesAndPrefixes() {
    long from = currentRevision() + 1;
    WatchReader first = watch("a/", from);
    WatchReader second = watch("a/", from);
    WatchReader third = watch("b/", from);
    eventuallyStats(
        "three watches of two prefixes",
        stats -> stats.watches() == 3 && stats.watchedPrefixes() == 2);
    first.close();
    eventuallyStats(
        "two watches of two prefixes",
        stats -> stats.watches() == 2 && stats.watchedPrefixes() == 2);
    second.close();
    second.close();
    third.close();
    eventuallyStats("no watches", stats -> stats.watches() == 0 && stats.watchedPrefixes() == 0);
  }

  @Test
  void stats_haveNoPendingCommitsWhenAllAreAnswered() {
    var pending = new ArrayList<CompletableFuture<TxnResult>>();
    for (int i = 0; i < 50; i++) {
      pending.add(store().commit(Txn.put(key("k" + i), key("1"))));
    }
    pending.forEach(ContractPart::await);
    eventuallyStats("nothing pending", stats -> stats.pendingCommits() == 0);
    eventuallyStats("fifty keys", stats -> stats.keys() == 50);
  }

  @Test
  void stats_areNeverBelowTheirFloor() {
    put("a", "1");
    StoreStats stats = await(store().stats());
    assertThat(stats.diskBytes()).isGreaterThanOrEqualTo(0);
    assertThat(stats.memoryBytes()).isGreaterThanOrEqualTo(-1);
    assertThat(stats.compactedRevision()).isBetween(0L, stats.revision());
  }

  // The end

  @Test
  void closedStore_refusesEverything() {
    long written = put("a", "1");
    store().close();
    var futures =
        List.of(
            store().commit(Txn.put(key("a"), key("2"))),
            store().commit(Txn.builder().build()),
            store().get(key("a"), Store.NEWEST),
            store().get(key("a"), written),
            store().range(RangeQuery.prefix(key("a"))),
            store().currentRevision(),
            store().compact(written),
            store().snapshot(folder.resolve("snapshot")),
            store().stats());
    for (CompletableFuture<?> future : futures) {
      failure(StoreException.Closed.class, future);
    }
    assertThat(folder.resolve("snapshot")).doesNotExist();
  }

  @Test
  void closedStore_endsItsWatches() {
    long written = put("w/a", "1");
    WatchReader waiting = watch("w/", written + 1);
    WatchReader idle = watch("w/", written);
    CompletableFuture<WatchBatch> next = waiting.next();
    store().close();
    failure(StoreException.Closed.class, next);
    failure(StoreException.Closed.class, waiting.next());
    failure(StoreException.Closed.class, idle.next());
    idle.watch().requestProgress();
    idle.close();
  }

  @Test
  void closedStore_givesOnlyClosedWatches() {
    long written = put("w/a", "1");
    store().close();
    failure(StoreException.Closed.class, watch("w/", written).next());
  }

  @Test
  void closingTwice_isFine() {
    put("a", "1");
    store().close();
    store().close();
    failure(StoreException.Closed.class, store().currentRevision());
  }

  @Test
  void close_answersWhatWasHandedIn() {
    var pending = handInAndClose(300);
    for (CompletableFuture<TxnResult> one : pending) {
      try {
        assertThat(await(one)).isInstanceOf(TxnResult.Committed.class);
      } catch (StoreException e) {
        assertThat(e)
            .isInstanceOfAny(StoreException.Closed.class, StoreException.UnknownOutcome.class);
      }
    }
  }

  @Test
  void close_tellsTheTruthAboutWhatWasHandedIn() {
    assumeTrue(fixture().durable(), "the engine keeps nothing to compare with");
    List<CompletableFuture<TxnResult>> pending = handInAndClose(300);
    Store again = closedAfterwards(fixture().reopen(store()));
    List<Bytes> there =
        await(again.range(RangeQuery.prefix(key("k")))).items().stream()
            .map(KeyValue::key)
            .toList();
    for (int i = 0; i < pending.size(); i++) {
      Bytes key = key(numbered("k", i));
      try {
        await(pending.get(i));
        assertThat(there).as("answered as committed").contains(key);
      } catch (StoreException.Closed e) {
        assertThat(there).as("answered as closed").doesNotContain(key);
      } catch (StoreException.UnknownOutcome e) {
        assertThat(e.getMessage()).isNotBlank();
      }
    }
  }

  @Test
  void closingOneStore_leavesOthersAlone() {
    Store other = closedAfterwards(fixture().open());
    long from = await(other.currentRevision()) + 1;
    var watch = closedAfterwards(new WatchReader(other.watch(WatchQuery.prefix(key("o/"), from))));
    CompletableFuture<WatchBatch> next = watch.next();
    store().close();
    long written = await(other.commit(Txn.put(key("o/a"), key("1")))).revision();
    assertThat(await(next).revision()).isGreaterThanOrEqualTo(written);
  }

  private List<CompletableFuture<TxnResult>> handInAndClose(int count) {
    var pending = new ArrayList<CompletableFuture<TxnResult>>();
    for (int i = 0; i < count; i++) {
      pending.add(store().commit(Txn.put(key(numbered("k", i)), key("1"))));
    }
    store().close();
    return pending;
  }

  private void eventuallyStats(String what, Predicate<StoreStats> holds) {
    eventually(what, () -> holds.test(await(store().stats())));
  }
}
