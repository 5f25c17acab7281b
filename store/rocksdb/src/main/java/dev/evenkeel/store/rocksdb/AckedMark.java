package dev.evenkeel.store.rocksdb;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/**
 * The newest revision that was acknowledged, in a file of eight bytes.
 *
 * <p>After a crash RocksDB's log may end in the middle of a record. That is normal for a write
 * nobody was told of, and damage for one that was acknowledged; the log alone cannot tell the two
 * apart, when a byte of the last record's length has flipped, or when the file was cut off. The
 * mark can. It is written to mapped memory after the sync and before the answer, which costs no
 * system call. It may be older than the truth after a loss of power, never newer: so it never
 * accuses wrongly.
 *
 * <p>The revision stands in the upper 48 bits, a checksum of it in the lower 16, so that one store
 * of eight bytes is all or nothing.
 *
 * <p><b>Threading.</b> The sequencer's loop.
 */
final class AckedMark implements AutoCloseable {

  /** A word whose checksum is wrong. */
  private static final long DAMAGED = ~word(0);

  private final Arena arena = Arena.ofShared();
  private final MemorySegment mapped;

  private AckedMark(Path file, boolean expected) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      if (channel.size() != Long.BYTES) {
        // Where there is data there was a mark: one that is gone or cut is a damaged one.
        boolean damaged = expected || channel.size() > 0;
        ByteBuffer word = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
        channel.write(word.putLong(0, damaged ? DAMAGED : 0), 0);
        channel.truncate(Long.BYTES);
      }
      this.mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, Long.BYTES, arena);
    }
  }

  static AckedMark open(DataFolder folder) {
    try {
      boolean expected = Files.exists(folder.rocks().resolve("CURRENT"));
      return new AckedMark(folder.path().resolve("acked"), expected);
    } catch (IOException e) {
      throw folder.refusal("cannot be used: " + e + ". Free some space or use --data DIR", e);
    }
  }

  /** The marked revision; 0 if none was marked yet, -1 if the mark itself is damaged. */
  long revision() {
    long word = mapped.get(ValueLayout.JAVA_LONG, 0);
    long revision = word >>> 16;
    return word == 0 || word == word(revision) ? revision : -1;
  }

  void acknowledge(long revision) {
    mapped.set(ValueLayout.JAVA_LONG, 0, word(revision));
  }

  private static long word(long revision) {
    var checksum = new CRC32C();
    for (int shift = 0; shift < 48; shift += 8) {
      checksum.update((int) (revision >>> shift) & 0xff);
    }
    return revision << 16 | (checksum.getValue() & 0xffff);
  }

  @Override
  public void close() {
    mapped.force();
    arena.close();
  }
}
