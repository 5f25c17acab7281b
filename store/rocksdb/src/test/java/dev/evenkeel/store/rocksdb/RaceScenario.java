package dev.evenkeel.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.RealEnv;
import dev.evenkeel.store.SnapshotInfo;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.StoreException;
import dev.evenkeel.store.StoreLimits;
import dev.evenkeel.store.Txn;
import dev.evenkeel.store.TxnResult;
import dev.evenkeel.store.Watch;
import dev.evenkeel.store.WatchQuery;
import dev.evenkeel.store.engine.mvcc.MvccOptions;
import dev.evenkeel.store.engine.mvcc.SnapshotFile;
import dev.evenkeel.store.engine.watch.FeedLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Things that happen at the same time, each of which once went wrong. */
@Timeout(120)
final class RaceScenario {

  private static final Bytes KEY = Bytes.utf8("/race/key");

  private final TemporaryFolder folders = new TemporaryFolder();

  @AfterEach
  void deleteFolders() {
    folders.close();
  }

  private static Store open(Path folder, MvccOptions options) {
    return EmbeddedStore.open(
        new RealEnv(), EmbeddedOptions.in(folder).withDurability(Durability.OS).withMvcc(options));
  }

  @Test
  void closeInACommitsContinuation_endsEverythingInOrder() throws Exception {
    for (int round = 0; round < 20; round++) {
      Path folder = folders.fresh();
      Store store = open(folder, MvccOptions.DEFAULTS);
      CompletableFuture<Void> closed =
          store.commit(Txn.put(KEY, Bytes.EMPTY)).thenRun(store::close);
      var answers = new ArrayList<CompletableFuture<?>>();
      for (int i = 0; i < 50; i++) {
        answers.add(store.commit(Txn.put(KEY, Bytes.utf8("" + i))));
        answers.add(store.compact(2 + i));
      }
      closed.get(30, TimeUnit.SECONDS);
      for (CompletableFuture<?> answer : answers) {
        var _ = answer.handle((_, _) -> true).get(30, TimeUnit.SECONDS);
      }
      open(folder, MvccOptions.DEFAULTS).close();
    }
  }

  @Test
  void snapshotsToOneFile_leaveOneThatIsWhole() {
    Path file = folders.path().resolve("snapshot");
    try (Store store = open(folders.fresh(), MvccOptions.DEFAULTS)) {
      for (int i = 0; i < 200; i++) {
        var _ = store.commit(Txn.put(Bytes.utf8("/k/" + i), Bytes.wrap(new byte[5000]))).join();
      }
      for (int round = 0; round < 20; round++) {
        CompletableFuture<SnapshotInfo> one = store.snapshot(file);
        CompletableFuture<SnapshotInfo> other = store.snapshot(file);
        assertThat(one.join().keys()).isEqualTo(200);
        assertThat(other.join().keys()).isEqualTo(200);
        assertThat(SnapshotFile.verify(file).keys()).isEqualTo(200);
      }
    }
  }

  @Test
  void readsThatMeetPruning_neverTakeItForDamage() throws Exception {
    try (Store store = open(folders.fresh(), MvccOptions.DEFAULTS.withValueCacheBytesMax(0))) {
      var _ = store.commit(Txn.put(KEY, Bytes.wrap(new byte[2000]))).join();
      var done = new AtomicBoolean();
      var readers = new ArrayList<CompletableFuture<Void>>();
      for (int r = 0; r < 8; r++) {
        readers.add(
            CompletableFuture.runAsync(
                () -> {
                  while (!done.get()) {
                    assertThat(store.get(KEY, Store.NEWEST).join().item()).isNotNull();
                  }
                },
                work -> Thread.ofPlatform().start(work)));
      }
      for (int i = 0; i < 300; i++) {
        TxnResult result = store.commit(Txn.put(KEY, Bytes.wrap(new byte[2000]))).join();
        var _ = store.compact(result.revision()).join();
      }
      done.set(true);
      for (CompletableFuture<Void> reader : readers) {
        var _ = reader.get(30, TimeUnit.SECONDS);
      }
    }
  }

  @Test
  void progress_isNeverOlderThanWhatWasSeen() throws Exception {
    try (Store store = open(folders.fresh(), MvccOptions.DEFAULTS)) {
      var done = new AtomicBoolean();
      var writer =
          CompletableFuture.runAsync(
              () -> {
                while (!done.get()) {
                  var _ = store.commit(Txn.put(KEY, Bytes.EMPTY)).join();
                }
              },
              work -> Thread.ofPlatform().start(work));
      try (Watch quiet =
          store.watch(WatchQuery.prefix(Bytes.utf8("/quiet/"), Store.FIRST_REVISION + 1))) {
        for (int i = 0; i < 3000; i++) {
          long seen = store.currentRevision().join();
          quiet.requestProgress();
          assertThat(quiet.next().get(30, TimeUnit.SECONDS).revision())
              .isGreaterThanOrEqualTo(seen);
        }
      }
      done.set(true);
      writer.get(30, TimeUnit.SECONDS);
    }
  }

  @Test
  void aStoreThatCannotReadItsHeads_leavesNothingOpen() throws IOException {
    Path folder = folders.fresh();
    try (Store store = open(folder, MvccOptions.DEFAULTS)) {
      for (int i = 0; i < 300; i++) {
        var txn = Txn.builder();
        for (int j = 0; j < 500; j++) {
          txn.put(Bytes.utf8("/%0100d/%d".formatted(i, j)), Bytes.EMPTY);
        }
        var _ = store.commit(txn.build()).join();
      }
    }
    open(folder, MvccOptions.DEFAULTS).close(); // recovery writes tables
    try (var files = Files.list(folder.resolve("rocksdb"))) {
      for (Path file : files.filter(f -> f.toString().endsWith(".sst")).toList()) {
        byte[] bytes = Files.readAllBytes(file);
        bytes[100] ^= 1;
        Files.write(file, bytes);
      }
    }
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> open(folder, MvccOptions.DEFAULTS))
          .isInstanceOf(StoreException.DataFolder.class)
          .hasMessageContaining("damaged");
    }
  }

  @Test
  void overload_isRefusedByBytes_againAndAgain() {
    var options =
        new MvccOptions(
            StoreLimits.LOCAL_DEFAULTS, FeedLimits.DEFAULTS, 1000, 1 << 20, 1 << 20, 0, 5_000);
    try (Store store = open(folders.fresh(), options)) {
      for (int round = 0; round < 3; round++) {
        var refused = new AtomicLong();
        var answers = new ArrayList<CompletableFuture<TxnResult>>();
        for (int i = 0; i < 200; i++) {
          answers.add(store.commit(Txn.put(KEY, Bytes.wrap(new byte[500_000]))));
        }
        for (CompletableFuture<TxnResult> answer : answers) {
          var _ =
              answer
                  .exceptionally(
                      e -> {
                        assertThat(e).isInstanceOf(StoreException.Unavailable.class);
                        refused.incrementAndGet();
                        return new TxnResult.Committed(0, false);
                      })
                  .join();
        }
        assertThat(refused).as("round %d", round).hasPositiveValue();
        assertThat(store.stats().join().pendingCommits()).isZero();
      }
    }
  }

  @Test
  void statsWhileClosing_failAsTheContractSays() throws Exception {
    for (int round = 0; round < 50; round++) {
      Store store = open(folders.fresh(), MvccOptions.DEFAULTS);
      var closing = Thread.ofPlatform().start(store::close);
      for (int i = 0; i < 100; i++) {
        Throwable failure = store.stats().handle((_, error) -> error).join();
        if (failure != null) {
          assertThat(failure).isInstanceOf(StoreException.class);
        }
      }
      closing.join();
    }
  }

  @Test
  void aMarkThatIsGone_isRefused() throws IOException {
    Path folder = folders.fresh();
    open(folder, MvccOptions.DEFAULTS).close();
    for (byte[] content : List.of(new byte[3], new byte[0])) {
      if (content.length == 0) {
        Files.delete(folder.resolve("acked"));
      } else {
        Files.write(folder.resolve("acked"), content);
      }
      assertThatThrownBy(() -> open(folder, MvccOptions.DEFAULTS))
          .isInstanceOf(StoreException.DataFolder.class)
          .hasMessageContaining("acked");
    }
  }
}
