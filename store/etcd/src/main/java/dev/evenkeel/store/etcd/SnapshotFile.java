package dev.evenkeel.store.etcd;

import com.google.protobuf.ByteString;
import dev.evenkeel.kernel.env.FutureFailure;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.store.StoreException;
import dev.evenkeel.store.etcd.client.Endpoint;
import dev.evenkeel.store.etcd.client.EtcdClient;
import io.etcd.jetcd.api.MaintenanceGrpc;
import io.etcd.jetcd.api.SnapshotRequest;
import io.etcd.jetcd.api.SnapshotResponse;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Takes one snapshot from etcd into a file, in etcd's own format: all keys of the etcd, with their
 * history, those of others included.
 *
 * <p>It is written under another name beside its place, synced, and then renamed: the file is whole
 * or not there.
 *
 * <p><b>Threading.</b> All work is done on a loop of its own, because it waits for the disk.
 */
final class SnapshotFile extends ClientCall.Listener<SnapshotResponse> {

  /** What is in the file. */
  record Written(long revision, long bytes) {}

  /** Without a piece for so long, it is given up. */
  private static final Duration SILENCE_MAX = Duration.ofSeconds(30);

  private final Loop loop;
  private final Endpoint endpoint;
  private final Path file;
  private final Path temporary;
  private final CompletableFuture<Written> result = new CompletableFuture<>();
  private @Nullable FileChannel channel;
  private @Nullable ClientCall<SnapshotRequest, SnapshotResponse> call;
  private Loop.@Nullable Timer timer;
  private long remaining = -1;

  private SnapshotFile(Loop loop, Endpoint endpoint, Path file, String mark) {
    this.loop = loop;
    this.endpoint = endpoint;
    this.file = file;
    // Two that are taken to one place at a time must not write into each other.
    this.temporary = file.resolveSibling(file.getFileName() + "." + mark + ".part");
  }

  /**
   * Takes it; closes the loop at the end. Fails with a {@link StoreException}.
   *
   * @param mark goes into the temporary name: another for every snapshot
   */
  static CompletableFuture<Written> take(EtcdClient client, Loop loop, Path file, String mark) {
    Endpoint endpoint = client.currentEndpoint();
    var snapshot = new SnapshotFile(loop, endpoint, file, mark);
    var _ =
        client
            .headers(endpoint)
            .whenComplete(
                (headers, error) ->
                    snapshot.onLoop(
                        () -> {
                          if (error != null) {
                            snapshot.fail(
                                new StoreException.Unavailable(
                                    "etcd gives no snapshot: " + FutureFailure.cause(error),
                                    error));
                          } else {
                            snapshot.begin(headers);
                          }
                        }));
    return snapshot.result;
  }

  private void begin(Metadata headers) {
    try {
      channel =
          FileChannel.open(
              temporary,
              StandardOpenOption.CREATE_NEW,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE);
    } catch (IOException e) {
      fail(cannotWrite(e));
      return;
    }
    ClientCall<SnapshotRequest, SnapshotResponse> begun =
        endpoint.channel().newCall(MaintenanceGrpc.getSnapshotMethod(), CallOptions.DEFAULT);
    call = begun;
    begun.start(this, headers);
    begun.request(1);
    begun.sendMessage(SnapshotRequest.getDefaultInstance());
    begun.halfClose();
    waitForPiece();
  }

  private void waitForPiece() {
    if (timer != null) {
      timer.cancel();
    }
    timer =
        loop.runLater(
            SILENCE_MAX,
            () ->
                fail(
                    new StoreException.Unavailable(
                        "etcd at " + endpoint.name() + " stopped sending the snapshot", null)));
  }

  @Override
  public void onMessage(SnapshotResponse message) {
    onLoop(
        () -> {
          FileChannel open = channel;
          if (result.isDone() || open == null) {
            return;
          }
          try {
            write(open, message.getBlob());
          } catch (IOException e) {
            fail(cannotWrite(e));
            return;
          }
          remaining = message.getRemainingBytes();
          waitForPiece();
          if (call != null) {
            call.request(1);
          }
        });
  }

  private static void write(FileChannel channel, ByteString blob) throws IOException {
    for (ByteBuffer piece : blob.asReadOnlyByteBufferList()) {
      while (piece.hasRemaining()) {
        channel.write(piece);
      }
    }
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    onLoop(
        () -> {
          if (result.isDone()) {
            return;
          }
          if (!status.isOk() || remaining != 0) {
            fail(
                new StoreException.Unavailable(
                    "etcd at " + endpoint.name() + " did not finish the snapshot: " + status,
                    status.getCause()));
            return;
          }
          try {
            finish();
          } catch (IOException e) {
            fail(cannotWrite(e));
          }
        });
  }

  private void finish() throws IOException {
    FileChannel open = java.util.Objects.requireNonNull(channel);
    long revision;
    try {
      revision = BoltFile.revision(open);
    } catch (IOException e) {
      fail(
          new StoreException.Corrupt(
              "what etcd at " + endpoint.name() + " sent is no snapshot: " + e.getMessage(), e));
      return;
    }
    open.force(true);
    long bytes = open.size();
    open.close();
    Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    Path folder = file.toAbsolutePath().getParent();
    if (folder != null) {
      try (var directory = FileChannel.open(folder)) {
        directory.force(true);
      }
    }
    end();
    result.complete(new Written(revision, bytes));
  }

  private StoreException cannotWrite(IOException e) {
    Path folder = file.toAbsolutePath().getParent();
    if (folder == null || !Files.isWritable(folder) || Files.isDirectory(file)) {
      return new StoreException.Unavailable(
          "cannot write the snapshot "
              + file
              + ": "
              + e
              + "; choose a file in a folder that is there and writable",
          e);
    }
    return new StoreException.OutOfSpace(
        "cannot write the snapshot "
            + file
            + ": "
            + e
            + "; choose a folder that is writable and"
            + " has room",
        e);
  }

  private void fail(StoreException cause) {
    if (result.isDone()) {
      return;
    }
    if (call != null) {
      call.cancel("snapshot given up", cause);
    }
    try {
      if (channel != null) {
        channel.close();
      }
      Files.deleteIfExists(temporary);
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
    end();
    result.completeExceptionally(cause);
  }

  private void end() {
    if (timer != null) {
      timer.cancel();
    }
    loop.close();
  }

  private void onLoop(Runnable task) {
    try {
      loop.execute(task);
    } catch (RejectedExecutionException _) {
      // It has ended.
    }
  }
}
