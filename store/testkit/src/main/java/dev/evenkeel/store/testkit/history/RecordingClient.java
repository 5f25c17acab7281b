package dev.evenkeel.store.testkit.history;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.store.RangeQuery;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.StoreException;
import dev.evenkeel.store.Txn;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A client that asks one thing after the other and records what it is told. The store may be
 * replaced by another between two calls, as after a crash.
 */
public final class RecordingClient {

  private static final long ANSWER_BOUND_SECONDS = 30;

  private final HistoryRecorder recorder;
  private final String name;
  private final Supplier<Store> stores;

  public RecordingClient(HistoryRecorder recorder, String name, Supplier<Store> stores) {
    this.recorder = recorder;
    this.name = name;
    this.stores = stores;
  }

  public Outcome commit(Txn txn) {
    return call(new Operation.Commit(txn), store -> store.commit(txn), Outcome.Decided::new);
  }

  public Outcome get(Bytes key, long revision) {
    return call(
        new Operation.Get(key, revision), store -> store.get(key, revision), Outcome.Got::new);
  }

  public Outcome range(RangeQuery query) {
    return call(new Operation.Range(query), store -> store.range(query), Outcome.Ranged::new);
  }

  public Outcome currentRevision() {
    return call(new Operation.CurrentRevision(), Store::currentRevision, Outcome.Revision::new);
  }

  private <T> Outcome call(
      Operation operation,
      Function<Store, CompletableFuture<T>> ask,
      Function<T, Outcome> understand) {
    HistoryRecorder.Pending pending = recorder.begin(name, operation);
    Outcome outcome = outcome(ask, understand);
    pending.end(outcome);
    return outcome;
  }

  private <T> Outcome outcome(
      Function<Store, CompletableFuture<T>> ask, Function<T, Outcome> understand) {
    Store store;
    try {
      store = stores.get();
    } catch (StoreException e) {
      return new Outcome.Failed(e);
    }
    CompletableFuture<T> future;
    try {
      future = ask.apply(store);
    } catch (RuntimeException e) {
      return new Outcome.Broken(new IllegalStateException("thrown, not through the future", e));
    }
    try {
      return understand.apply(future.get(ANSWER_BOUND_SECONDS, TimeUnit.SECONDS));
    } catch (ExecutionException e) {
      return Outcome.ofFailure(Objects.requireNonNullElse(e.getCause(), e));
    } catch (TimeoutException e) {
      return new Outcome.Unknown("not answered within " + ANSWER_BOUND_SECONDS + " s");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Outcome.Unknown("the client was interrupted");
    }
  }
}
