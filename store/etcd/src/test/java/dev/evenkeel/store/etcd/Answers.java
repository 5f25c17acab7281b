package dev.evenkeel.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.StoreException;
import dev.evenkeel.store.Txn;
import dev.evenkeel.store.TxnResult;
import dev.evenkeel.store.Watch;
import dev.evenkeel.store.WatchBatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Short words for asking a store and waiting for the answer, within a bound. */
final class Answers {

  private static final Duration BOUND = Duration.ofSeconds(60);

  private Answers() {}

  static Bytes bytes(String text) {
    return Bytes.utf8(text);
  }

  static <T extends @Nullable Object> T await(Future<T> future) {
    try {
      return future.get(BOUND.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof StoreException expected) {
        throw expected;
      }
      throw new AssertionError("failed with something else than a StoreException", e.getCause());
    } catch (TimeoutException e) {
      throw new AssertionError("no answer within the bound", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  static <E extends StoreException> E failure(Class<E> type, Future<?> future) {
    try {
      Object answer = await(future);
      throw new AssertionError("expected " + type.getSimpleName() + ", got " + answer);
    } catch (StoreException e) {
      assertThat(e).isInstanceOf(type);
      return type.cast(e);
    }
  }

  static long put(Store store, String key, String value) {
    TxnResult result = await(store.commit(Txn.put(bytes(key), bytes(value))));
    assertThat(result).isInstanceOf(TxnResult.Committed.class);
    return result.revision();
  }

  /** All transactions from where the watch is up to the revision, as {@code revision: keys}. */
  static List<String> linesUntil(Watch watch, long revision) {
    var lines = new ArrayList<String>();
    long reached = 0;
    watch.requestProgress();
    while (reached < revision) {
      WatchBatch batch = await(watch.next());
      reached = batch.revision();
      for (WatchBatch.Commit commit : batch.commits()) {
        lines.add(
            commit.revision()
                + ": "
                + String.join(
                    " ", commit.events().stream().map(event -> event.key().utf8()).toList()));
      }
    }
    return lines;
  }

  static void eventually(String what, BooleanSupplier holds) {
    long deadline = System.nanoTime() + BOUND.toNanos();
    while (!holds.getAsBoolean()) {
      assertThat(System.nanoTime()).as(what).isLessThan(deadline);
      try {
        Thread.sleep(10);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError(e);
      }
    }
  }
}
