package dev.evenkeel.store.rocksdb;

import dev.evenkeel.kernel.env.RealEnv;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.StoreException;
import dev.evenkeel.store.Watch;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A process that holds a folder's store and serves it over its standard input and output, so that a
 * store can be killed while those who use it live on. It ends by itself when its input ends, hence
 * also when its parent dies.
 *
 * <p>Each request and each answer is a number and what {@link HostCodec} makes of it. The first
 * answer, number {@link #OPENING}, says at which revision the store opened, or why it did not.
 *
 * <p><b>Threading.</b> One thread reads requests and moves the watches on; a few threads call the
 * store, so that calls meet in it as they would without the pipe; one thread writes the answers, so
 * that the store's own threads never wait for the pipe. Both queues hold at most one entry for each
 * thread that uses the {@link HostedStore} and waits for its answer.
 */
public final class StoreHost {

  static final long OPENING = 0;

  private static final int CALLERS = 8;

  private final Store store;
  private final DataOutputStream out;
  private final ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
  private final ExecutorService answers = Executors.newSingleThreadExecutor();
  private final Map<Long, Watch> watches = new HashMap<>();

  private StoreHost(Store store, DataOutputStream out) {
    this.store = store;
    this.out = out;
  }

  public static void main(String[] arguments) throws IOException {
    var out =
        new DataOutputStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out)));
    // Whoever prints something must not disturb the answers.
    System.setOut(System.err);
    EmbeddedOptions options =
        EmbeddedOptions.in(Path.of(arguments[0])).withDurability(Durability.valueOf(arguments[1]));
    try (Store store = EmbeddedStore.open(new RealEnv(), options)) {
      var host = new StoreHost(store, out);
      host.answer(OPENING, store.currentRevision(), HostAnswer.Revision::new);
      host.serve(new DataInputStream(new BufferedInputStream(System.in)));
    } catch (StoreException e) {
      send(out, OPENING, new HostAnswer.Failed(e));
    }
    System.exit(0);
  }

  private void serve(DataInputStream in) {
    try {
      while (true) {
        long number = in.readLong();
        dispatch(number, HostCodec.readRequest(in));
      }
    } catch (IOException e) {
      // The parent closed the pipe or died: there is nobody left to serve.
    }
  }

  private void dispatch(long number, HostRequest request) {
    switch (request) {
      case HostRequest.Commit r ->
          call(() -> answer(number, store.commit(r.txn()), HostAnswer.Decided::new));
      case HostRequest.Get r ->
          call(() -> answer(number, store.get(r.key(), r.revision()), HostAnswer.Got::new));
      case HostRequest.Range r ->
          call(() -> answer(number, store.range(r.query()), HostAnswer.Ranged::new));
      case HostRequest.CurrentRevision _ ->
          call(() -> answer(number, store.currentRevision(), HostAnswer.Revision::new));
      case HostRequest.Compact r ->
          call(() -> answer(number, store.compact(r.revision()), _ -> new HostAnswer.Compacted()));
      case HostRequest.OpenWatch r -> watches.put(r.watch(), store.watch(r.query()));
      case HostRequest.NextBatch r ->
          answer(number, watch(r.watch()).next(), HostAnswer.Delivered::new);
      case HostRequest.RequestProgress r -> watch(r.watch()).requestProgress();
      case HostRequest.CloseWatch r -> {
        watch(r.watch()).close();
        watches.remove(r.watch());
      }
    }
  }

  private Watch watch(long number) {
    return Objects.requireNonNull(watches.get(number), "the watch was never opened or is closed");
  }

  private void call(Runnable call) {
    callers.execute(call);
  }

  private <T extends @Nullable Object> void answer(
      long number, CompletableFuture<T> future, Function<T, HostAnswer> understand) {
    var _ =
        future.whenCompleteAsync(
            (result, failure) ->
                send(out, number, failure == null ? understand.apply(result) : failed(failure)),
            answers);
  }

  private static HostAnswer failed(Throwable failure) {
    Throwable reason =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return reason instanceof StoreException storeException
        ? new HostAnswer.Failed(storeException)
        : new HostAnswer.Broken(String.valueOf(reason));
  }

  private static void send(DataOutputStream out, long number, HostAnswer answer) {
    try {
      out.writeLong(number);
      HostCodec.write(out, answer);
      out.flush();
    } catch (IOException e) {
      // Nobody listens any more; the end of the input will say so too.
    }
  }
}
