package dev.evenkeel.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.store.KeyValue;
import dev.evenkeel.store.RangeQuery;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.Txn;
import dev.evenkeel.store.TxnResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Revisions, versions, and that a transaction happens as a whole or not at all. */
abstract class TransactionContract extends ContractPart {

  @Test
  void newStore_isAtFirstRevision() {
    assumeTrue(fixture().startsAtFirstRevision(), "the engine's stores share a history");
    assertThat(currentRevision()).isEqualTo(Store.FIRST_REVISION);
    assertThat(put("a", "1")).isEqualTo(Store.FIRST_REVISION + 1);
  }

  @Test
  void put_makesKeyAtNextRevision() {
    long before = currentRevision();
    TxnResult result = await(store().commit(Txn.put(key("a"), key("1"))));
    assertThat(result).isEqualTo(new TxnResult.Committed(before + 1, true));
    assertThat(existing("a"))
        .isEqualTo(new KeyValue(key("a"), key("1"), before + 1, before + 1, 1));
    assertThat(currentRevision()).isEqualTo(before + 1);
  }

  @Test
  void putAgain_countsVersionAndKeepsCreateRevision() {
    long first = put("a", "1");
    long second = put("a", "2");
    assertThat(second).isEqualTo(first + 1);
    assertThat(existing("a")).isEqualTo(new KeyValue(key("a"), key("2"), first, second, 2));
  }

  @Test
  void putOfEqualValue_isNewVersion() {
    long first = put("a", "1");
    long second = put("a", "1");
    assertThat(second).isEqualTo(first + 1);
    assertThat(existing("a")).isEqualTo(new KeyValue(key("a"), key("1"), first, second, 2));
  }

  @Test
  void delete_removesKeyAtNextRevision() {
    long written = put("a", "1");
    assertThat(delete("a")).isEqualTo(written + 1);
    assertThat(isAbsent("a")).isTrue();
    assertThat(currentRevision()).isEqualTo(written + 1);
  }

  @Test
  void deleteAndPutAgain_startsKeyAnew() {
    put("a", "1");
    put("a", "2");
    delete("a");
    long again = put("a", "3");
    assertThat(existing("a")).isEqualTo(new KeyValue(key("a"), key("3"), again, again, 1));
  }

  @Test
  void deleteOfAbsentKeys_takesNoRevision() {
    long before = put("other", "1");
    TxnResult result =
        await(store().commit(Txn.builder().delete(key("a")).delete(key("b")).build()));
    assertThat(result).isEqualTo(new TxnResult.Committed(before, false));
    assertThat(currentRevision()).isEqualTo(before);
  }

  @Test
  void noWrites_takesNoRevision() {
    long before = put("a", "1");
    assertThat(await(store().commit(Txn.builder().ifExists(key("a")).build())))
        .isEqualTo(new TxnResult.Committed(before, false));
    assertThat(await(store().commit(Txn.builder().build())))
        .isEqualTo(new TxnResult.Committed(before, false));
    assertThat(currentRevision()).isEqualTo(before);
  }

  @Test
  void manyWrites_happenAtOneRevision() {
    long created = put("changed", "1");
    put("deleted", "1");
    long before = put("kept", "1");

    long revision =
        committed(
            Txn.builder()
                .put(key("new"), key("2"))
                .delete(key("deleted"))
                .put(key("changed"), key("2"))
                .delete(key("never there"))
                .build());

    assertThat(revision).isEqualTo(before + 1);
    assertThat(currentRevision()).isEqualTo(revision);
    assertThat(range(RangeQuery.prefix(Bytes.EMPTY)).items())
        .containsExactly(
            new KeyValue(key("changed"), key("2"), created, revision, 2),
            new KeyValue(key("kept"), key("1"), before, before, 1),
            new KeyValue(key("new"), key("2"), revision, revision, 1));
  }

  @Test
  void rejected_changesNothing() {
    put("a", "1");
    long before = put("b", "1");
    TxnResult result =
        await(
            store()
                .commit(
                    Txn.builder()
                        .ifExists(key("a"))
                        .ifAbsent(key("b"))
                        .put(key("a"), key("2"))
                        .delete(key("b"))
                        .put(key("c"), key("2"))
                        .build()));
    assertThat(result).isInstanceOf(TxnResult.Rejected.class);
    assertThat(result.revision()).isEqualTo(before);
    assertThat(currentRevision()).isEqualTo(before);
    assertThat(keys(range(RangeQuery.prefix(Bytes.EMPTY)))).containsExactly("a", "b");
    assertThat(existing("a").value()).isEqualTo(key("1"));
  }

  @Test
  void anyBytes_comeBackAsTheyWere() {
    byte[] all = new byte[256];
    for (int i = 0; i < all.length; i++) {
      all[i] = (byte) i;
    }
    Bytes value = Bytes.wrap(all.clone());
    Bytes key = Bytes.wrap(all.clone());
    committed(Txn.builder().put(key, value).put(bytes(0), Bytes.EMPTY).build());

    assertThat(await(store().get(key, Store.NEWEST)).item()).isNotNull();
    assertThat(Objects.requireNonNull(await(store().get(key, Store.NEWEST)).item()).value())
        .isEqualTo(value);
    assertThat(Objects.requireNonNull(await(store().get(bytes(0), Store.NEWEST)).item()).value())
        .isEqualTo(Bytes.EMPTY);
  }

  @Test
  void commitsHandedInAtOnce_takeOneRevisionEach() {
    long before = currentRevision();
    var pending = new ArrayList<CompletableFuture<TxnResult>>();
    for (int i = 0; i < 200; i++) {
      pending.add(store().commit(Txn.put(key("k" + i % 7), key("" + i))));
    }
    List<Long> revisions = pending.stream().map(one -> await(one).revision()).sorted().toList();
    assertThat(revisions)
        .containsExactlyElementsOf(
            LongStream.rangeClosed(before + 1, before + 200).boxed().toList());
    assertThat(currentRevision()).isEqualTo(before + 200);
  }

  @Test
  void answeredCommit_isReadByEverybodyFromThenOn() {
    List<Callable<Boolean>> writers =
        IntStream.range(0, 4)
            .<Callable<Boolean>>mapToObj(
                writer ->
                    () -> {
                      for (int i = 0; i < 50; i++) {
                        long revision = put("w" + writer, "" + i);
                        assertThat(currentRevision()).isGreaterThanOrEqualTo(revision);
                        var read = get("w" + writer, Store.NEWEST);
                        assertThat(read.revision()).isGreaterThanOrEqualTo(revision);
                        assertThat(existing("w" + writer).modRevision()).isEqualTo(revision);
                        assertThat(range(RangeQuery.prefix(key("w"))).revision())
                            .isGreaterThanOrEqualTo(revision);
                      }
                      return true;
                    })
            .toList();
    assertThat(inParallel(writers)).doesNotContain(false);
  }

  @Test
  void conditionalIncrements_loseNone() {
    put("counter", "0");
    List<Callable<Integer>> clients =
        IntStream.range(0, 6).<Callable<Integer>>mapToObj(_ -> () -> increments(25)).toList();
    int total = inParallel(clients).stream().mapToInt(Integer::intValue).sum();
    assertThat(total).isEqualTo(150);
    assertThat(existing("counter").value()).isEqualTo(key("150"));
    assertThat(existing("counter").version()).isEqualTo(151);
  }

  private int increments(int wanted) {
    int done = 0;
    while (done < wanted) {
      KeyValue current = existing("counter");
      Bytes next = key("" + (Integer.parseInt(current.value().utf8()) + 1));
      TxnResult result =
          await(
              store()
                  .commit(
                      Txn.builder()
                          .ifModRevision(current.key(), current.modRevision())
                          .put(current.key(), next)
                          .build()));
      if (result instanceof TxnResult.Committed) {
        done++;
      }
    }
    return done;
  }

  @Test
  void reopenedStore_hasStateAndHistoryAndGoesOn() {
    assumeTrue(fixture().durable(), "the engine keeps nothing");
    long first = put("a", "1");
    long second = put("a", "2");
    put("b", "1");
    long last = delete("b");

    store().close();
    Store again = closedAfterwards(fixture().reopen(store()));

    assertThat(await(again.currentRevision())).isEqualTo(last);
    assertThat(await(again.range(RangeQuery.prefix(Bytes.EMPTY))).items())
        .containsExactly(new KeyValue(key("a"), key("2"), first, second, 2));
    assertThat(await(again.get(key("a"), first)).item())
        .isEqualTo(new KeyValue(key("a"), key("1"), first, first, 1));
    assertThat(await(again.commit(Txn.put(key("c"), key("1")))).revision()).isEqualTo(last + 1);
  }
}
