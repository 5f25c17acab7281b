package dev.evenkeel.store.engine.mvcc;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.store.SnapshotInfo;
import dev.evenkeel.store.StoreException;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The local engines' snapshot: one state in one file, which any local engine starts from.
 *
 * <pre>
 *   magic "EVKSNAP1" · revision
 *   for each key:  1 · key length · key · create · mod · position · version · value length · value
 *   0 · number of keys · CRC-32C of all before it
 * </pre>
 *
 * The checksum stands at the end, so a file is read through once before anything in it is believed.
 */
public final class SnapshotFile {

  private static final long MAGIC = 0x45564B534E415031L; // "EVKSNAP1"
  private static final int LENGTH_MAX = 1 << 30;
  private static final AtomicLong WRITERS = new AtomicLong();

  private SnapshotFile() {}

  /** Writes a file; it gets its name when it is whole. */
  static final class Writer implements AutoCloseable {

    private final Path file;
    private final Path unfinished;
    private final FileChannel channel;
    private final CRC32C checksum = new CRC32C();
    private final DataOutputStream out;
    private final long revision;
    private long keys;
    private boolean finished;

    Writer(Path file, long revision) throws IOException {
      this.file = file.toAbsolutePath();
      // A name of its own: two snapshots to one file must not write into each other.
      this.unfinished =
          this.file.resolveSibling(
              "%s.unfinished-%d-%d"
                  .formatted(
                      this.file.getFileName(),
                      ProcessHandle.current().pid(),
                      WRITERS.incrementAndGet()));
      this.channel =
          FileChannel.open(unfinished, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      OutputStream plain = Channels.newOutputStream(channel);
      this.out =
          new DataOutputStream(
              new CheckedOutputStream(new BufferedOutputStream(plain, 1 << 16), checksum));
      this.revision = revision;
      out.writeLong(MAGIC);
      out.writeLong(revision);
    }

    void add(KeyChange change) {
      try {
        write(change, Objects.requireNonNull(change.value()));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private void write(KeyChange change, Bytes value) throws IOException {
      out.writeByte(1);
      out.writeInt(change.key().length());
      out.write(change.key().array());
      out.writeLong(change.createRevision());
      out.writeLong(change.revision());
      out.writeInt(change.position());
      out.writeLong(change.version());
      out.writeInt(value.length());
      out.write(value.array());
      keys++;
    }

    SnapshotInfo finish() throws IOException {
      out.writeByte(0);
      out.writeLong(keys);
      out.writeLong(checksum.getValue());
      out.flush();
      channel.force(true);
      long bytes = channel.size();
      channel.close();
      Files.move(
          unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      try (FileChannel folder = FileChannel.open(parent(file), StandardOpenOption.READ)) {
        folder.force(true);
      }
      finished = true;
      return new SnapshotInfo(revision, keys, bytes);
    }

    private static Path parent(Path file) {
      Path parent = file.getParent();
      return parent == null ? Path.of("/") : parent;
    }

    @Override
    public void close() throws IOException {
      if (!finished) {
        channel.close();
        Files.deleteIfExists(unfinished);
      }
    }
  }

  /**
   * Checks the whole file.
   *
   * @throws StoreException.Corrupt if it is not a whole snapshot
   */
  public static SnapshotInfo verify(Path file) {
    return read(file, _ -> {});
  }

  /** Reads the file's state, each key as the one change that made it. Verify it first. */
  public static SnapshotInfo read(Path file, Consumer<KeyChange> consumer) {
    var checksum = new CRC32C();
    try (var in =
        new DataInputStream(
            new CheckedInputStream(
                new BufferedInputStream(Files.newInputStream(file), 1 << 16), checksum))) {
      if (in.readLong() != MAGIC) {
        throw damaged(file, "it does not begin like one", null);
      }
      long revision = in.readLong();
      long keys = 0;
      while (in.readByte() == 1) {
        Bytes key = bytes(in, file);
        long createRevision = in.readLong();
        long modRevision = in.readLong();
        int position = in.readInt();
        long version = in.readLong();
        Bytes value = bytes(in, file);
        consumer.accept(
            new KeyChange(modRevision, position, key, value, createRevision, version, 0, 0));
        keys++;
      }
      if (in.readLong() != keys) {
        throw damaged(file, "keys are missing", null);
      }
      long expected = checksum.getValue();
      if (in.readLong() != expected) {
        throw damaged(file, "its checksum does not match", null);
      }
      if (in.read() >= 0) {
        throw damaged(file, "something stands behind its end", null);
      }
      return new SnapshotInfo(revision, keys, Files.size(file));
    } catch (EOFException e) {
      throw damaged(file, "it ends too early", e);
    } catch (IOException e) {
      throw new StoreException.Unavailable("the snapshot " + file + " cannot be read: " + e, e);
    }
  }

  private static Bytes bytes(DataInputStream in, Path file) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > LENGTH_MAX) {
      throw damaged(file, "a length in it makes no sense", null);
    }
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException();
    }
    return Bytes.wrap(bytes);
  }

  private static StoreException damaged(Path file, String how, @Nullable Throwable e) {
    return new StoreException.Corrupt(
        "the file " + file + " is not a whole snapshot: " + how + "; use another one", e);
  }
}
