package dev.evenkeel.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.store.Event;
import dev.evenkeel.store.KeyValue;
import dev.evenkeel.store.Txn;
import dev.evenkeel.store.WatchBatch;
import dev.evenkeel.store.WatchQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What one watch delivers: every change below its prefix, once, in order, transactions whole. */
abstract class WatchContract extends ContractPart {

  @Test
  void fromOldRevision_deliversAllSinceThen() {
    put("w/a", "0");
    long first = put("w/a", "1");
    long second = put("w/b", "2");
    long third = delete("w/a");
    long fourth = put("w/a", "3");

    assertThat(watch("w/", first).linesUntil(fourth))
        .containsExactly(
            first + ": put w/a=1",
            second + ": put w/b=2",
            third + ": delete w/a",
            fourth + ": put w/a=3");
    assertThat(watch("w/", third).linesUntil(fourth))
        .containsExactly(third + ": delete w/a", fourth + ": put w/a=3");
  }

  @Test
  void fromNextRevision_deliversWhatComes() {
    long before = put("w/a", "0");
    WatchReader watch = watch("w/", before + 1);
    CompletableFuture<WatchBatch> next = watch.next();
    assertThat(next).isNotDone();

    long first = put("w/a", "1");
    WatchBatch batch = await(next);
    assertThat(batch.commits()).hasSize(1);
    assertThat(WatchReader.line(batch.commits().getFirst())).isEqualTo(first + ": put w/a=1");
    assertThat(batch.revision()).isGreaterThanOrEqualTo(first);

    long second = delete("w/a");
    assertThat(watch.linesUntil(second)).containsExactly(second + ": delete w/a");
  }

  @Test
  void putEvent_carriesTheKeyAsItIsNow() {
    long created = put("w/a", "1");
    long changed = put("w/a", "2");
    List<WatchBatch.Commit> commits = watch("w/", created).commitsUntil(changed);
    assertThat(commits)
        .containsExactly(
            new WatchBatch.Commit(
                created,
                List.of(
                    new Event.Put(new KeyValue(key("w/a"), key("1"), created, created, 1), null))),
            new WatchBatch.Commit(
                changed,
                List.of(
                    new Event.Put(new KeyValue(key("w/a"), key("2"), created, changed, 2), null))));
  }

  @Test
  void transaction_comesAsOneCommitInTheOrderItWasWritten() {
    long before = put("w/b", "0");
    long revision =
        committed(
            Txn.builder()
                .put(key("w/c"), key("1"))
                .delete(key("w/b"))
                .put(key("w/a"), key("1"))
                .put(key("w/d"), key("1"))
                .build());
    assertThat(watch("w/", before + 1).linesUntil(revision))
        .containsExactly(revision + ": put w/c=1, delete w/b, put w/a=1, put w/d=1");
  }

  @Test
  void transactionOverSeveralPrefixes_showsEachWatchItsOwn() {
    long revision =
        committed(
            Txn.builder()
                .put(key("v/1"), key("1"))
                .put(key("w/1"), key("1"))
                .put(key("w/2"), key("1"))
                .put(key("x/1"), key("1"))
                .build());
    assertThat(watch("w/", revision).linesUntil(revision))
        .containsExactly(revision + ": put w/1=1, put w/2=1");
    assertThat(watch("x/", revision).linesUntil(revision))
        .containsExactly(revision + ": put x/1=1");
  }

  @Test
  void whatChangesNothing_isNoEvent() {
    long before = put("w/a", "0");
    await(store().commit(Txn.delete(key("w/never"))));
    await(store().commit(Txn.builder().ifAbsent(key("w/a")).put(key("w/a"), key("no")).build()));
    await(store().commit(Txn.builder().ifExists(key("w/a")).build()));
    long revision =
        committed(Txn.builder().delete(key("w/never")).put(key("w/b"), key("1")).build());
    assertThat(watch("w/", before + 1).linesUntil(revision))
        .containsExactly(revision + ": put w/b=1");
  }

  @Test
  void putOfEqualValue_isAnEvent() {
    long first = put("w/a", "1");
    long second = put("w/a", "1");
    assertThat(watch("w/", first).linesUntil(second))
        .containsExactly(first + ": put w/a=1", second + ": put w/a=1");
  }

  @Test
  void neighboursOfThePrefix_areNotDelivered() {
    long before = currentRevision();
    put("w", "1");
    put("w.", "1");
    put("v/a", "1");
    long inside = put("w/", "1");
    long last = put("w0", "1");
    assertThat(watch("w/", before + 1).linesUntil(last)).containsExactly(inside + ": put w/=1");
  }

  @Test
  void emptyPrefix_deliversEverything() {
    long before = currentRevision();
    long first = committed(Txn.put(bytes(0), key("1")));
    long second = committed(Txn.put(bytes(0xff, 0xff), key("1")));
    long third = put("a", "1");
    assertThat(watch("", before + 1).commitsUntil(third))
        .extracting(WatchBatch.Commit::revision)
        .containsExactly(first, second, third);
  }

  @Test
  void prefixOfHighestBytes_deliversItsKeysOnly() {
    long before = currentRevision();
    committed(Txn.put(bytes(0xff, 0xfe), key("1")));
    long inside = committed(Txn.put(bytes(0xff, 0xff), key("1")));
    long deeper = committed(Txn.put(bytes(0xff, 0xff, 0xff), key("1")));
    long last = put("a", "1");
    WatchReader watch = watch(WatchQuery.prefix(bytes(0xff, 0xff), before + 1));
    assertThat(watch.commitsUntil(last))
        .extracting(WatchBatch.Commit::revision)
        .containsExactly(inside, deeper);
  }

  // Previous states

  @Test
  void previousToo_carriesTheStateBeforeEachEvent() {
    long created = put("w/a", "1");
    long changed = put("w/a", "2");
    long deleted = delete("w/a");
    long again = put("w/a", "3");
    var one = new KeyValue(key("w/a"), key("1"), created, created, 1);
    var two = new KeyValue(key("w/a"), key("2"), created, changed, 2);
    var three = new KeyValue(key("w/a"), key("3"), again, again, 1);

    assertThat(events(watch(WatchQuery.prefix(key("w/"), created).previousToo()), again))
        .containsExactly(
            new Event.Put(one, null),
            new Event.Put(two, one),
            new Event.Delete(key("w/a"), two),
            new Event.Put(three, null));
    assertThat(deleted).isLessThan(again);
  }

  @Test
  void previousToo_holdsForLiveEventsAndWholeTransactions() {
    long created =
        committed(Txn.builder().put(key("w/a"), key("1")).put(key("w/b"), key("1")).build());
    WatchReader watch = watch(WatchQuery.prefix(key("w/"), created + 1).previousToo());
    CompletableFuture<WatchBatch> next = watch.next();
    long changed =
        committed(
            Txn.builder()
                .delete(key("w/b"))
                .put(key("w/a"), key("2"))
                .put(key("w/c"), key("2"))
                .build());
    assertThat(await(next).commits())
        .containsExactly(
            new WatchBatch.Commit(
                changed,
                List.of(
                    new Event.Delete(
                        key("w/b"), new KeyValue(key("w/b"), key("1"), created, created, 1)),
                    new Event.Put(
                        new KeyValue(key("w/a"), key("2"), created, changed, 2),
                        new KeyValue(key("w/a"), key("1"), created, created, 1)),
                    new Event.Put(new KeyValue(key("w/c"), key("2"), changed, changed, 1), null))));
  }

  @Test
  void withoutAsking_noPreviousStateComes() {
    long created = put("w/a", "1");
    put("w/a", "2");
    long deleted = delete("w/a");
    WatchReader asked = watch(WatchQuery.prefix(key("w/"), created).previousToo());
    WatchReader plain = watch("w/", created);
    assertThat(events(plain, deleted)).hasSize(3).allMatch(event -> event.previous() == null);
    assertThat(events(asked, deleted)).filteredOn(event -> event.previous() != null).hasSize(2);
  }

  // Volume

  @Test
  void wideTransactions_areNeverSplit() {
    int wide = Math.min(1000, store().limits().operationsMax());
    long before = currentRevision();
    long last = before;
    for (int round = 0; round < 10; round++) {
      var txn = Txn.builder();
      for (int i = 0; i < wide; i++) {
        txn.put(key(numbered("w/", i)), key("round " + round));
      }
      last = committed(txn.build());
    }
    List<WatchBatch.Commit> commits = watch("w/", before + 1).commitsUntil(last);
    assertThat(commits).hasSize(10);
    List<Bytes> keys = IntStream.range(0, wide).mapToObj(i -> key(numbered("w/", i))).toList();
    for (WatchBatch.Commit commit : commits) {
      assertThat(commit.events()).extracting(Event::key).containsExactlyElementsOf(keys);
    }
  }

  @Test
  void largeValues_comeWholeAndInOrder() {
    int valueBytes = Math.min(1 << 20, store().limits().requestBytesMax() - 1024);
    long before = currentRevision();
    var expected = new ArrayList<Long>();
    for (int i = 0; i < 12; i++) {
      expected.add(committed(Txn.put(key("w/" + i), zeros(valueBytes))));
    }
    List<WatchBatch.Commit> commits = watch("w/", before + 1).commitsUntil(expected.getLast());
    assertThat(commits).extracting(WatchBatch.Commit::revision).isEqualTo(expected);
    for (WatchBatch.Commit commit : commits) {
      var put = (Event.Put) commit.events().getFirst();
      assertThat(put.current().value().length()).isEqualTo(valueBytes);
    }
  }

  private static List<Event> events(WatchReader watch, long revision) {
    return watch.commitsUntil(revision).stream()
        .flatMap(commit -> commit.events().stream())
        .toList();
  }
}
