package dev.evenkeel.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.RealEnv;
import dev.evenkeel.store.RangeQuery;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.StoreException;
import dev.evenkeel.store.Txn;
import dev.evenkeel.store.testkit.outside.NeedsProgram;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A disk of 64 MiB, a real one as far as the store can tell, runs full. */
@NeedsProgram("mount")
@NeedsProgram("umount")
final class FullDiskScenario {

  private static final Bytes VALUE = Bytes.wrap(new byte[256 << 10]);
  private static final int WRITES_MAX = 2000;

  private final TemporaryFolder folders = new TemporaryFolder();
  private final Path disk = folders.fresh();
  private boolean mounted;

  @BeforeEach
  void mountDisk() throws Exception {
    Files.createDirectories(disk);
    String refusal = run("mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", disk.toString());
    if (refusal == null) {
      mounted = true;
    } else if ("true".equals(System.getenv("CI"))) {
      fail("no disk can be mounted: " + refusal);
    } else {
      abort("no disk can be mounted, which needs root: " + refusal);
    }
  }

  @AfterEach
  void unmountDisk() throws Exception {
    if (mounted) {
      assertThat(run("umount", disk.toString())).isNull();
    }
    folders.close();
  }

  /** What the program complained of, null if it succeeded. */
  private static @Nullable String run(String... command) throws Exception {
    Process process = new ProcessBuilder(List.of(command)).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return process.waitFor() == 0 ? null : said.strip();
  }

  /** Writes until it is refused, and returns how many were taken. */
  private static int fill(Store store, Class<? extends StoreException> refusal, String... words) {
    for (int i = 0; i < WRITES_MAX; i++) {
      try {
        var _ = store.commit(Txn.put(key(i), VALUE)).join();
      } catch (CompletionException e) {
        assertThat(e.getCause()).isInstanceOf(refusal).hasMessageContainingAll(words);
        return i;
      }
    }
    return fail("a disk of 64 MiB took " + WRITES_MAX + " writes of 256 KiB");
  }

  private static Bytes key(int i) {
    return Bytes.utf8("/fill/%05d".formatted(i));
  }

  private static void assertHolds(Store store, int count) {
    assertThat(store.range(RangeQuery.prefix(Bytes.utf8("/fill/"))).join().items())
        .hasSizeGreaterThanOrEqualTo(count)
        .allMatch(item -> item.value().equals(VALUE));
  }

  @Test
  void aDiskThatGetsFull_refusesWritesInTime_readsOn_andTakesWritesAgain() throws IOException {
    Path folder = disk.resolve("store");
    Path ballast = disk.resolve("ballast");
    Files.write(ballast, new byte[16 << 20]);
    EmbeddedOptions options = EmbeddedOptions.in(folder).withFreeBytesMin(12L << 20);
    int taken;
    try (Store store = EmbeddedStore.open(new RealEnv(), options)) {
      taken = fill(store, StoreException.OutOfSpace.class, folder.toString(), "Free some space");
      assertThat(taken).isPositive();
      assertThat(store.currentRevision().join())
          .as("a refused write takes no revision")
          .isEqualTo(Store.FIRST_REVISION + taken);
      assertHolds(store, taken);
      Files.delete(ballast);
      assertThat(store.commit(Txn.put(Bytes.utf8("/again"), VALUE)).join().revision())
          .isEqualTo(Store.FIRST_REVISION + taken + 1);
    }
    try (Store store = EmbeddedStore.open(new RealEnv(), options)) {
      assertHolds(store, taken);
    }
  }

  @Test
  void aDiskThatIsFullAllOfASudden_stopsWrites_andLosesNothingAcknowledged() throws IOException {
    Path folder = disk.resolve("store");
    Path ballast = disk.resolve("ballast");
    EmbeddedOptions options = EmbeddedOptions.in(folder).withFreeBytesMin(0);
    int taken;
    try (Store store = EmbeddedStore.open(new RealEnv(), options)) {
      Files.write(ballast, new byte[40 << 20]);
      taken = fill(store, StoreException.class, folder.toString());
      assertHolds(store, taken);
    }
    Files.delete(ballast); // recovery writes what the log holds to a table: it needs as much again
    try (Store store = EmbeddedStore.open(new RealEnv(), options)) {
      assertHolds(store, taken);
      assertThat(store.commit(Txn.put(Bytes.utf8("/again"), VALUE)).join().revision())
          .isGreaterThan(Store.FIRST_REVISION + taken);
    }
  }

  @Test
  void aFullDiskAtTheStart_isRefusedWithTheFoldersName() throws IOException {
    Path folder = disk.resolve("store");
    EmbeddedStore.open(new RealEnv(), EmbeddedOptions.in(folder)).close();
    byte[] chunk = new byte[1 << 16];
    try (var out = Files.newOutputStream(disk.resolve("ballast"))) {
      while (true) {
        out.write(chunk);
      }
    } catch (IOException full) {
      // That was the aim.
    }
    try (Store store = EmbeddedStore.open(new RealEnv(), EmbeddedOptions.in(folder))) {
      assertThat(store.commit(Txn.put(key(1), VALUE)))
          .failsWithin(java.time.Duration.ofSeconds(30))
          .withThrowableThat()
          .havingCause()
          .isInstanceOf(StoreException.OutOfSpace.class)
          .withMessageContaining(folder.toString());
    } catch (StoreException e) {
      assertThat(e).hasMessageContaining(folder.toString());
    }
    Files.delete(disk.resolve("ballast"));
    EmbeddedStore.open(new RealEnv(), EmbeddedOptions.in(folder)).close();
  }
}
