package dev.evenkeel.store.rocksdb;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.store.Compare;
import dev.evenkeel.store.Event;
import dev.evenkeel.store.GetResult;
import dev.evenkeel.store.KeyValue;
import dev.evenkeel.store.RangeQuery;
import dev.evenkeel.store.RangeResult;
import dev.evenkeel.store.StoreException;
import dev.evenkeel.store.Txn;
import dev.evenkeel.store.TxnResult;
import dev.evenkeel.store.WatchBatch;
import dev.evenkeel.store.WatchQuery;
import dev.evenkeel.store.Write;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Requests and answers as bytes: a letter for the kind, then the fields. Both ends are of the same
 * build, so there is no version.
 */
final class HostCodec {

  private HostCodec() {}

  private interface Writer<T> {
    void write(DataOutput out, T item) throws IOException;
  }

  private interface Reader<T> {
    T read(DataInput in) throws IOException;
  }

  // Requests.

  static void write(DataOutput out, HostRequest request) throws IOException {
    switch (request) {
      case HostRequest.Commit(Txn txn) -> {
        out.writeByte('t');
        writeList(out, txn.compares(), HostCodec::writeCompare);
        writeList(out, txn.writes(), HostCodec::writeWrite);
      }
      case HostRequest.Get(Bytes key, long revision) -> {
        out.writeByte('g');
        writeBytes(out, key);
        out.writeLong(revision);
      }
      case HostRequest.Range(RangeQuery query) -> {
        out.writeByte('r');
        writeBytes(out, query.prefix());
        writeBytes(out, query.start());
        out.writeInt(query.limit());
        out.writeLong(query.revision());
        out.writeUTF(query.content().name());
      }
      case HostRequest.CurrentRevision() -> out.writeByte('v');
      case HostRequest.Compact(long revision) -> {
        out.writeByte('k');
        out.writeLong(revision);
      }
      case HostRequest.OpenWatch(long watch, WatchQuery query) -> {
        out.writeByte('w');
        out.writeLong(watch);
        writeBytes(out, query.prefix());
        out.writeLong(query.fromRevision());
        out.writeBoolean(query.withPrevious());
      }
      case HostRequest.NextBatch(long watch) -> {
        out.writeByte('n');
        out.writeLong(watch);
      }
      case HostRequest.RequestProgress(long watch) -> {
        out.writeByte('p');
        out.writeLong(watch);
      }
      case HostRequest.CloseWatch(long watch) -> {
        out.writeByte('c');
        out.writeLong(watch);
      }
    }
  }

  static HostRequest readRequest(DataInput in) throws IOException {
    byte kind = in.readByte();
    return switch (kind) {
      case 't' ->
          new HostRequest.Commit(
              new Txn(readList(in, HostCodec::readCompare), readList(in, HostCodec::readWrite)));
      case 'g' -> new HostRequest.Get(readBytes(in), in.readLong());
      case 'r' ->
          new HostRequest.Range(
              new RangeQuery(
                  readBytes(in),
                  readBytes(in),
                  in.readInt(),
                  in.readLong(),
                  RangeQuery.Content.valueOf(in.readUTF())));
      case 'v' -> new HostRequest.CurrentRevision();
      case 'k' -> new HostRequest.Compact(in.readLong());
      case 'w' ->
          new HostRequest.OpenWatch(
              in.readLong(), new WatchQuery(readBytes(in), in.readLong(), in.readBoolean()));
      case 'n' -> new HostRequest.NextBatch(in.readLong());
      case 'p' -> new HostRequest.RequestProgress(in.readLong());
      case 'c' -> new HostRequest.CloseWatch(in.readLong());
      default -> throw unknown("request", kind);
    };
  }

  private static void writeCompare(DataOutput out, Compare compare) throws IOException {
    switch (compare) {
      case Compare.Exists(Bytes key) -> {
        out.writeByte('e');
        writeBytes(out, key);
      }
      case Compare.Absent(Bytes key) -> {
        out.writeByte('a');
        writeBytes(out, key);
      }
      case Compare.ModRevision(Bytes key, long modRevision) -> {
        out.writeByte('m');
        writeBytes(out, key);
        out.writeLong(modRevision);
      }
      case Compare.Version(Bytes key, long version) -> {
        out.writeByte('n');
        writeBytes(out, key);
        out.writeLong(version);
      }
      case Compare.Value(Bytes key, Bytes value) -> {
        out.writeByte('v');
        writeBytes(out, key);
        writeBytes(out, value);
      }
    }
  }

  private static Compare readCompare(DataInput in) throws IOException {
    byte kind = in.readByte();
    return switch (kind) {
      case 'e' -> new Compare.Exists(readBytes(in));
      case 'a' -> new Compare.Absent(readBytes(in));
      case 'm' -> new Compare.ModRevision(readBytes(in), in.readLong());
      case 'n' -> new Compare.Version(readBytes(in), in.readLong());
      case 'v' -> new Compare.Value(readBytes(in), readBytes(in));
      default -> throw unknown("comparison", kind);
    };
  }

  private static void writeWrite(DataOutput out, Write write) throws IOException {
    switch (write) {
      case Write.Put(Bytes key, Bytes value) -> {
        out.writeByte('p');
        writeBytes(out, key);
        writeBytes(out, value);
      }
      case Write.Delete(Bytes key) -> {
        out.writeByte('d');
        writeBytes(out, key);
      }
    }
  }

  private static Write readWrite(DataInput in) throws IOException {
    byte kind = in.readByte();
    return switch (kind) {
      case 'p' -> new Write.Put(readBytes(in), readBytes(in));
      case 'd' -> new Write.Delete(readBytes(in));
      default -> throw unknown("write", kind);
    };
  }

  // Answers.

  static void write(DataOutput out, HostAnswer answer) throws IOException {
    switch (answer) {
      case HostAnswer.Decided(TxnResult.Committed(long revision, boolean changed)) -> {
        out.writeByte('c');
        out.writeLong(revision);
        out.writeBoolean(changed);
      }
      case HostAnswer.Decided(TxnResult.Rejected(long revision, List<TxnResult.Failure> why)) -> {
        out.writeByte('r');
        out.writeLong(revision);
        writeList(out, why, HostCodec::writeFailure);
      }
      case HostAnswer.Got(GetResult result) -> {
        out.writeByte('g');
        out.writeLong(result.revision());
        writeItemOrNull(out, result.item());
      }
      case HostAnswer.Ranged(RangeResult result) -> {
        out.writeByte('l');
        out.writeLong(result.revision());
        writeList(out, result.items(), HostCodec::writeItem);
        out.writeBoolean(result.more());
        out.writeLong(result.count());
      }
      case HostAnswer.Revision(long revision) -> {
        out.writeByte('v');
        out.writeLong(revision);
      }
      case HostAnswer.Compacted() -> out.writeByte('k');
      case HostAnswer.Delivered(WatchBatch batch) -> {
        out.writeByte('b');
        out.writeLong(batch.revision());
        writeList(out, batch.commits(), HostCodec::writeCommit);
      }
      case HostAnswer.Failed(StoreException reason) -> {
        out.writeByte('f');
        writeException(out, reason);
      }
      case HostAnswer.Broken(String reason) -> {
        out.writeByte('x');
        out.writeUTF(reason);
      }
    }
  }

  static HostAnswer readAnswer(DataInput in) throws IOException {
    byte kind = in.readByte();
    return switch (kind) {
      case 'c' -> new HostAnswer.Decided(new TxnResult.Committed(in.readLong(), in.readBoolean()));
      case 'r' ->
          new HostAnswer.Decided(
              new TxnResult.Rejected(in.readLong(), readList(in, HostCodec::readFailure)));
      case 'g' -> new HostAnswer.Got(new GetResult(in.readLong(), readItemOrNull(in)));
      case 'l' ->
          new HostAnswer.Ranged(
              new RangeResult(
                  in.readLong(),
                  readList(in, HostCodec::readItem),
                  in.readBoolean(),
                  in.readLong()));
      case 'v' -> new HostAnswer.Revision(in.readLong());
      case 'k' -> new HostAnswer.Compacted();
      case 'b' ->
          new HostAnswer.Delivered(
              new WatchBatch(in.readLong(), readList(in, HostCodec::readCommit)));
      case 'f' -> new HostAnswer.Failed(readException(in));
      case 'x' -> new HostAnswer.Broken(in.readUTF());
      default -> throw unknown("answer", kind);
    };
  }

  private static void writeFailure(DataOutput out, TxnResult.Failure failure) throws IOException {
    writeCompare(out, failure.compare());
    writeItemOrNull(out, failure.current());
  }

  private static TxnResult.Failure readFailure(DataInput in) throws IOException {
    return new TxnResult.Failure(readCompare(in), readItemOrNull(in));
  }

  private static void writeCommit(DataOutput out, WatchBatch.Commit commit) throws IOException {
    out.writeLong(commit.revision());
    writeList(out, commit.events(), HostCodec::writeEvent);
  }

  private static WatchBatch.Commit readCommit(DataInput in) throws IOException {
    return new WatchBatch.Commit(in.readLong(), readList(in, HostCodec::readEvent));
  }

  private static void writeEvent(DataOutput out, Event event) throws IOException {
    switch (event) {
      case Event.Put(KeyValue current, KeyValue previous) -> {
        out.writeByte('p');
        writeItem(out, current);
        writeItemOrNull(out, previous);
      }
      case Event.Delete(Bytes key, KeyValue previous) -> {
        out.writeByte('d');
        writeBytes(out, key);
        writeItemOrNull(out, previous);
      }
    }
  }

  private static Event readEvent(DataInput in) throws IOException {
    byte kind = in.readByte();
    return switch (kind) {
      case 'p' -> new Event.Put(readItem(in), readItemOrNull(in));
      case 'd' -> new Event.Delete(readBytes(in), readItemOrNull(in));
      default -> throw unknown("event", kind);
    };
  }

  private static void writeException(DataOutput out, StoreException reason) throws IOException {
    String message = Objects.requireNonNullElse(reason.getMessage(), "");
    switch (reason) {
      case StoreException.InvalidRequest _ -> writeText(out, 'i', message);
      case StoreException.TooLarge e -> {
        // Its message is made of what is sent beside it: "too many WHAT: ACTUAL, at most MAX".
        String what = message.substring("too many ".length(), message.lastIndexOf(": "));
        writeText(out, 'l', what);
        out.writeLong(e.actual());
        out.writeLong(e.max());
      }
      case StoreException.Compacted e -> {
        out.writeByte('k');
        out.writeLong(e.requested());
        out.writeLong(e.compactedRevision());
      }
      case StoreException.FutureRevision e -> {
        out.writeByte('f');
        out.writeLong(e.requested());
        out.writeLong(e.currentRevision());
      }
      case StoreException.Unavailable _ -> writeText(out, 'u', message);
      case StoreException.OutOfSpace _ -> writeText(out, 's', message);
      case StoreException.UnknownOutcome _ -> writeText(out, '?', message);
      case StoreException.DataFolder e -> {
        writeText(out, 'd', message);
        out.writeUTF(e.folder().toString());
      }
      case StoreException.Corrupt _ -> writeText(out, 'x', message);
      case StoreException.Closed _ -> writeText(out, 'c', message);
    }
  }

  private static StoreException readException(DataInput in) throws IOException {
    byte kind = in.readByte();
    return switch (kind) {
      case 'i' -> new StoreException.InvalidRequest(in.readUTF());
      case 'l' -> new StoreException.TooLarge(in.readUTF(), in.readLong(), in.readLong());
      case 'k' -> new StoreException.Compacted(in.readLong(), in.readLong());
      case 'f' -> new StoreException.FutureRevision(in.readLong(), in.readLong());
      case 'u' -> new StoreException.Unavailable(in.readUTF(), null);
      case 's' -> new StoreException.OutOfSpace(in.readUTF(), null);
      case '?' -> new StoreException.UnknownOutcome(in.readUTF(), null);
      case 'd' -> {
        String message = in.readUTF();
        yield new StoreException.DataFolder(Path.of(in.readUTF()), message, null);
      }
      case 'x' -> new StoreException.Corrupt(in.readUTF(), null);
      case 'c' -> new StoreException.Closed(in.readUTF());
      default -> throw unknown("exception", kind);
    };
  }

  private static void writeText(DataOutput out, char kind, String text) throws IOException {
    out.writeByte(kind);
    out.writeUTF(text);
  }

  // What both are made of.

  private static void writeItem(DataOutput out, KeyValue item) throws IOException {
    writeBytes(out, item.key());
    writeBytes(out, item.value());
    out.writeLong(item.createRevision());
    out.writeLong(item.modRevision());
    out.writeLong(item.version());
  }

  private static KeyValue readItem(DataInput in) throws IOException {
    return new KeyValue(readBytes(in), readBytes(in), in.readLong(), in.readLong(), in.readLong());
  }

  private static void writeItemOrNull(DataOutput out, @Nullable KeyValue item) throws IOException {
    out.writeBoolean(item != null);
    if (item != null) {
      writeItem(out, item);
    }
  }

  private static @Nullable KeyValue readItemOrNull(DataInput in) throws IOException {
    return in.readBoolean() ? readItem(in) : null;
  }

  private static <T> void writeList(DataOutput out, List<T> items, Writer<T> writer)
      throws IOException {
    out.writeInt(items.size());
    for (T item : items) {
      writer.write(out, item);
    }
  }

  private static <T> List<T> readList(DataInput in, Reader<T> reader) throws IOException {
    int size = in.readInt();
    var items = new ArrayList<T>();
    for (int i = 0; i < size; i++) {
      items.add(reader.read(in));
    }
    return List.copyOf(items);
  }

  private static void writeBytes(DataOutput out, Bytes bytes) throws IOException {
    out.writeInt(bytes.length());
    out.write(bytes.array());
  }

  private static Bytes readBytes(DataInput in) throws IOException {
    var array = new byte[in.readInt()];
    in.readFully(array);
    return Bytes.wrap(array);
  }

  private static IOException unknown(String what, byte kind) {
    return new IOException("no kind of " + what + " is marked with the byte " + kind);
  }
}
