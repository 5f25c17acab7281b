package dev.evenkeel.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.evenkeel.store.StoreException;
import dev.evenkeel.store.Txn;
import dev.evenkeel.store.WatchBatch;
import dev.evenkeel.store.WatchQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** How a watch starts, marks progress, is resumed, refused and closed. */
abstract class WatchLifeContract extends ContractPart {

  // Progress marks

  @Test
  void requestProgress_isAnsweredOnAStoreWhereNothingChanges() {
    long newest = put("w/a", "1");
    WatchReader watch = watch("w/", newest + 1);
    watch.watch().requestProgress();
    WatchBatch mark = watch.batch();
    assertThat(mark.commits()).isEmpty();
    assertThat(mark.revision()).isEqualTo(newest);
  }

  @Test
  void requestProgress_reachesWhatOtherPrefixesChanged() {
    long before = put("w/a", "1");
    WatchReader watch = watch("w/", before + 1);
    put("x/a", "1");
    put("v/a", "1");
    long newest = put("x/b", "1");
    watch.watch().requestProgress();
    while (watch.reached() < newest) {
      assertThat(watch.batch().commits()).isEmpty();
    }
    assertThat(watch.reached()).isEqualTo(newest);
  }

  @Test
  void requestProgress_answersANextThatIsPending() {
    long before = put("w/a", "1");
    WatchReader watch = watch("w/", before + 1);
    CompletableFuture<WatchBatch> next = watch.next();
    long newest = currentRevision();
    watch.watch().requestProgress();
    WatchBatch mark = await(next);
    assertThat(mark.commits()).isEmpty();
    assertThat(mark.revision()).isGreaterThanOrEqualTo(newest);
  }

  @Test
  void requestProgress_promisesNothingThatIsStillToCome() {
    long before = currentRevision();
    WatchReader watch = watch("w/", before + 1);
    for (int i = 0; i < 30; i++) {
      long written = put("w/a", "" + i);
      watch.watch().requestProgress();
      // The mark reaches the write, so the write must be in it or before it.
      assertThat(watch.linesUntil(written)).containsExactly(written + ": put w/a=" + i);
    }
  }

  @Test
  void requestProgressAgainAndAgain_isAnsweredEachTime() {
    long newest = put("w/a", "1");
    WatchReader watch = watch("w/", newest + 1);
    for (int i = 0; i < 5; i++) {
      watch.watch().requestProgress();
      while (watch.reached() < newest) {
        assertThat(watch.batch().commits()).isEmpty();
      }
      newest = put("x/" + i, "1");
    }
  }

  // Start

  @Test
  void fromOneBehindTheNewest_isAllowed() {
    long newest = put("w/a", "1");
    WatchReader watch = watch("w/", newest + 1);
    long next = put("w/a", "2");
    assertThat(watch.linesUntil(next)).containsExactly(next + ": put w/a=2");
  }

  @Test
  void fromTheFuture_isRefusedForGood() {
    long newest = put("w/a", "1");
    WatchReader watch = watch("w/", newest + 2);
    var refused = failure(StoreException.FutureRevision.class, watch.next());
    assertThat(refused.requested()).isEqualTo(newest + 2);
    assertThat(refused.currentRevision()).isEqualTo(newest);
    put("w/a", "2");
    put("w/a", "3");
    failure(StoreException.FutureRevision.class, watch.next());
  }

  @Test
  void fromBelowOne_isRefused() {
    failure(StoreException.InvalidRequest.class, watch("w/", 0).next());
    WatchReader watch = watch("w/", -1);
    failure(StoreException.InvalidRequest.class, watch.next());
    failure(StoreException.InvalidRequest.class, watch.next());
  }

  // Resumption

  @Test
  void resumedBehindEachBatch_losesAndRepeatsNothing() {
    long before = currentRevision();
    long reached = before;
    var seen = new ArrayList<String>();
    var expected = new ArrayList<String>();
    for (int i = 0; i < 40; i++) {
      var txn = Txn.builder().put(key("w/a"), key("" + i)).put(key("w/b"), key("" + i));
      long written = committed(txn.build());
      expected.add("%d: put w/a=%d, put w/b=%d".formatted(written, i, i));
      if (i % 3 == 0) {
        put("x/" + i, "1");
      }
      if (i % 4 == 0) {
        try (var watch =
            new WatchReader(store().watch(WatchQuery.prefix(key("w/"), reached + 1)))) {
          WatchBatch batch = watch.batch();
          batch.commits().forEach(commit -> seen.add(WatchReader.line(commit)));
          reached = batch.revision();
        }
      }
    }
    seen.addAll(watch("w/", reached + 1).linesUntil(currentRevision()));
    assertThat(seen).isEqualTo(expected);
  }

  @Test
  void resumedAcrossReopening_losesAndRepeatsNothing() {
    assumeTrue(fixture().durable(), "the engine keeps nothing");
    long first = put("w/a", "1");
    WatchReader watch = watch("w/", first);
    assertThat(watch.linesUntil(first)).containsExactly(first + ": put w/a=1");
    long second = put("w/a", "2");
    store().close();

    var again = closedAfterwards(fixture().reopen(store()));
    var resumed =
        closedAfterwards(new WatchReader(again.watch(WatchQuery.prefix(key("w/"), first + 1))));
    long third = await(again.commit(Txn.put(key("w/a"), key("3")))).revision();
    assertThat(resumed.linesUntil(third))
        .containsExactly(second + ": put w/a=2", third + ": put w/a=3");
  }

  // One call at a time

  @Test
  void secondNext_isRefusedAndTheFirstIsStillAnswered() {
    long before = put("w/a", "1");
    WatchReader watch = watch("w/", before + 1);
    CompletableFuture<WatchBatch> first = watch.next();
    failure(StoreException.InvalidRequest.class, watch.next());
    assertThat(first).isNotDone();
    long written = put("w/a", "2");
    assertThat(await(first).commits()).hasSize(1);
    assertThat(await(first).commits().getFirst().revision()).isEqualTo(written);
  }

  @Test
  void next_mayBeCalledFromTheCompletionOfTheOneBefore() {
    long before = currentRevision();
    WatchReader watch = watch("w/", before + 1);
    var seen = new ArrayList<Long>();
    var done = new CompletableFuture<List<Long>>();
    int wanted = 500;
    pump(watch, seen, wanted, done);
    var expected = new ArrayList<Long>();
    for (int i = 0; i < wanted; i++) {
      expected.add(put("w/a", "" + i));
    }
    assertThat(await(done)).isEqualTo(expected);
  }

  private static void pump(
      WatchReader watch, List<Long> seen, int wanted, CompletableFuture<List<Long>> done) {
    var _ =
        watch
            .next()
            .whenComplete(
                (batch, failure) -> {
                  if (failure != null) {
                    done.completeExceptionally(failure);
                    return;
                  }
                  batch.commits().forEach(commit -> seen.add(commit.revision()));
                  if (seen.size() >= wanted) {
                    done.complete(seen);
                  } else {
                    pump(watch, seen, wanted, done);
                  }
                });
  }

  // Closing

  @Test
  void close_failsThePendingNextAndAllAfterIt() {
    long newest = put("w/a", "1");
    WatchReader watch = watch("w/", newest + 1);
    CompletableFuture<WatchBatch> next = watch.next();
    watch.close();
    failure(StoreException.Closed.class, next);
    put("w/a", "2");
    failure(StoreException.Closed.class, watch.next());
    watch.watch().requestProgress();
    failure(StoreException.Closed.class, watch.next());
  }

  @Test
  void close_twiceOrBeforeTheFirstNextIsFine() {
    long first = put("w/a", "1");
    WatchReader watch = watch("w/", first);
    watch.close();
    watch.close();
    failure(StoreException.Closed.class, watch.next());
  }

  @Test
  void close_leavesOtherWatchesOfThePrefixAlone() {
    long before = put("w/a", "1");
    WatchReader closed = watch("w/", before + 1);
    WatchReader other = watch("w/", before + 1);
    CompletableFuture<WatchBatch> pending = other.next();
    CompletableFuture<WatchBatch> ended = closed.next();
    closed.close();
    failure(StoreException.Closed.class, ended);
    long written = put("w/a", "2");
    assertThat(await(pending).commits().getFirst().revision()).isEqualTo(written);
  }

  @Test
  void next_afterARefusalFailsAlike() {
    long newest = put("w/a", "1");
    WatchReader watch = watch("w/", newest + 10);
    var first = failure(StoreException.FutureRevision.class, watch.next());
    var second = failure(StoreException.FutureRevision.class, watch.next());
    assertThat(second.requested()).isEqualTo(first.requested());
  }
}
