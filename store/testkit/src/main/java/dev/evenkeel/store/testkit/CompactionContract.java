package dev.evenkeel.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.store.Event;
import dev.evenkeel.store.KeyValue;
import dev.evenkeel.store.RangeQuery;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.StoreException;
import dev.evenkeel.store.Txn;
import dev.evenkeel.store.WatchBatch;
import dev.evenkeel.store.WatchQuery;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/**
 * What compaction forgets and what it keeps. Stores may share a history, so each test speaks only
 * of revisions it made itself.
 */
abstract class CompactionContract extends ContractPart {

  @Test
  void readsBelow_failAndNameTheOldestThatCanBeRead() {
    long first = put("a", "1");
    long second = put("a", "2");
    long third = put("a", "3");
    compact(second);

    var get = failure(StoreException.Compacted.class, store().get(key("a"), first));
    assertThat(get.requested()).isEqualTo(first);
    assertThat(get.compactedRevision()).isEqualTo(second);
    var range =
        failure(
            StoreException.Compacted.class, store().range(RangeQuery.prefix(key("a")).at(first)));
    assertThat(range.requested()).isEqualTo(first);
    assertThat(range.compactedRevision()).isEqualTo(second);
    failure(
        StoreException.Compacted.class,
        store().range(RangeQuery.prefix(key("a")).at(first).countOnly()));
    assertThat(currentRevision()).isEqualTo(third);
  }

  @Test
  void stateAtTheRevisionAndAllAfter_stays() {
    long changedLater = put("a", "1");
    long deletedLater = put("b", "1");
    put("gone", "1");
    long deleted = delete("gone");
    long bound = put("c", "1");
    long afterwards = put("a", "2");
    delete("b");
    long newest = put("gone", "2");
    compact(bound);

    assertThat(range(RangeQuery.prefix(Bytes.EMPTY).at(bound)).items())
        .containsExactly(
            new KeyValue(key("a"), key("1"), changedLater, changedLater, 1),
            new KeyValue(key("b"), key("1"), deletedLater, deletedLater, 1),
            new KeyValue(key("c"), key("1"), bound, bound, 1));
    assertThat(get("a", afterwards).item())
        .isEqualTo(new KeyValue(key("a"), key("2"), changedLater, afterwards, 2));
    assertThat(keys(range(RangeQuery.prefix(Bytes.EMPTY).at(afterwards))))
        .containsExactly("a", "b", "c");
    assertThat(range(RangeQuery.prefix(Bytes.EMPTY)).items())
        .containsExactly(
            new KeyValue(key("a"), key("2"), changedLater, afterwards, 2),
            new KeyValue(key("c"), key("1"), bound, bound, 1),
            new KeyValue(key("gone"), key("2"), newest, newest, 1));
    assertThat(deleted).isLessThan(bound);
  }

  @Test
  void compactingTheNewest_keepsEveryKey() {
    long written = put("a", "1");
    put("b", "1");
    long newest = delete("b");
    compact(newest);
    assertThat(get("a", newest).item())
        .isEqualTo(new KeyValue(key("a"), key("1"), written, written, 1));
    assertThat(existing("a").modRevision()).isEqualTo(written);
    assertThat(isAbsent("b")).isTrue();
    long next = put("a", "2");
    assertThat(next).isEqualTo(newest + 1);
    assertThat(existing("a")).isEqualTo(new KeyValue(key("a"), key("2"), written, next, 2));
  }

  @Test
  void compactingWhatIsCompacted_failsTheSameWay() {
    long first = put("a", "1");
    long second = put("a", "2");
    put("a", "3");
    compact(second);
    var again = failure(StoreException.Compacted.class, store().compact(second));
    assertThat(again.requested()).isEqualTo(second);
    assertThat(again.compactedRevision()).isEqualTo(second);
    var below = failure(StoreException.Compacted.class, store().compact(first));
    assertThat(below.requested()).isEqualTo(first);
    assertThat(below.compactedRevision()).isEqualTo(second);
  }

  @Test
  void compactingTheFutureOrNothing_isRefusedAndForgetsNothing() {
    long first = put("a", "1");
    long newest = put("a", "2");
    var future = failure(StoreException.FutureRevision.class, store().compact(newest + 1));
    assertThat(future.requested()).isEqualTo(newest + 1);
    assertThat(future.currentRevision()).isEqualTo(newest);
    failure(StoreException.InvalidRequest.class, store().compact(0));
    failure(StoreException.InvalidRequest.class, store().compact(-1));
    assertThat(Objects.requireNonNull(get("a", first).item()).value()).isEqualTo(key("1"));
    assertThat(currentRevision()).isEqualTo(newest);
  }

  @Test
  void compaction_takesNoRevisionAndIsNoEvent() {
    long first = put("w/a", "1");
    long second = put("w/a", "2");
    WatchReader watch = watch("w/", second + 1);
    compact(first);
    assertThat(currentRevision()).isEqualTo(second);
    long third = put("w/a", "3");
    assertThat(watch.linesUntil(third)).containsExactly(third + ": put w/a=3");
  }

  @Test
  void watchesFromItOrBelow_failAndNameTheRevision() {
    long first = put("w/a", "1");
    long second = put("w/a", "2");
    long third = put("w/a", "3");
    compact(second);

    WatchReader below = watch("w/", first);
    var refused = failure(StoreException.Compacted.class, below.next());
    assertThat(refused.requested()).isEqualTo(first);
    assertThat(refused.compactedRevision()).isEqualTo(second);
    failure(StoreException.Compacted.class, below.next());
    var at = failure(StoreException.Compacted.class, watch("w/", second).next());
    assertThat(at.compactedRevision()).isEqualTo(second);

    assertThat(watch("w/", second + 1).linesUntil(third)).containsExactly(third + ": put w/a=3");
  }

  @Test
  void watchesOfOtherPrefixes_areRefusedLikewise() {
    long first = put("w/a", "1");
    long second = put("w/a", "2");
    put("w/a", "3");
    compact(second);
    failure(StoreException.Compacted.class, watch("quiet/", first).next());
  }

  @Test
  void positionThatIsCompacted_isToldByTheNextCall() {
    long first = put("w/a", "1");
    WatchReader watch = watch("w/", first + 1);
    put("w/a", "2");
    long third = put("w/a", "3");
    put("w/a", "4");
    compact(third);
    var refused = failure(StoreException.Compacted.class, watch.next());
    assertThat(refused.compactedRevision()).isEqualTo(third);
    failure(StoreException.Compacted.class, watch.next());
  }

  @Test
  void readerThatLags_getsAllOrIsToldButNeverAGap() {
    long first = put("w/a", "1");
    WatchReader watch = watch("w/", first);
    assertThat(watch.linesUntil(first)).containsExactly(first + ": put w/a=1");
    long second = put("w/a", "2");
    long third = put("w/a", "3");
    long fourth = put("w/a", "4");
    compact(third);
    try {
      assertThat(watch.commitsUntil(fourth))
          .extracting(WatchBatch.Commit::revision)
          .containsExactly(second, third, fourth);
    } catch (StoreException.Compacted e) {
      assertThat(e.compactedRevision()).isEqualTo(third);
    }
  }

  @Test
  void readerThatWaits_isNotHurtByCompaction() {
    long before = put("quiet/a", "1");
    WatchReader watch = watch("quiet/", before + 1);
    assertThat(watch.commitsUntil(before)).isEmpty();
    CompletableFuture<WatchBatch> next = watch.next();
    put("busy/a", "1");
    long bound = put("busy/a", "2");
    compact(bound);
    long written = put("quiet/a", "2");
    WatchBatch batch = await(next);
    // A progress mark may come first: other prefixes changed.
    List<WatchBatch.Commit> commits =
        batch.commits().isEmpty() ? watch.commitsUntil(written) : batch.commits();
    assertThat(commits).hasSize(1);
    assertThat(WatchReader.line(commits.getFirst())).isEqualTo(written + ": put quiet/a=2");
  }

  @Test
  void previousStateAtTheCompactedRevision_isStillDelivered() {
    long created = put("w/a", "1");
    long changed = put("w/a", "2");
    compact(created);
    WatchReader watch = watch(WatchQuery.prefix(key("w/"), changed).previousToo());
    assertThat(watch.commitsUntil(changed))
        .containsExactly(
            new WatchBatch.Commit(
                changed,
                List.of(
                    new Event.Put(
                        new KeyValue(key("w/a"), key("2"), created, changed, 2),
                        new KeyValue(key("w/a"), key("1"), created, created, 1)))));
  }

  @Test
  void stats_nameTheCompactedRevision() {
    long first = put("a", "1");
    put("a", "2");
    compact(first);
    eventually(
        "the compacted revision is seen",
        () -> await(store().stats()).compactedRevision() == first);
  }

  @Test
  void compactionAmongWriters_losesNothingOfTheNewestState() {
    var stop = new AtomicBoolean();
    Callable<Long> compactor =
        () -> {
          long done = 0;
          while (!stop.get()) {
            long bound = currentRevision();
            if (bound > done) {
              compact(bound);
              done = bound;
            }
          }
          return done;
        };
    Callable<Long> writer =
        () -> {
          long last = 0;
          try {
            for (int i = 0; i < 200; i++) {
              last = put("a/" + i % 20, "" + i);
              await(store().commit(Txn.delete(key("b/" + (i - 1)))));
              put("b/" + i, "" + i);
            }
          } finally {
            stop.set(true);
          }
          return last;
        };
    inParallel(List.of(compactor, writer));
    for (int i = 180; i < 200; i++) {
      assertThat(existing("a/" + i % 20).value()).isEqualTo(key("" + i));
      assertThat(existing("a/" + i % 20).version()).isEqualTo(10);
    }
    assertThat(keys(range(RangeQuery.prefix(key("b/"))))).containsExactly("b/199");
  }

  @Test
  void compaction_outlivesReopening() {
    assumeTrue(fixture().durable(), "the engine keeps nothing");
    long first = put("a", "1");
    long second = put("a", "2");
    long third = put("a", "3");
    compact(second);
    store().close();
    Store again = closedAfterwards(fixture().reopen(store()));
    var refused = failure(StoreException.Compacted.class, again.get(key("a"), first));
    assertThat(refused.compactedRevision()).isEqualTo(second);
    assertThat(Objects.requireNonNull(await(again.get(key("a"), second)).item()).value())
        .isEqualTo(key("2"));
    assertThat(await(again.currentRevision())).isEqualTo(third);
  }

  private void compact(long revision) {
    await(store().compact(revision));
  }
}
