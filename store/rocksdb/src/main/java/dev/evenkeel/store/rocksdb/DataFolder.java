package dev.evenkeel.store.rocksdb;

import dev.evenkeel.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A store's folder: held by one process at a time, of a known format.
 *
 * <pre>
 *   lock      who holds it: a lock of the operating system's, and the process id for people
 *   format    "evenkeel-store 1": written when the folder is complete
 *   acked     the newest revision that was acknowledged: see AckedMark
 *   rocksdb/  the data
 * </pre>
 *
 * <p><b>Invariants.</b> While this object is open, this process holds the lock. A folder without a
 * format file is new and empty, or was never finished.
 */
final class DataFolder implements AutoCloseable {

  private static final int FORMAT = 1;
  private static final String FORMAT_WORD = "evenkeel-store ";
  private static final Set<String> OURS = Set.of("acked", "rocksdb");

  /**
   * Folders this process holds. The operating system's lock is the process's as a whole, and
   * closing any channel to the file would give it up: so a folder already held is not even touched.
   */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final Path path;
  private final Path realPath;
  private final FileChannel lockChannel;
  private final FileStore fileStore; // looked up once: finding it reads the table of mounts

  /** Released when its channel closes. */
  @SuppressWarnings("UnusedVariable")
  private final FileLock lock;

  private DataFolder(Path path, Path realPath, FileChannel lockChannel, FileLock lock)
      throws IOException {
    this.path = path;
    this.realPath = realPath;
    this.lockChannel = lockChannel;
    this.lock = lock;
    this.fileStore = Files.getFileStore(realPath);
  }

  /** Opens the folder, or makes a new one. */
  static DataFolder open(Path path) {
    DataFolder folder = hold(path);
    try {
      if (folder.isNew()) {
        folder.complete();
      } else {
        folder.checkFormat();
      }
      return folder;
    } catch (Throwable e) {
      folder.close();
      throw e;
    }
  }

  /** Makes a new folder, which stays incomplete until {@link #complete}. */
  static DataFolder create(Path path) {
    DataFolder folder = hold(path);
    try {
      if (!folder.isNew()) {
        throw folder.refusal(
            "already holds data. Choose a folder that is empty or not there", null);
      }
      return folder;
    } catch (Throwable e) {
      folder.close();
      throw e;
    }
  }

  /**
   * For its owner alone: there are secrets in it. A folder that is there already is left as it is.
   */
  private static void createPrivate(Path path) throws IOException {
    if (path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      Files.createDirectories(
          path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    } else {
      Files.createDirectories(path);
    }
  }

  private static DataFolder hold(Path path) {
    Path absolute = path.toAbsolutePath().normalize();
    FileChannel channel = null;
    Path held = null;
    try {
      createPrivate(absolute);
      Path real = absolute.toRealPath();
      if (!HELD.add(real)) {
        throw inUse(absolute, "this process already");
      }
      held = real;
      channel =
          FileChannel.open(
              absolute.resolve("lock"),
              StandardOpenOption.CREATE,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE);
      FileLock lock = channel.tryLock();
      if (lock == null) {
        throw inUse(absolute, holder(channel));
      }
      byte[] pid = Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII);
      channel.truncate(0);
      channel.write(ByteBuffer.wrap(pid), 0);
      return new DataFolder(absolute, real, channel, lock);
    } catch (IOException e) {
      letGo(channel, held);
      String why = e instanceof NotDirectoryException ? "is not a folder" : "cannot be used: " + e;
      throw refusal(
          absolute, why + ". Make it a folder this user can write to, or use --data DIR", e);
    } catch (Throwable e) {
      letGo(channel, held);
      throw e;
    }
  }

  private static StoreException inUse(Path path, String holder) {
    return refusal(
        path,
        "is in use by " + holder + ". Stop that one, or start this one with --data DIR",
        null);
  }

  private static String holder(FileChannel channel) throws IOException {
    ByteBuffer pid = ByteBuffer.allocate(32);
    channel.read(pid, 0);
    String text = new String(pid.array(), 0, pid.position(), StandardCharsets.US_ASCII).strip();
    return text.matches("\\d+") ? "process " + text : "another process";
  }

  private boolean isNew() {
    if (Files.exists(formatFile())) {
      return false;
    }
    Set<String> names;
    try (Stream<Path> files = Files.list(path)) {
      names = files.map(file -> String.valueOf(file.getFileName())).collect(Collectors.toSet());
    } catch (IOException e) {
      throw refusal("cannot be read: " + e + ". Use a folder this user can read", e);
    }
    names.remove("lock");
    names.remove("format.unfinished");
    names.remove("lost+found"); // a disk of the store's own has one
    if (names.isEmpty()) {
      return true;
    }
    if (OURS.containsAll(names)) {
      throw refusal(
          "was never finished: a restore into it was interrupted. Delete it and restore again",
          null);
    }
    throw refusal(
        "holds other files ("
            + names.stream().sorted().limit(3).collect(Collectors.joining(", "))
            + ") and is no store. Use an empty folder: --data DIR",
        null);
  }

  private void checkFormat() {
    String text;
    try {
      text = Files.readString(formatFile(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw refusal("has a format file that cannot be read: " + e, e);
    }
    if (!text.startsWith(FORMAT_WORD)
        || !text.substring(FORMAT_WORD.length()).matches("\\d{1,9}")) {
      throw damaged("its format file does not say '" + FORMAT_WORD + FORMAT + "'", null);
    }
    int format = Integer.parseInt(text.substring(FORMAT_WORD.length()));
    if (format > FORMAT) {
      throw refusal(
          "was written by a newer Evenkeel (format "
              + format
              + ", this one reads up to "
              + FORMAT
              + "). Start that version, or this one with --data DIR",
          null);
    }
  }

  /** Says that the folder is whole. */
  void complete() {
    try {
      Path unfinished = path.resolve("format.unfinished");
      try (FileChannel channel =
          FileChannel.open(
              unfinished,
              StandardOpenOption.CREATE,
              StandardOpenOption.TRUNCATE_EXISTING,
              StandardOpenOption.WRITE)) {
        channel.write(
            ByteBuffer.wrap((FORMAT_WORD + FORMAT + "\n").getBytes(StandardCharsets.UTF_8)));
        channel.force(true);
      }
      Files.move(unfinished, formatFile(), StandardCopyOption.ATOMIC_MOVE);
      try (FileChannel folder = FileChannel.open(path, StandardOpenOption.READ)) {
        folder.force(true);
      }
    } catch (IOException e) {
      throw refusal("cannot be written: " + e + ". Free some space or use --data DIR", e);
    }
  }

  Path path() {
    return path;
  }

  Path rocks() {
    return path.resolve("rocksdb");
  }

  private Path formatFile() {
    return path.resolve("format");
  }

  /** What the folder's files add up to. */
  long bytes() {
    try (Stream<Path> files = Files.walk(path)) {
      return files.mapToLong(DataFolder::size).sum();
    } catch (IOException | java.io.UncheckedIOException e) {
      return -1; // files come and go under a walk; the next one will tell
    }
  }

  private static long size(Path file) {
    try {
      return Files.isRegularFile(file) ? Files.size(file) : 0;
    } catch (IOException e) {
      return 0; // gone since it was listed
    }
  }

  long usableBytes() {
    try {
      return fileStore.getUsableSpace();
    } catch (IOException e) {
      throw new StoreException.Unavailable(
          "the disk of " + path + " does not say how much space is left: " + e, e);
    }
  }

  /** The folder is refused for what is said of it. */
  StoreException refusal(String what, @Nullable Throwable cause) {
    return refusal(path, what, cause);
  }

  /** The folder's data is damaged. */
  StoreException damaged(String how, @Nullable Throwable cause) {
    return refusal(
        "is damaged: "
            + how
            + ". Restore a snapshot into a new folder, or start with an empty one:"
            + " --data DIR",
        cause);
  }

  private static StoreException refusal(Path path, String what, @Nullable Throwable cause) {
    return new StoreException.DataFolder(path, "the data folder " + path + " " + what + ".", cause);
  }

  /** Lets go of the folder. Closing twice is fine. */
  @Override
  public void close() {
    if (lockChannel.isOpen()) {
      letGo(lockChannel, realPath);
    }
  }

  private static void letGo(@Nullable FileChannel channel, @Nullable Path held) {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      // Nothing was written through it that anybody waits for.
    }
    if (held != null) {
      HELD.remove(held);
    }
  }
}
