package dev.evenkeel.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.RealEnv;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.StoreException;
import dev.evenkeel.store.Txn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Folders that cannot be opened say why and what to do, and nothing of them stays open. */
final class DataFolderTest {

  private final TemporaryFolder folders = new TemporaryFolder();

  @AfterEach
  void deleteFolders() {
    folders.close();
  }

  private static Store open(Path folder) {
    return EmbeddedStore.open(new RealEnv(), EmbeddedOptions.in(folder));
  }

  private static void assertRefused(Path folder, String... words) {
    assertThatThrownBy(() -> open(folder))
        .isInstanceOf(StoreException.DataFolder.class)
        .hasMessageStartingWith("the data folder " + folder)
        .hasMessageContainingAll(words);
  }

  @Test
  void aNewFolder_isForItsOwnerAlone() throws IOException {
    Path folder = folders.fresh().resolve("new/data");
    open(folder).close();
    for (Path made : new Path[] {folder, folder.getParent()}) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made)))
          .isEqualTo("rwx------");
    }
  }

  @Test
  void aFolderInUseByThisProcess_isRefused_andStaysHeld() {
    Path folder = folders.fresh();
    try (Store store = open(folder)) {
      assertRefused(folder, "in use by this process", "--data DIR");
      assertRefused(folder, "in use by this process", "--data DIR");
      assertThat(store.commit(Txn.put(Bytes.utf8("k"), Bytes.EMPTY)).join().revision())
          .isEqualTo(2);
    }
    open(folder).close();
  }

  @Test
  void aFolderInUseByAnotherProcess_isRefusedWithItsNumber() throws Exception {
    Path folder = folders.fresh();
    Process other = ChildJvm.start(KillVictim.class, folder.toString(), "1");
    try (var said = other.inputReader()) {
      assertThat(said.readLine()).isEqualTo("open");
      assertRefused(folder, "in use by process " + other.pid(), "Stop that one", "--data DIR");
    } finally {
      other.destroyForcibly().waitFor();
    }
    open(folder).close();
  }

  @Test
  void aFolderOfANewerFormat_isRefused_andLeftAsItWas() throws IOException {
    Path folder = folders.fresh();
    open(folder).close();
    Files.writeString(folder.resolve("format"), "evenkeel-store 2\n");
    assertRefused(folder, "newer Evenkeel", "format 2", "--data DIR");
    Files.writeString(folder.resolve("format"), "evenkeel-store 1\n");
    open(folder).close();
  }

  @Test
  void aFolderWithAnUnreadableFormat_isRefused() throws IOException {
    Path folder = folders.fresh();
    open(folder).close();
    Files.writeString(folder.resolve("format"), "something else");
    assertRefused(folder, "damaged", "format file");
  }

  @Test
  void aFolderWithOtherFiles_isRefused_andNothingIsAddedButTheLock() throws IOException {
    Path folder = folders.fresh();
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("thesis.tex"), "years of work");
    assertRefused(folder, "thesis.tex", "is no store");
    assertThat(folder.resolve("thesis.tex")).hasContent("years of work");
    assertThat(folder.resolve("rocksdb")).doesNotExist();
  }

  @Test
  void aFile_isNoFolder() throws IOException {
    Path file = folders.fresh();
    Files.writeString(file, "text");
    assertRefused(file, "--data DIR");
  }

  @Test
  void aFolderWithoutItsData_isRefused() {
    Path folder = folders.fresh();
    try (Store store = open(folder)) {
      var _ = store.commit(Txn.put(Bytes.utf8("k"), Bytes.EMPTY)).join();
    }
    TemporaryFolder.delete(folder.resolve("rocksdb"));
    assertRefused(folder, "damaged", "up to revision 2 were acknowledged");
  }

  @Test
  void aFolderWithADamagedManifest_isRefused() throws IOException {
    Path folder = folders.fresh();
    open(folder).close();
    try (var files = Files.list(folder.resolve("rocksdb"))) {
      for (Path file : files.toList()) {
        if (String.valueOf(file.getFileName()).startsWith("MANIFEST")) {
          byte[] bytes = Files.readAllBytes(file);
          bytes[bytes.length / 2] ^= 0x10;
          Files.write(file, bytes);
        }
      }
    }
    assertRefused(folder, "Restore a snapshot");
  }

  @Test
  void anInterruptedRestore_isRefused() throws IOException {
    Path folder = folders.fresh();
    Path snapshot = folders.path().resolve("snapshot");
    try (Store store = open(folders.fresh())) {
      var _ = store.commit(Txn.put(Bytes.utf8("k"), Bytes.EMPTY)).join();
      var _ = store.snapshot(snapshot).join();
    }
    var _ = EmbeddedStore.restore(snapshot, EmbeddedOptions.in(folder));
    Files.delete(folder.resolve("format")); // the last thing a restore writes
    assertRefused(folder, "never finished", "Delete it");
  }

  @Test
  void aRestoreIntoAFolderWithData_isRefused() {
    Path folder = folders.fresh();
    Path snapshot = folders.path().resolve("snapshot");
    try (Store store = open(folder)) {
      var _ = store.snapshot(snapshot).join();
    }
    assertThatThrownBy(() -> EmbeddedStore.restore(snapshot, EmbeddedOptions.in(folder)))
        .isInstanceOf(StoreException.DataFolder.class)
        .hasMessageContaining("already holds data");
  }

  @Test
  void aDamagedSnapshot_isRefusedBeforeAnythingIsWritten() throws IOException {
    Path folder = folders.fresh();
    Path snapshot = folders.path().resolve("snapshot");
    try (Store store = open(folders.fresh())) {
      var _ = store.commit(Txn.put(Bytes.utf8("key"), Bytes.utf8("value"))).join();
      var _ = store.snapshot(snapshot).join();
    }
    byte[] whole = Files.readAllBytes(snapshot);
    for (int i = 0; i < whole.length; i++) {
      byte[] damaged = whole.clone();
      damaged[i] ^= 0x01;
      Files.write(snapshot, damaged);
      assertThatThrownBy(() -> EmbeddedStore.restore(snapshot, EmbeddedOptions.in(folder)))
          .isInstanceOf(StoreException.Corrupt.class)
          .hasMessageContaining(snapshot.toString());
    }
    assertThat(folder).doesNotExist();
  }
}
