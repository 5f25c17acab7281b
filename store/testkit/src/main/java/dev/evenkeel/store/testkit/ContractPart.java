package dev.evenkeel.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.store.GetResult;
import dev.evenkeel.store.KeyValue;
import dev.evenkeel.store.RangeQuery;
import dev.evenkeel.store.RangeResult;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.StoreException;
import dev.evenkeel.store.Txn;
import dev.evenkeel.store.TxnResult;
import dev.evenkeel.store.WatchQuery;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * What every part of the suite starts from: a store without keys, and short words for using it.
 *
 * <p>Every wait is bounded by {@link #BOUND_SECONDS}. The bound keeps a hanging engine from hanging
 * the build; no test says anything about how long something takes.
 */
abstract class ContractPart {

  static final long BOUND_SECONDS = 30;
  private static final long POLL_MILLIS = 5;

  private StoreFixture fixture;
  private Store store;
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();

  @SuppressWarnings("NullAway.Init") // JUnit calls openStore before each test
  ContractPart() {}

  /** A fixture for one test; the suite closes it. */
  protected abstract StoreFixture newFixture();

  @BeforeEach
  void openStore() {
    fixture = closedAfterwards(newFixture());
    store = closedAfterwards(fixture.open());
  }

  @AfterEach
  void closeAll() throws Exception {
    while (!opened.isEmpty()) {
      opened.pop().close();
    }
  }

  final StoreFixture fixture() {
    return fixture;
  }

  final Store store() {
    return store;
  }

  /** Closes it when the test is over, newest first. */
  final <T extends AutoCloseable> T closedAfterwards(T closeable) {
    opened.push(closeable);
    return closeable;
  }

  // Writing

  /** Puts and returns the revision. */
  final long put(String key, String value) {
    return committed(Txn.put(key(key), key(value)));
  }

  /** Deletes a key that is there and returns the revision. */
  final long delete(String key) {
    return committed(Txn.delete(key(key)));
  }

  /** Commits what must succeed and change something, and returns the revision. */
  final long committed(Txn txn) {
    TxnResult result = await(store.commit(txn));
    assertThat(result).isInstanceOf(TxnResult.Committed.class);
    assertThat(((TxnResult.Committed) result).changed()).isTrue();
    return result.revision();
  }

  /** Puts {@code count} keys named by the prefix and a number of four digits, few at a time. */
  final void putMany(String prefix, int count) {
    int atOnce = Math.min(100, store.limits().operationsMax());
    for (int first = 0; first < count; first += atOnce) {
      var txn = Txn.builder();
      for (int i = first; i < Math.min(count, first + atOnce); i++) {
        txn.put(key(numbered(prefix, i)), key("value " + i));
      }
      committed(txn.build());
    }
  }

  static String numbered(String prefix, int number) {
    return "%s%04d".formatted(prefix, number);
  }

  // Reading

  final long currentRevision() {
    return await(store.currentRevision());
  }

  final GetResult get(String key, long revision) {
    return await(store.get(key(key), revision));
  }

  /** The key as it is now; it must be there. */
  final KeyValue existing(String key) {
    return Objects.requireNonNull(get(key, Store.NEWEST).item(), key + " is not there");
  }

  final boolean isAbsent(String key) {
    return get(key, Store.NEWEST).item() == null;
  }

  final RangeResult range(RangeQuery query) {
    return await(store.range(query));
  }

  static List<String> keys(RangeResult result) {
    return result.items().stream().map(item -> item.key().utf8()).toList();
  }

  final WatchReader watch(String prefix, long fromRevision) {
    return watch(WatchQuery.prefix(key(prefix), fromRevision));
  }

  final WatchReader watch(WatchQuery query) {
    return closedAfterwards(new WatchReader(store.watch(query)));
  }

  // Words

  static Bytes key(String text) {
    return Bytes.utf8(text);
  }

  static Bytes bytes(int... unsigned) {
    byte[] array = new byte[unsigned.length];
    for (int i = 0; i < unsigned.length; i++) {
      array[i] = (byte) unsigned[i];
    }
    return Bytes.wrap(array);
  }

  static Bytes zeros(int length) {
    return Bytes.wrap(new byte[length]);
  }

  // Waiting

  /** The future's result. A {@link StoreException} comes out as it is. */
  static <T extends @Nullable Object> T await(Future<T> future) {
    try {
      return future.get(BOUND_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof StoreException storeException) {
        throw storeException;
      }
      throw new AssertionError("failed with something else than a StoreException", e.getCause());
    } catch (TimeoutException e) {
      throw new AssertionError("not answered within " + BOUND_SECONDS + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  /** The exception with which the future fails; it must be of the given type. */
  static <E extends StoreException> E failure(Class<E> type, CompletableFuture<?> future) {
    try {
      Object result = await(future);
      return fail("expected %s but got %s", type.getSimpleName(), result);
    } catch (StoreException e) {
      assertThat(e).isInstanceOf(type);
      assertThat(e.getMessage()).isNotBlank();
      return type.cast(e);
    }
  }

  /** Waits until it holds: for figures that follow the truth with a short delay. */
  static void eventually(String what, BooleanSupplier holds) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(BOUND_SECONDS);
    while (!holds.getAsBoolean()) {
      assertThat(System.nanoTime()).as("%s, within the bound", what).isLessThan(deadline);
      try {
        Thread.sleep(POLL_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError("interrupted", e);
      }
    }
  }

  /**
   * Runs the work on threads of its own, all at once, and returns the results in order. Threads
   * that do not end are left behind: an engine that hangs fails its test and not the build.
   */
  static <T> List<T> inParallel(List<? extends Callable<T>> work) {
    var futures = new ArrayList<FutureTask<T>>();
    for (Callable<T> one : work) {
      var future = new FutureTask<T>(one);
      futures.add(future);
      Thread.ofPlatform().daemon(true).start(future);
    }
    var results = new ArrayList<T>();
    for (FutureTask<T> future : futures) {
      results.add(await(future));
    }
    return results;
  }
}
