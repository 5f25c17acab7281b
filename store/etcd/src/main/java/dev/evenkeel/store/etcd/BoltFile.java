package dev.evenkeel.store.etcd;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads an etcd database file just far enough to say which revision it holds: etcd does not tell
 * which revision a snapshot is of, and others write while it is taken.
 *
 * <p>The file is bbolt's: pages of a fixed size, two of which describe the rest (the one with the
 * higher transaction counts), a tree of buckets, in each a tree of keys. etcd keeps its revisions
 * in the bucket {@code key}, by revision, and what it compacted in the bucket {@code meta}.
 */
final class BoltFile {

  private static final int MAGIC = 0xED0CDAED;
  private static final int PAGE_HEADER_BYTES = 16;
  private static final int ELEMENT_BYTES = 16;
  private static final int BUCKET_BYTES = 16;
  private static final int BRANCH = 0x01;
  private static final int DEPTH_MAX = 32;
  private static final int HEAD_BYTES = 64 << 10;

  private final FileChannel file;
  private final int pageBytes;
  private final long rootPage;

  private BoltFile(FileChannel file, int pageBytes, long rootPage) {
    this.file = file;
    this.pageBytes = pageBytes;
    this.rootPage = rootPage;
  }

  /**
   * The revision of the state in the file.
   *
   * @throws IOException if it cannot be read, or is no such file
   */
  static long revision(FileChannel file) throws IOException {
    try {
      BoltFile bolt = open(file);
      ByteBuffer last = bolt.last(bolt.bucket("key"));
      long revision = last == null ? 1 : last.getLong(0);
      ByteBuffer compacted = bolt.find(bolt.bucket("meta"), "scheduledCompactRev");
      return compacted == null ? revision : Math.max(revision, compacted.getLong(0));
    } catch (IndexOutOfBoundsException | BufferUnderflowException | IllegalArgumentException e) {
      throw new IOException("not an etcd database", e);
    }
  }

  private static BoltFile open(FileChannel file) throws IOException {
    ByteBuffer head = read(file, 0, (int) Math.min(HEAD_BYTES, file.size()));
    int pageBytes = head.getInt(PAGE_HEADER_BYTES + 8);
    long root = 0;
    long transaction = -1;
    for (int at = PAGE_HEADER_BYTES; at <= pageBytes + PAGE_HEADER_BYTES; at += pageBytes) {
      if (head.getInt(at) == MAGIC && head.getLong(at + 48) > transaction) {
        transaction = head.getLong(at + 48);
        root = head.getLong(at + 16);
      }
    }
    if (transaction < 0 || pageBytes < 512) {
      throw new IllegalArgumentException("no valid head");
    }
    return new BoltFile(file, pageBytes, root);
  }

  /** A tree's first page: bucket values and pages alike begin with a page header. */
  private ByteBuffer bucket(String name) throws IOException {
    ByteBuffer value = find(page(rootPage), name);
    if (value == null) {
      throw new IllegalArgumentException("no bucket " + name);
    }
    long page = value.getLong(0);
    // A small bucket has its only page right here.
    return page == 0
        ? value.position(BUCKET_BYTES).slice().order(ByteOrder.LITTLE_ENDIAN)
        : page(page);
  }

  /** The last key of the tree, big-endian; null if it is empty. */
  private @Nullable ByteBuffer last(ByteBuffer first) throws IOException {
    ByteBuffer page = first;
    for (int depth = 0; depth < DEPTH_MAX; depth++) {
      int count = count(page);
      if (count == 0) {
        return null;
      }
      if (!isBranch(page)) {
        return ByteBuffer.wrap(leafKey(page, count - 1));
      }
      page = child(page, count - 1);
    }
    throw new IllegalArgumentException("a tree without end");
  }

  /** The key's value; null if it is not there. */
  private @Nullable ByteBuffer find(ByteBuffer first, String name) throws IOException {
    byte[] key = name.getBytes(StandardCharsets.UTF_8);
    ByteBuffer page = first;
    for (int depth = 0; depth < DEPTH_MAX; depth++) {
      if (!isBranch(page)) {
        for (int i = 0; i < count(page); i++) {
          if (Arrays.equals(leafKey(page, i), key)) {
            return leafValue(page, i);
          }
        }
        return null;
      }
      int next = 0;
      while (next + 1 < count(page)
          && Arrays.compareUnsigned(branchKey(page, next + 1), key) <= 0) {
        next++;
      }
      page = child(page, next);
    }
    throw new IllegalArgumentException("a tree without end");
  }

  private ByteBuffer page(long id) throws IOException {
    ByteBuffer header = read(file, id * pageBytes, PAGE_HEADER_BYTES);
    return read(file, id * pageBytes, pageBytes * (1 + header.getInt(12)));
  }

  private ByteBuffer child(ByteBuffer page, int index) throws IOException {
    return page(page.getLong(element(index) + 8));
  }

  private static boolean isBranch(ByteBuffer page) {
    return (page.getShort(8) & BRANCH) != 0;
  }

  private static int count(ByteBuffer page) {
    return Short.toUnsignedInt(page.getShort(10));
  }

  private static int element(int index) {
    return PAGE_HEADER_BYTES + index * ELEMENT_BYTES;
  }

  private static byte[] branchKey(ByteBuffer page, int index) {
    int at = element(index);
    return bytes(page, at + page.getInt(at), page.getInt(at + 4));
  }

  private static byte[] leafKey(ByteBuffer page, int index) {
    int at = element(index);
    return bytes(page, at + page.getInt(at + 4), page.getInt(at + 8));
  }

  /** In the file's order for a bucket; etcd's own numbers in it are big-endian. */
  private static ByteBuffer leafValue(ByteBuffer page, int index) {
    int at = element(index);
    boolean isBucket = page.getInt(at) != 0;
    byte[] value =
        bytes(page, at + page.getInt(at + 4) + page.getInt(at + 8), page.getInt(at + 12));
    return ByteBuffer.wrap(value).order(isBucket ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
  }

  private static byte[] bytes(ByteBuffer page, int from, int length) {
    byte[] bytes = new byte[length];
    page.get(from, bytes);
    return bytes;
  }

  private static ByteBuffer read(FileChannel file, long position, int length) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    while (buffer.hasRemaining()) {
      if (file.read(buffer, position + buffer.position()) < 0) {
        throw new IOException("the file ends too early");
      }
    }
    return buffer.flip().order(ByteOrder.LITTLE_ENDIAN);
  }
}
