package dev.evenkeel.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.RealEnv;
import dev.evenkeel.store.KeyValue;
import dev.evenkeel.store.RangeQuery;
import dev.evenkeel.store.RangeResult;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.StoreException;
import dev.evenkeel.store.Txn;
import dev.evenkeel.store.engine.mvcc.MvccOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Bytes on the disk flip, and files lose their ends. The store opens with everything in it, or
 * refuses and says why; it never opens with something else.
 */
@Tag("slow")
final class DamageScenario {

  private static final int COMMITS = 40;

  private final TemporaryFolder folders = new TemporaryFolder();

  @AfterEach
  void deleteFolders() {
    folders.close();
  }

  /** How an opening ended. */
  private enum Outcome {
    WHOLE,
    REFUSED
  }

  @Test
  void aFlippedByteAnywhereInTheLog_isRecoveredOrRefused() throws IOException {
    Path original = written();
    Path log = theOnlyFile(original, ".log");
    long size = Files.size(log);
    var outcomes = new ArrayList<Outcome>();
    for (long position : positions(size, 150)) {
      outcomes.add(
          afterDamage(original, copy -> flip(copy.resolve(original.relativize(log)), position)));
    }
    assertThat(outcomes).as("some flips must be noticed").contains(Outcome.REFUSED);
  }

  @Test
  void aLogCutAnywhere_isRecoveredOrRefused() throws IOException {
    Path original = written();
    Path log = theOnlyFile(original, ".log");
    long size = Files.size(log);
    for (long length : positions(size, 100)) {
      assertThat(
              afterDamage(
                  original, copy -> truncate(copy.resolve(original.relativize(log)), length)))
          .as("a log of %d bytes cut to %d", size, length)
          .isEqualTo(Outcome.REFUSED);
    }
  }

  @Test
  void aLogThatEndsInTheMiddleOfAnUnacknowledgedWrite_isRecovered() throws IOException {
    Path original = folders.fresh();
    Path before = folders.fresh();
    try (Store store = open(original)) {
      for (int i = 0; i < COMMITS; i++) {
        commit(store, i);
      }
      Files.copy(original.resolve("acked"), before);
      commit(store, COMMITS); // this one, as if nobody had been told of it
    }
    Files.delete(original.resolve("acked"));
    Files.copy(before, original.resolve("acked"));
    Path log = theOnlyFile(original, ".log");
    truncate(log, Files.size(log) - 10);
    try (Store store = open(original)) {
      assertThat(state(store)).isEqualTo(expected(COMMITS));
      assertThat(store.commit(Txn.put(Bytes.utf8("/next"), Bytes.EMPTY)).join().revision())
          .isEqualTo(Store.FIRST_REVISION + COMMITS + 1);
    }
  }

  @Test
  void lostWrites_areNamed_andCanBeGivenUpOnRequest() throws IOException {
    Path folder = written();
    Path log = theOnlyFile(folder, ".log");
    truncate(log, Files.size(log) - 10);
    assertThatThrownBy(() -> open(folder))
        .isInstanceOf(StoreException.DataFolder.class)
        .hasMessageContaining(folder.toString())
        .hasMessageContaining("revision " + COMMITS + ",")
        .hasMessageContaining("revision " + (COMMITS + 1) + " were acknowledged")
        .hasMessageContaining("--accept-loss");
    try (Store store =
        EmbeddedStore.open(new RealEnv(), EmbeddedOptions.in(folder).acceptingLoss())) {
      assertThat(state(store)).isEqualTo(expected(COMMITS - 1));
      assertThat(store.commit(Txn.put(Bytes.utf8("/next"), Bytes.EMPTY)).join().revision())
          .as("a lost revision is not given out again")
          .isEqualTo(COMMITS + 2);
    }
    open(folder).close();
  }

  @Test
  void aFlippedByteInATable_isNoticedWhenItIsRead() throws IOException {
    Path original = folders.fresh();
    try (Store store = open(original)) {
      for (int i = 0; i < 700; i++) { // more than the write buffer: tables get written
        var txn = Txn.builder();
        for (int j = 0; j < 64; j++) {
          txn.put(Bytes.utf8("/big/%04d/%02d".formatted(i, j)), Bytes.wrap(new byte[1024]));
        }
        var _ = store.commit(txn.build()).join();
      }
    }
    List<Path> tables = files(original, ".sst");
    assertThat(tables).isNotEmpty();
    int noticed = 0;
    for (Path table : tables) {
      for (long position : positions(Files.size(table), 3)) {
        Path copy = folders.copyOf(original);
        flip(copy.resolve(original.relativize(table)), position);
        try (Store store = openUncached(copy)) {
          RangeResult all = store.range(RangeQuery.prefix(Bytes.utf8("/big/"))).join();
          assertThat(all.count()).isEqualTo(700 * 64);
          assertThat(all.items()).allMatch(item -> item.value().length() == 1024);
        } catch (StoreException e) {
          noticed++;
          assertThat(e).hasMessageContaining(copy.toString());
        } catch (CompletionException e) {
          noticed++;
          assertThat(e.getCause()).isInstanceOf(StoreException.class);
          assertThat(e.getCause()).hasMessageContaining(copy.toString());
        }
        TemporaryFolder.delete(copy);
      }
    }
    assertThat(noticed).isPositive();
  }

  @Test
  void aDamagedMark_isRefused() throws IOException {
    Path folder = written();
    flip(folder.resolve("acked"), 4);
    assertThatThrownBy(() -> open(folder))
        .isInstanceOf(StoreException.DataFolder.class)
        .hasMessageContaining("acked");
  }

  /** Something done to a folder. */
  private interface Damage {
    void to(Path folder) throws IOException;
  }

  private Outcome afterDamage(Path original, Damage damage) throws IOException {
    Path copy = folders.copyOf(original);
    damage.to(copy);
    try (Store store = open(copy)) {
      assertThat(state(store)).as("what opens must be whole").isEqualTo(expected(COMMITS));
      return Outcome.WHOLE;
    } catch (StoreException.DataFolder e) {
      assertThat(e).hasMessageContaining(copy.toString()).hasMessageContaining("Restore");
      return Outcome.REFUSED;
    } finally {
      TemporaryFolder.delete(copy);
    }
  }

  /** A folder with commits that are all still in RocksDB's log. */
  private Path written() {
    Path folder = folders.fresh();
    try (Store store = open(folder)) {
      for (int i = 0; i < COMMITS; i++) {
        commit(store, i);
      }
    }
    return folder;
  }

  private static void commit(Store store, int i) {
    // Sizes around the log's block size of 32 KiB, so that some records are split over blocks.
    var _ = store.commit(Txn.put(key(i), value(i))).join();
  }

  private static Bytes key(int i) {
    return Bytes.utf8("/key/%03d".formatted(i));
  }

  private static Bytes value(int i) {
    byte[] bytes = new byte[i % 7 == 3 ? 40_000 : 10 + i * 5];
    new java.util.Random(i).nextBytes(bytes);
    return Bytes.wrap(bytes);
  }

  private static List<KeyValue> expected(int commits) {
    var items = new ArrayList<KeyValue>();
    for (int i = 0; i < commits; i++) {
      long revision = Store.FIRST_REVISION + 1 + i;
      items.add(new KeyValue(key(i), value(i), revision, revision, 1));
    }
    return items;
  }

  private static List<KeyValue> state(Store store) {
    return store.range(RangeQuery.prefix(Bytes.EMPTY)).join().items();
  }

  private static Store open(Path folder) {
    return EmbeddedStore.open(new RealEnv(), EmbeddedOptions.in(folder));
  }

  private static Store openUncached(Path folder) {
    return EmbeddedStore.open(
        new RealEnv(),
        EmbeddedOptions.in(folder).withMvcc(MvccOptions.DEFAULTS.withValueCacheBytesMax(0)));
  }

  /** Evenly spread positions, and every one of the last 64. */
  private static List<Long> positions(long size, int spread) {
    var positions = new ArrayList<Long>();
    for (int i = 0; i < spread; i++) {
      positions.add(i * size / spread);
    }
    for (long position = Math.max(0, size - 64); position < size; position++) {
      positions.add(position);
    }
    return positions;
  }

  private static List<Path> files(Path folder, String ending) throws IOException {
    try (Stream<Path> walk = Files.walk(folder)) {
      return walk.filter(file -> file.toString().endsWith(ending)).toList();
    }
  }

  private static Path theOnlyFile(Path folder, String ending) throws IOException {
    List<Path> files = files(folder, ending);
    assertThat(files).hasSize(1);
    return files.getFirst();
  }

  private static void flip(Path file, long position) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer one = ByteBuffer.allocate(1);
      channel.read(one, position);
      one.put(0, (byte) (one.get(0) ^ 0x40)).flip();
      channel.write(one, position);
    }
  }

  private static void truncate(Path file, long size) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(size);
    }
  }
}
