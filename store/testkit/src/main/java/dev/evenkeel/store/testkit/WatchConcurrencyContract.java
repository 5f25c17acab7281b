package dev.evenkeel.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.store.Event;
import dev.evenkeel.store.KeyValue;
import dev.evenkeel.store.RangeQuery;
import dev.evenkeel.store.RangeResult;
import dev.evenkeel.store.Txn;
import dev.evenkeel.store.TxnResult;
import dev.evenkeel.store.WatchBatch;
import dev.evenkeel.store.WatchQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Many watches, slow ones, and watches among writers. */
abstract class WatchConcurrencyContract extends ContractPart {

  private static final int EVENTS = 3000;

  @Test
  void manyWatchesOnOnePrefix_allSeeTheSame() {
    long before = currentRevision();
    List<WatchReader> watches =
        IntStream.range(0, 50).mapToObj(_ -> watch("w/", before + 1)).toList();
    List<CompletableFuture<WatchBatch>> pending = watches.stream().map(WatchReader::next).toList();
    long first = put("w/a", "1");
    for (CompletableFuture<WatchBatch> batch : pending) {
      assertThat(await(batch).commits().getFirst().revision()).isEqualTo(first);
    }
    long second = delete("w/a");
    long third = put("w/b", "1");
    for (WatchReader watch : watches) {
      assertThat(watch.linesUntil(third))
          .contains(second + ": delete w/a", third + ": put w/b=1")
          .hasSize(2);
    }
  }

  @Test
  void thousandPrefixes_eachSeeTheirOwnAndNothingElse() {
    int prefixes = 1000;
    long before = currentRevision();
    List<WatchReader> watches =
        IntStream.range(0, prefixes)
            .mapToObj(i -> watch(numbered("w", i) + "/", before + 1))
            .toList();
    var expected = new ArrayList<List<String>>();
    IntStream.range(0, prefixes).forEach(_ -> expected.add(new ArrayList<>()));
    for (int i = 0; i < prefixes; i += 50) {
      var txn = Txn.builder();
      for (int j = i; j < i + 50; j++) {
        txn.put(key(numbered("w", j) + "/a"), key("1"));
      }
      long revision = committed(txn.build());
      for (int j = i; j < i + 50; j++) {
        expected.get(j).add(revision + ": put " + numbered("w", j) + "/a=1");
      }
    }
    for (int i = 0; i < prefixes; i += 7) {
      long revision = put(numbered("w", i) + "/b", "2");
      expected.get(i).add(revision + ": put " + numbered("w", i) + "/b=2");
    }
    long last = currentRevision();
    for (int i = 0; i < prefixes; i++) {
      assertThat(watches.get(i).linesUntil(last)).isEqualTo(expected.get(i));
    }
  }

  @Test
  void overlappingPrefixes_eachSeeAllBelowThem() {
    long before = currentRevision();
    WatchReader all = watch("", before + 1);
    WatchReader wide = watch("a", before + 1);
    WatchReader narrow = watch("ab", before + 1);
    WatchReader exact = watch("abc", before + 1);
    String a = put("a", "1") + ": put a=1";
    String abc = put("abc", "1") + ": put abc=1";
    String b = put("b", "1") + ": put b=1";
    String abd = put("abd", "1") + ": put abd=1";
    long last = currentRevision();
    assertThat(all.linesUntil(last)).containsExactly(a, abc, b, abd);
    assertThat(wide.linesUntil(last)).containsExactly(a, abc, abd);
    assertThat(narrow.linesUntil(last)).containsExactly(abc, abd);
    assertThat(exact.linesUntil(last)).containsExactly(abc);
  }

  @Test
  void slowReader_losesNothingAndHoldsNobodyUp() {
    long before = currentRevision();
    WatchReader slow = watch("w/", before + 1);
    WatchReader fast = watch("w/", before + 1);
    List<Long> written = putEvents(EVENTS);
    // The fast one gets all while the slow one has not read a thing.
    assertThat(revisions(fast.commitsUntil(written.getLast()))).isEqualTo(written);
    assertThat(revisions(slow.commitsUntil(written.getLast()))).isEqualTo(written);
  }

  @Test
  void readerThatPausesInTheMiddle_losesNothing() {
    long before = currentRevision();
    WatchReader watch = watch("w/", before + 1);
    List<Long> written = new ArrayList<>(putEvents(10));
    List<Long> seen = new ArrayList<>(revisions(watch.changes().commits()));
    written.addAll(putEvents(EVENTS));
    seen.addAll(revisions(watch.commitsUntil(written.getLast())));
    assertThat(seen).isEqualTo(written);
  }

  @Test
  void watchStartedAmongWriters_seesEverythingFromItsRevisionOnce() {
    int writers = 3;
    int perWriter = 150;
    var started = new CountDownLatch(1);
    var work = new ArrayList<Callable<List<Long>>>();
    for (int w = 0; w < writers; w++) {
      int writer = w;
      work.add(
          () -> {
            started.countDown();
            var revisions = new ArrayList<Long>();
            for (int i = 0; i < perWriter; i++) {
              revisions.add(put("w/" + writer, "" + i));
            }
            return revisions;
          });
    }
    var starts = new ArrayList<Long>();
    var watches = new ArrayList<WatchReader>();
    work.add(
        () -> {
          started.await();
          for (int i = 0; i < 20; i++) {
            long from = await(store().currentRevision()) + 1;
            starts.add(from);
            watches.add(new WatchReader(store().watch(WatchQuery.prefix(key("w/"), from))));
          }
          return List.of();
        });
    List<Long> all = inParallel(work).stream().flatMap(List::stream).sorted().toList();
    watches.forEach(this::closedAfterwards);
    for (int i = 0; i < watches.size(); i++) {
      long from = starts.get(i);
      assertThat(revisions(watches.get(i).commitsUntil(all.getLast())))
          .as("watch from %d", from)
          .isEqualTo(all.stream().filter(revision -> revision >= from).toList());
    }
  }

  @Test
  void rangeThenWatch_rebuildsTheStateAmongWriters() {
    var work = new ArrayList<Callable<Boolean>>();
    for (int w = 0; w < 3; w++) {
      int writer = w;
      work.add(() -> writeAndDelete(writer, 150));
    }
    var mirrors = new ArrayList<Mirror>();
    work.add(
        () -> {
          for (int i = 0; i < 10; i++) {
            mirrors.add(new Mirror(await(store().range(RangeQuery.prefix(key("s/"))))));
          }
          return true;
        });
    inParallel(work);
    RangeResult end = range(RangeQuery.prefix(key("s/")));
    for (Mirror mirror : mirrors) {
      mirror.follow(closedAfterwards(mirror.watch()), end.revision());
      assertThat(mirror.state.values()).containsExactlyElementsOf(end.items());
    }
  }

  @Test
  void deliveredRevision_isReadByEverybodyFromThenOn() {
    long before = currentRevision();
    Callable<Boolean> writer =
        () -> {
          putEvents(200);
          return true;
        };
    Callable<Boolean> reader =
        () -> {
          try (var watch =
              new WatchReader(store().watch(WatchQuery.prefix(key("w/"), before + 1)))) {
            while (watch.reached() < before + 200) {
              watch.batch();
              assertThat(currentRevision()).isGreaterThanOrEqualTo(watch.reached());
              assertThat(range(RangeQuery.prefix(key("w/")).countOnly()).revision())
                  .isGreaterThanOrEqualTo(watch.reached());
            }
          }
          return true;
        };
    assertThat(inParallel(List.of(writer, reader))).containsExactly(true, true);
  }

  private boolean writeAndDelete(int writer, int rounds) {
    for (int i = 0; i < rounds; i++) {
      Bytes own = key("s/" + writer + "/" + i % 5);
      Bytes shared = key("s/shared");
      var txn = Txn.builder().put(shared, key(writer + " " + i));
      await(store().commit(i % 4 == 3 ? txn.delete(own).build() : txn.put(own, shared).build()));
    }
    return true;
  }

  /** Hands in all at once, for speed, and returns the revisions in order. */
  private List<Long> putEvents(int count) {
    var pending = new ArrayList<CompletableFuture<TxnResult>>();
    var revisions = new ArrayList<Long>();
    for (int i = 0; i < count; i++) {
      pending.add(store().commit(Txn.put(key("w/" + i % 10), key("" + i))));
      if (pending.size() == 100 || i == count - 1) {
        pending.forEach(one -> revisions.add(await(one).revision()));
        pending.clear();
      }
    }
    return revisions.stream().sorted().toList();
  }

  private static List<Long> revisions(List<WatchBatch.Commit> commits) {
    return commits.stream().map(WatchBatch.Commit::revision).toList();
  }

  /** A copy of the keys below a prefix, kept up to date by a watch: what every cache does. */
  private final class Mirror {

    private final long readRevision;
    private final TreeMap<Bytes, KeyValue> state = new TreeMap<>();

    Mirror(RangeResult start) {
      readRevision = start.revision();
      start.items().forEach(item -> state.put(item.key(), item));
    }

    WatchReader watch() {
      return new WatchReader(store().watch(WatchQuery.prefix(key("s/"), readRevision + 1)));
    }

    void follow(WatchReader watch, long untilRevision) {
      Stream<Event> events =
          watch.commitsUntil(untilRevision).stream().flatMap(commit -> commit.events().stream());
      events.forEach(
          event -> {
            switch (event) {
              case Event.Put put -> state.put(put.key(), put.current());
              case Event.Delete delete -> state.remove(delete.key());
            }
          });
    }
  }
}
