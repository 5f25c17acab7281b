package dev.evenkeel.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.store.Compare;
import dev.evenkeel.store.KeyValue;
import dev.evenkeel.store.Txn;
import dev.evenkeel.store.TxnResult;
import dev.evenkeel.store.Write;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Each kind of comparison, on keys that are there and keys that are not, and what a rejection says.
 */
abstract class ComparisonContract extends ContractPart {

  private static final String THERE = "there";
  private static final String GONE = "gone";
  private static final String NEVER = "never";

  private long created;
  private long modified;
  private long revision;

  @BeforeEach
  void prepareKeys() {
    created = put(THERE, "1");
    modified = put(THERE, "2");
    put(GONE, "1");
    revision = delete(GONE);
  }

  @Test
  void exists_holdsForKeyThatIsThere() {
    assertHolds(new Compare.Exists(key(THERE)));
    assertFails(new Compare.Exists(key(NEVER)), null);
    assertFails(new Compare.Exists(key(GONE)), null);
  }

  @Test
  void absent_holdsForKeyThatIsNotThere() {
    assertHolds(new Compare.Absent(key(NEVER)));
    assertHolds(new Compare.Absent(key(GONE)));
    assertFails(new Compare.Absent(key(THERE)), there());
  }

  @Test
  void modRevision_holdsForLastWrite() {
    assertHolds(new Compare.ModRevision(key(THERE), modified));
    assertFails(new Compare.ModRevision(key(THERE), created), there());
    assertFails(new Compare.ModRevision(key(THERE), modified + 1), there());
    assertFails(new Compare.ModRevision(key(THERE), 0), there());
  }

  @Test
  void modRevision_isZeroForKeyThatIsNotThere() {
    assertHolds(new Compare.ModRevision(key(NEVER), 0));
    assertHolds(new Compare.ModRevision(key(GONE), 0));
    assertFails(new Compare.ModRevision(key(NEVER), modified), null);
    assertFails(new Compare.ModRevision(key(GONE), revision), null);
  }

  @Test
  void version_holdsForNumberOfWrites() {
    assertHolds(new Compare.Version(key(THERE), 2));
    assertFails(new Compare.Version(key(THERE), 1), there());
    assertFails(new Compare.Version(key(THERE), 3), there());
    assertFails(new Compare.Version(key(THERE), 0), there());
  }

  @Test
  void version_isZeroForKeyThatIsNotThere() {
    assertHolds(new Compare.Version(key(NEVER), 0));
    assertHolds(new Compare.Version(key(GONE), 0));
    assertFails(new Compare.Version(key(NEVER), 1), null);
    assertFails(new Compare.Version(key(GONE), 1), null);
  }

  @Test
  void value_holdsForEqualBytes() {
    assertHolds(new Compare.Value(key(THERE), key("2")));
    assertFails(new Compare.Value(key(THERE), key("1")), there());
    assertFails(new Compare.Value(key(THERE), key("22")), there());
    assertFails(new Compare.Value(key(THERE), Bytes.EMPTY), there());
  }

  @Test
  void value_ofKeyThatIsNotThereEqualsNothing() {
    assertFails(new Compare.Value(key(NEVER), Bytes.EMPTY), null);
    assertFails(new Compare.Value(key(GONE), Bytes.EMPTY), null);
    assertFails(new Compare.Value(key(GONE), key("1")), null);
  }

  @Test
  void value_mayBeEmpty() {
    long written = put("empty", "");
    assertThat(await(store().commit(new Txn(List.of(emptyValue("empty")), List.of()))))
        .isEqualTo(new TxnResult.Committed(written, false));
  }

  @Test
  void rejection_listsEveryFailureInOrderWithCurrentRecord() {
    var absent = new Compare.Absent(key(THERE));
    var wrongVersion = new Compare.Version(key(THERE), 7);
    var missing = new Compare.Exists(key(NEVER));
    var wrongValue = new Compare.Value(key(THERE), key("1"));
    var wrongRevision = new Compare.ModRevision(key(GONE), 3);
    var txn =
        new Txn(
            List.of(
                new Compare.Exists(key(THERE)),
                wrongRevision,
                absent,
                new Compare.Absent(key(NEVER)),
                wrongVersion,
                missing,
                new Compare.Version(key(THERE), 2),
                wrongValue,
                missing),
            List.of(new Write.Put(key(NEVER), key("1"))));

    assertThat(await(store().commit(txn)))
        .isEqualTo(
            new TxnResult.Rejected(
                revision,
                List.of(
                    new TxnResult.Failure(wrongRevision, null),
                    new TxnResult.Failure(absent, there()),
                    new TxnResult.Failure(wrongVersion, there()),
                    new TxnResult.Failure(missing, null),
                    new TxnResult.Failure(wrongValue, there()),
                    new TxnResult.Failure(missing, null))));
    assertThat(isAbsent(NEVER)).isTrue();
  }

  @Test
  void rejectionWithoutWrites_saysTheSame() {
    var absent = new Compare.Absent(key(THERE));
    assertThat(await(store().commit(new Txn(List.of(absent), List.of()))))
        .isEqualTo(
            new TxnResult.Rejected(revision, List.of(new TxnResult.Failure(absent, there()))));
  }

  @Test
  void comparisons_seeTheStateBeforeTheWrites() {
    long written =
        committed(
            Txn.builder()
                .put(key(NEVER), key("1"))
                .ifAbsent(key(NEVER))
                .delete(key(THERE))
                .ifExists(key(THERE))
                .build());
    assertThat(existing(NEVER).createRevision()).isEqualTo(written);
    assertThat(isAbsent(THERE)).isTrue();
  }

  @Test
  void comparedKeys_needNotBeTheWrittenOnes() {
    long written =
        committed(Txn.builder().ifVersion(key(THERE), 2).put(key("x"), key("1")).build());
    assertThat(existing("x").modRevision()).isEqualTo(written);
    assertThat(existing(THERE)).isEqualTo(there());
  }

  private static Compare emptyValue(String name) {
    return new Compare.Value(key(name), Bytes.EMPTY);
  }

  private KeyValue there() {
    return new KeyValue(key(THERE), key("2"), created, modified, 2);
  }

  private void assertHolds(Compare compare) {
    assertThat(await(store().commit(new Txn(List.of(compare), List.of()))))
        .as("%s", compare)
        .isEqualTo(new TxnResult.Committed(revision, false));
  }

  private void assertFails(Compare compare, @Nullable KeyValue current) {
    var txn = new Txn(List.of(compare), List.of(new Write.Put(key("x"), key("1"))));
    assertThat(await(store().commit(txn)))
        .as("%s", compare)
        .isEqualTo(
            new TxnResult.Rejected(revision, List.of(new TxnResult.Failure(compare, current))));
    assertThat(isAbsent("x")).isTrue();
  }
}
