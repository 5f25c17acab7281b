package dev.evenkeel.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.store.Compare;
import dev.evenkeel.store.RangeQuery;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.StoreException;
import dev.evenkeel.store.StoreLimits;
import dev.evenkeel.store.Txn;
import dev.evenkeel.store.TxnResult;
import dev.evenkeel.store.WatchQuery;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Bad input: a typed error through the future, and nothing changed. Every refused transaction here
 * also carries a good write, and after each test that key is looked for.
 */
abstract class LimitsContract extends ContractPart {

  private static final Bytes GOOD = Bytes.utf8("good");

  private StoreLimits limits = StoreLimits.LOCAL_DEFAULTS;
  private long revisionBefore;

  @BeforeEach
  void prepare() {
    limits = store().limits();
    revisionBefore = put("before", "1");
  }

  @AfterEach
  void nothingWasChanged() {
    assertThat(await(store().get(GOOD, Store.NEWEST)).item()).isNull();
    assertThat(existing("before").version()).isEqualTo(1);
  }

  // Keys

  @Test
  void emptyKey_isRefusedEverywhere() {
    refused(goodAnd().put(Bytes.EMPTY, key("1")));
    refused(goodAnd().delete(Bytes.EMPTY));
    refused(goodAnd().ifExists(Bytes.EMPTY));
    refused(goodAnd().ifAbsent(Bytes.EMPTY));
    refused(goodAnd().ifValue(Bytes.EMPTY, Bytes.EMPTY));
    failure(StoreException.InvalidRequest.class, store().get(Bytes.EMPTY, Store.NEWEST));
  }

  @Test
  void oversizedKey_isRefusedEverywhere() {
    Bytes key = zeros(limits.keyBytesMax() + 1);
    var futures =
        List.of(
            store().commit(goodAnd().put(key, key("1")).build()),
            store().commit(goodAnd().delete(key).build()),
            store().commit(goodAnd().ifAbsent(key).build()),
            store().get(key, Store.NEWEST),
            store().range(RangeQuery.prefix(key)),
            store().range(RangeQuery.prefix(key("a")).startingAt(key)),
            watch(WatchQuery.prefix(key, revisionBefore + 1)).next());
    for (CompletableFuture<?> future : futures) {
      var tooLarge = failure(StoreException.TooLarge.class, future);
      assertThat(tooLarge.actual()).isEqualTo(limits.keyBytesMax() + 1);
      assertThat(tooLarge.max()).isEqualTo(limits.keyBytesMax());
    }
    assertUnchanged();
  }

  @Test
  void longestKey_isTaken() {
    Bytes key = zeros(limits.keyBytesMax());
    long written = committed(Txn.put(key, key("1")));
    assertThat(await(store().get(key, Store.NEWEST)).item()).isNotNull();
    assertThat(await(store().range(RangeQuery.prefix(key))).count()).isEqualTo(1);
    assertThat(watch(WatchQuery.prefix(key, written)).commitsUntil(written)).hasSize(1);
  }

  @Test
  void sameKeyWrittenTwice_isRefused() {
    refused(goodAnd().put(key("x"), key("1")).put(key("x"), key("2")));
    refused(goodAnd().put(key("x"), key("1")).delete(key("x")));
    refused(goodAnd().delete(key("x")).delete(key("x")));
    assertThat(isAbsent("x")).isTrue();
  }

  @Test
  void keysThatDifferOnlyAtTheEnd_areDifferentKeys() {
    long written =
        committed(
            Txn.builder().put(key("x"), key("1")).put(key("x").successor(), key("2")).build());
    assertThat(existing("x").value()).isEqualTo(key("1"));
    assertThat(await(store().range(RangeQuery.prefix(key("x")))).count()).isEqualTo(2);
    assertThat(written).isEqualTo(revisionBefore + 1);
  }

  // Numbers

  @Test
  void negativeNumbers_areRefused() {
    refused(goodAnd().ifModRevision(key("before"), -1));
    refused(goodAnd().ifVersion(key("before"), -1));
    failure(StoreException.InvalidRequest.class, store().get(key("before"), -1));
    failure(StoreException.InvalidRequest.class, store().range(RangeQuery.prefix(key("a")).at(-1)));
    failure(
        StoreException.InvalidRequest.class, store().range(RangeQuery.prefix(key("a")).limit(-1)));
    failure(StoreException.InvalidRequest.class, watch("a", -1).next());
    failure(StoreException.InvalidRequest.class, watch("a", Long.MIN_VALUE).next());
    failure(StoreException.InvalidRequest.class, store().compact(-1));
    assertUnchanged();
  }

  @Test
  void farFuture_isRefusedAsFuture() {
    failure(StoreException.FutureRevision.class, store().get(key("a"), Long.MAX_VALUE));
    failure(
        StoreException.FutureRevision.class,
        store().range(RangeQuery.prefix(key("a")).at(Long.MAX_VALUE)));
    failure(StoreException.FutureRevision.class, watch("a", Long.MAX_VALUE).next());
    failure(StoreException.FutureRevision.class, store().compact(Long.MAX_VALUE));
    assertUnchanged();
  }

  @Test
  void comparisonWithAFarFuture_isJustFalse() {
    TxnResult result =
        await(
            store()
                .commit(
                    goodAnd()
                        .ifModRevision(key("before"), Long.MAX_VALUE)
                        .ifVersion(key("before"), Long.MAX_VALUE)
                        .build()));
    assertThat(result).isInstanceOf(TxnResult.Rejected.class);
    assertThat(((TxnResult.Rejected) result).failures()).hasSize(2);
    assertUnchanged();
  }

  // Sizes

  @Test
  void tooManyWrites_areRefused() {
    Txn.Builder txn = goodAnd();
    for (int i = 0; i < limits.operationsMax(); i++) {
      txn.put(key("k" + i), key("1"));
    }
    assertTooMany(txn.build());
    assertThat(isAbsent("k0")).isTrue();
  }

  @Test
  void tooManyComparisons_areRefused() {
    Txn.Builder txn = goodAnd();
    for (int i = 0; i <= limits.operationsMax(); i++) {
      txn.ifAbsent(key("k" + i));
    }
    assertTooMany(txn.build());
  }

  @Test
  void asManyOperationsAsAllowed_areTaken() {
    var txn = Txn.builder();
    for (int i = 0; i < limits.operationsMax(); i++) {
      txn.ifAbsent(key("k" + i)).put(key("k" + i), key("1"));
    }
    Txn widest = txn.build();
    assertThat(committed(widest)).isEqualTo(revisionBefore + 1);
    assertThat(await(store().range(RangeQuery.prefix(key("k")).countOnly())).count())
        .isEqualTo(limits.operationsMax());
    // The same once more: now every comparison fails, and every failure is listed.
    TxnResult result = await(store().commit(widest));
    assertThat(result).isInstanceOf(TxnResult.Rejected.class);
    assertThat(((TxnResult.Rejected) result).failures())
        .extracting(TxnResult.Failure::compare)
        .containsExactlyElementsOf(widest.compares());
  }

  @Test
  void tooManyBytes_areRefused() {
    int half = limits.requestBytesMax() / 2;
    List<Txn> transactions =
        List.of(
            goodAnd().put(key("x"), zeros(limits.requestBytesMax())).build(),
            goodAnd().put(key("x"), zeros(half)).put(key("y"), zeros(half)).build(),
            goodAnd().put(key("x"), zeros(half)).ifValue(key("y"), zeros(half)).build());
    for (Txn txn : transactions) {
      var tooLarge = failure(StoreException.TooLarge.class, store().commit(txn));
      assertThat(tooLarge.max()).isEqualTo(limits.requestBytesMax());
      assertThat(tooLarge.actual()).isGreaterThan(limits.requestBytesMax());
    }
    assertUnchanged();
    assertThat(isAbsent("x")).isTrue();
  }

  @Test
  void asManyBytesAsAllowed_areTaken() {
    Bytes value = zeros(limits.requestBytesMax() - 1);
    committed(Txn.put(key("x"), value));
    assertThat(existing("x").value()).isEqualTo(value);
  }

  @Test
  void refusals_comeThroughTheFutureAndLeaveTheStoreAtWork() {
    for (int i = 0; i < 20; i++) {
      refused(goodAnd().put(Bytes.EMPTY, key("1")));
      failure(StoreException.InvalidRequest.class, store().get(Bytes.EMPTY, Store.NEWEST));
      failure(StoreException.InvalidRequest.class, watch("a", 0).next());
    }
    assertThat(put("after", "1")).isEqualTo(revisionBefore + 1);
  }

  @Test
  void comparedKeyMayRepeat_writtenKeyMayBeCompared() {
    Txn txn =
        new Txn(
            List.of(
                new Compare.Exists(key("before")),
                new Compare.Version(key("before"), 1),
                new Compare.ModRevision(key("before"), revisionBefore)),
            Txn.put(key("x"), key("1")).writes());
    assertThat(committed(txn)).isEqualTo(revisionBefore + 1);
  }

  private static Txn.Builder goodAnd() {
    return Txn.builder().put(GOOD, key("1"));
  }

  private void refused(Txn.Builder txn) {
    failure(StoreException.InvalidRequest.class, store().commit(txn.build()));
    assertUnchanged();
  }

  private void assertTooMany(Txn txn) {
    var tooLarge = failure(StoreException.TooLarge.class, store().commit(txn));
    assertThat(tooLarge.actual()).isEqualTo(limits.operationsMax() + 1);
    assertThat(tooLarge.max()).isEqualTo(limits.operationsMax());
    assertUnchanged();
  }

  private void assertUnchanged() {
    assertThat(currentRevision()).isEqualTo(revisionBefore);
  }
}
