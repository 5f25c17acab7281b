package dev.evenkeel.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.store.GetResult;
import dev.evenkeel.store.KeyValue;
import dev.evenkeel.store.RangeQuery;
import dev.evenkeel.store.RangeResult;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.StoreException;
import dev.evenkeel.store.Txn;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Get and range: which keys, in which order, as of when. */
abstract class ReadContract extends ContractPart {

  // Get

  @Test
  void get_saysWhichRevisionWasRead() {
    long first = put("a", "1");
    long second = put("b", "1");
    assertThat(get("a", Store.NEWEST).revision()).isEqualTo(second);
    assertThat(get("a", first).revision()).isEqualTo(first);
    assertThat(get("never", Store.NEWEST)).isEqualTo(new GetResult(second, null));
  }

  @Test
  void get_atEachRevisionGivesTheStateOfThatTime() {
    long before = currentRevision();
    long created = put("a", "1");
    long changed = put("a", "2");
    long deleted = delete("a");
    long again = put("a", "3");

    if (before >= 1) {
      assertThat(get("a", before)).isEqualTo(new GetResult(before, null));
    }
    assertThat(get("a", created).item())
        .isEqualTo(new KeyValue(key("a"), key("1"), created, created, 1));
    assertThat(get("a", changed).item())
        .isEqualTo(new KeyValue(key("a"), key("2"), created, changed, 2));
    assertThat(get("a", deleted)).isEqualTo(new GetResult(deleted, null));
    assertThat(get("a", again).item()).isEqualTo(new KeyValue(key("a"), key("3"), again, again, 1));
  }

  @Test
  void get_ofKeyThatIsOnlyAPrefixFindsNothing() {
    put("ab", "1");
    assertThat(isAbsent("a")).isTrue();
    assertThat(isAbsent("abc")).isTrue();
  }

  @Test
  void readOfTheFuture_isRefusedWithTheNewestRevision() {
    long newest = put("a", "1");
    var get = failure(StoreException.FutureRevision.class, store().get(key("a"), newest + 1));
    assertThat(get.requested()).isEqualTo(newest + 1);
    assertThat(get.currentRevision()).isEqualTo(newest);
    var range =
        failure(
            StoreException.FutureRevision.class,
            store().range(RangeQuery.prefix(key("a")).at(newest + 5)));
    assertThat(range.requested()).isEqualTo(newest + 5);
    assertThat(range.currentRevision()).isEqualTo(newest);
  }

  // Which keys

  @Test
  void range_readsKeysWithThePrefixInOrder() {
    putAll("b/2", "b/1", "b", "b/", "b0", "a/1", "c", "b/10");
    assertThat(keys(range(RangeQuery.prefix(key("b/")))))
        .containsExactly("b/", "b/1", "b/10", "b/2");
    assertThat(keys(range(RangeQuery.prefix(key("b")))))
        .containsExactly("b", "b/", "b/1", "b/10", "b/2", "b0");
    assertThat(keys(range(RangeQuery.prefix(key("d"))))).isEmpty();
  }

  @Test
  void range_itemsAreWhatGetGives() {
    long created = put("a", "1");
    long changed = put("a", "2");
    RangeResult result = range(RangeQuery.prefix(key("a")));
    assertThat(result)
        .isEqualTo(
            new RangeResult(
                changed, List.of(new KeyValue(key("a"), key("2"), created, changed, 2)), false, 1));
  }

  @Test
  void emptyPrefix_readsAllKeys() {
    List<Bytes> all = List.of(bytes(0), bytes(0, 0), key("a"), bytes(0xff), bytes(0xff, 0xff));
    putAll(all);
    assertThat(range(RangeQuery.prefix(Bytes.EMPTY)).items())
        .extracting(KeyValue::key)
        .containsExactlyElementsOf(all);
  }

  @Test
  void order_isThatOfUnsignedBytes() {
    List<Bytes> ordered =
        List.of(
            bytes(0x61),
            bytes(0x61, 0x00),
            bytes(0x61, 0x00, 0x00),
            bytes(0x61, 0x01),
            bytes(0x61, 0x7f),
            bytes(0x61, 0x80),
            bytes(0x61, 0x80, 0x01),
            bytes(0x61, 0xfe),
            bytes(0x61, 0xff),
            bytes(0x61, 0xff, 0x00));
    putAll(ordered.reversed());
    putAll(List.of(bytes(0x60, 0xff), bytes(0x62)));
    assertThat(range(RangeQuery.prefix(bytes(0x61))).items())
        .extracting(KeyValue::key)
        .containsExactlyElementsOf(ordered);
  }

  @Test
  void prefixOfHighestBytes_hasNoUpperEndToMiss() {
    putAll(
        List.of(
            bytes(0xfe, 0xff),
            bytes(0xff),
            bytes(0xff, 0xfe),
            bytes(0xff, 0xff),
            bytes(0xff, 0xff, 0x00),
            bytes(0xff, 0xff, 0xff)));
    assertThat(range(RangeQuery.prefix(bytes(0xff, 0xff))).items())
        .extracting(KeyValue::key)
        .containsExactly(bytes(0xff, 0xff), bytes(0xff, 0xff, 0x00), bytes(0xff, 0xff, 0xff));
    assertThat(range(RangeQuery.prefix(bytes(0xfe, 0xff))).items())
        .extracting(KeyValue::key)
        .containsExactly(bytes(0xfe, 0xff));
    assertThat(range(RangeQuery.prefix(bytes(0xff)).countOnly()).count()).isEqualTo(5);
  }

  @Test
  void start_skipsKeysBeforeIt() {
    putAll("a", "b/1", "b/2", "b/3", "c");
    RangeQuery query = RangeQuery.prefix(key("b/"));
    assertThat(keys(range(query.startingAt(key("b/2"))))).containsExactly("b/2", "b/3");
    assertThat(keys(range(query.startingAt(key("b/1").successor())))).containsExactly("b/2", "b/3");
    assertThat(keys(range(query.startingAt(key("b/3").successor())))).isEmpty();
  }

  @Test
  void startBeforeThePrefix_readsFromThePrefixsFirstKey() {
    putAll("a", "b/1", "b/2", "c");
    RangeQuery query = RangeQuery.prefix(key("b/"));
    assertThat(keys(range(query.startingAt(Bytes.EMPTY)))).containsExactly("b/1", "b/2");
    assertThat(keys(range(query.startingAt(key("a"))))).containsExactly("b/1", "b/2");
    assertThat(keys(range(query.startingAt(key("b"))))).containsExactly("b/1", "b/2");
  }

  @Test
  void startBehindThePrefix_readsNothing() {
    putAll("a", "b/1", "b/2", "c");
    RangeQuery query = RangeQuery.prefix(key("b/"));
    assertThat(keys(range(query.startingAt(key("b0"))))).isEmpty();
    assertThat(keys(range(query.startingAt(key("c"))))).isEmpty();
    assertThat(range(query.startingAt(key("c")).countOnly()).count()).isZero();
  }

  // How much of it

  @Test
  void limit_cutsAndSaysWhetherThereIsMore() {
    putAll("a/1", "a/2", "a/3", "b");
    RangeQuery query = RangeQuery.prefix(key("a/"));

    RangeResult two = range(query.limit(2));
    assertThat(keys(two)).containsExactly("a/1", "a/2");
    assertThat(two.more()).isTrue();
    assertThat(two.count()).isEqualTo(2);

    RangeResult three = range(query.limit(3));
    assertThat(keys(three)).containsExactly("a/1", "a/2", "a/3");
    assertThat(three.more()).isFalse();
    assertThat(three.count()).isEqualTo(3);

    assertThat(range(query.limit(0)).more()).isFalse();
    assertThat(keys(range(query.limit(0)))).hasSize(3);
    assertThat(keys(range(query.limit(100)))).hasSize(3);
  }

  @Test
  void limitWithStart_countsFromTheStart() {
    putAll("a/1", "a/2", "a/3", "a/4");
    RangeResult result = range(RangeQuery.prefix(key("a/")).startingAt(key("a/2")).limit(2));
    assertThat(keys(result)).containsExactly("a/2", "a/3");
    assertThat(result.more()).isTrue();
  }

  @Test
  void keysOnly_leavesValuesEmptyAndKeepsTheRest() {
    long created = put("a", "1");
    long changed = put("a", "2");
    RangeResult result = range(RangeQuery.prefix(key("a")).keysOnly());
    assertThat(result.items())
        .containsExactly(new KeyValue(key("a"), Bytes.EMPTY, created, changed, 2));
    assertThat(result.count()).isEqualTo(1);
  }

  @Test
  void countOnly_countsAllThatMatchesWhateverTheLimit() {
    putAll("a/1", "a/2", "a/3", "a/4", "b");
    RangeQuery query = RangeQuery.prefix(key("a/")).countOnly();
    assertThat(range(query).count()).isEqualTo(4);
    assertThat(range(query).items()).isEmpty();
    assertThat(range(query.limit(2)).count()).isEqualTo(4);
    assertThat(range(query.startingAt(key("a/3"))).count()).isEqualTo(2);
    assertThat(range(RangeQuery.prefix(key("none")).countOnly()).count()).isZero();
  }

  @Test
  void manyKeys_comeAllWithoutLimit() {
    putMany("many/", 3000);
    RangeResult result = range(RangeQuery.prefix(key("many/")));
    assertThat(keys(result))
        .containsExactlyElementsOf(
            IntStream.range(0, 3000).mapToObj(i -> numbered("many/", i)).toList());
    assertThat(result.more()).isFalse();
    assertThat(result.count()).isEqualTo(3000);
    assertThat(range(RangeQuery.prefix(key("many/")).countOnly()).count()).isEqualTo(3000);
  }

  // As of when

  @Test
  void rangeAtOlderRevision_knowsNothingOfWhatCameLater() {
    long created = putAll("a/1", "a/2", "a/3");
    long then = put("a/2", "changed");
    delete("a/1");
    put("a/3", "changed");
    put("a/0", "new");
    put("a/1", "again");
    long now = delete("a/2");

    RangeResult result = range(RangeQuery.prefix(key("a/")).at(then));
    assertThat(result.revision()).isEqualTo(then);
    assertThat(result.items())
        .containsExactly(
            new KeyValue(key("a/1"), key("v"), created, created, 1),
            new KeyValue(key("a/2"), key("changed"), created, then, 2),
            new KeyValue(key("a/3"), key("v"), created, created, 1));
    assertThat(range(RangeQuery.prefix(key("a/")).at(then).countOnly()).count()).isEqualTo(3);
    RangeResult page = range(RangeQuery.prefix(key("a/")).at(then).limit(2));
    assertThat(keys(page)).containsExactly("a/1", "a/2");
    assertThat(page.more()).isTrue();

    RangeResult newest = range(RangeQuery.prefix(key("a/")));
    assertThat(newest.revision()).isEqualTo(now);
    assertThat(keys(newest)).containsExactly("a/0", "a/1", "a/3");
    assertThat(range(RangeQuery.prefix(key("a/")).at(now))).isEqualTo(newest);
  }

  @Test
  void pagesAtOneRevision_areOneStateWhileWritersGoOn() {
    putMany("p/", 300);
    long revision = currentRevision();
    List<KeyValue> whole = range(RangeQuery.prefix(key("p/"))).items();
    var stop = new AtomicBoolean();

    Callable<Boolean> writer =
        () -> {
          for (int i = 0; !stop.get(); i++) {
            await(store().commit(Txn.delete(key(numbered("p/", i % 300)))));
            put(numbered("p/", (i * 7) % 300) + "x", "" + i);
            put(numbered("p/", (i * 11) % 300), "" + i);
          }
          return true;
        };
    Callable<Boolean> reader =
        () -> {
          try {
            eventually("writing goes on", () -> currentRevision() > revision);
            for (int i = 0; i < 10; i++) {
              assertThat(pages("p/", revision, 17)).isEqualTo(whole);
            }
          } finally {
            stop.set(true);
          }
          return true;
        };
    assertThat(inParallel(List.of(writer, reader))).containsExactly(true, true);
  }

  @Test
  void rangeOfNewest_isOneStateWhileWritersGoOn() {
    long revision =
        committed(Txn.builder().put(key("m/a"), key("100")).put(key("m/b"), key("0")).build());
    var stop = new AtomicBoolean();
    Callable<Boolean> writer =
        () -> {
          for (int i = 0; !stop.get(); i = (i + 1) % 100) {
            committed(
                Txn.builder()
                    .put(key("m/a"), key("" + (100 - i)))
                    .put(key("m/b"), key("" + i))
                    .build());
          }
          return true;
        };
    Callable<Boolean> reader =
        () -> {
          try {
            eventually("writing goes on", () -> currentRevision() > revision);
            for (int i = 0; i < 100; i++) {
              List<KeyValue> both = range(RangeQuery.prefix(key("m/"))).items();
              assertThat(both.get(0).modRevision()).isEqualTo(both.get(1).modRevision());
              assertThat(number(both.get(0)) + number(both.get(1))).isEqualTo(100);
            }
          } finally {
            stop.set(true);
          }
          return true;
        };
    assertThat(inParallel(List.of(writer, reader))).containsExactly(true, true);
  }

  private List<KeyValue> pages(String prefix, long revision, int pageItems) {
    var all = new ArrayList<KeyValue>();
    RangeQuery query = RangeQuery.prefix(key(prefix)).at(revision).limit(pageItems);
    RangeResult page = range(query);
    all.addAll(page.items());
    while (page.more()) {
      assertThat(page.revision()).isEqualTo(revision);
      Bytes start = page.items().getLast().key().successor();
      page = range(query.startingAt(start));
      assertThat(page.items().getFirst().key()).isGreaterThanOrEqualTo(start);
      all.addAll(page.items());
    }
    return all;
  }

  private static int number(KeyValue item) {
    return Integer.parseInt(item.value().utf8());
  }

  private long putAll(String... keys) {
    return putAll(List.of(keys).stream().map(Bytes::utf8).toList());
  }

  private long putAll(List<Bytes> keys) {
    var txn = Txn.builder();
    keys.forEach(key -> txn.put(key, key("v")));
    return committed(txn.build());
  }
}
