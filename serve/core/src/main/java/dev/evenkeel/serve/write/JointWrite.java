package dev.evenkeel.serve.write;

import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.resource.Served;
import dev.evenkeel.store.KeyValue;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.Txn;
import dev.evenkeel.store.TxnResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes several objects of one kind and namespace in one transaction, or none of them. As with one
 * object it is decided on the cache first; what is refused or found done is decided once more, on
 * all of them as the store had them at one revision.
 *
 * <p><b>Threading:</b> one thread at a time.
 */
final class JointWrite {

  /** Each round one of those who meet wins, so this many may. */
  private static final int ROUNDS_MAX = 200;

  private final Store store;
  private final WriteCommitter committer;
  private final Served served;
  private final List<String> keys;
  private final List<Bytes> storeKeys;
  private final boolean dryRun;
  private final List<Authority.Guard> guards;
  private final Decider decider;
  private final CompletableFuture<List<CachedObject>> answer = new CompletableFuture<>();
  private final @Nullable CachedObject[] states;
  private final @Nullable CachedObject[] guardStates;
  private int rounds;

  /** Decides on the current states of all; null stands for an object that is not there. */
  interface Decider {

    /** What to put for each, or null if all are to stay as they are. May be called again. */
    @Nullable List<Authority.Decision.Put> decide(List<@Nullable CachedObject> currents);
  }

  JointWrite(
      Store store,
      WriteCommitter committer,
      Served served,
      List<String> keys,
      boolean dryRun,
      List<Authority.Guard> guards,
      Decider decider) {
    this.store = store;
    this.committer = committer;
    this.served = served;
    this.keys = keys;
    this.storeKeys = keys.stream().map(served::storeKey).toList();
    this.dryRun = dryRun;
    this.guards = guards;
    this.decider = decider;
    this.states = new CachedObject[keys.size()];
    this.guardStates = new CachedObject[guards.size()];
  }

  /** Decides and writes; answers with the objects as they are then, in the order of the keys. */
  CompletableFuture<List<CachedObject>> write() {
    var tree = served.cache().newest().tree();
    for (int i = 0; i < states.length; i++) {
      states[i] = tree.get(keys.get(i));
    }
    for (int i = 0; i < guardStates.length; i++) {
      Authority.Guard guard = guards.get(i);
      guardStates[i] = guard.served().cache().newest().tree().get(guard.key());
    }
    attempt(false);
    return answer;
  }

  /**
   * @param confirmed whether the states are the store's, of one revision, and not the cache's
   */
  private void attempt(boolean confirmed) {
    List<Authority.Decision.Put> puts;
    try {
      for (int i = 0; i < guards.size(); i++) {
        guards.get(i).check(guardStates[i]);
      }
      puts = decider.decide(Arrays.asList(states));
    } catch (ApiException refused) {
      if (confirmed) {
        answer.completeExceptionally(refused);
      } else {
        confirm();
      }
      return;
    } catch (RuntimeException | StackOverflowError e) {
      answer.completeExceptionally(e);
      return;
    }
    if (puts == null && !confirmed) {
      confirm();
    } else if (puts == null) {
      answer.complete(present(states));
    } else if (dryRun) {
      tryOut(puts);
    } else {
      commit(puts);
    }
  }

  private static List<CachedObject> present(@Nullable CachedObject[] states) {
    List<CachedObject> present = new ArrayList<>(states.length);
    for (CachedObject state : states) {
      if (state == null) {
        throw new IllegalStateException("what is not there was to stay as it is");
      }
      present.add(state);
    }
    return present;
  }

  /** Looks at the store: everything as of one revision. */
  private void confirm() {
    if (tooOften()) {
      return;
    }
    then(
        store.get(storeKeys.getFirst(), Store.NEWEST),
        first -> {
          List<CompletableFuture<?>> reads = new ArrayList<>(keys.size() + guards.size());
          for (int i = 0; i < keys.size(); i++) {
            reads.add(read(served, keys.get(i), first.revision(), states, i));
          }
          for (int i = 0; i < guards.size(); i++) {
            Authority.Guard guard = guards.get(i);
            reads.add(read(guard.served(), guard.key(), first.revision(), guardStates, i));
          }
          then(
              CompletableFuture.allOf(reads.toArray(CompletableFuture<?>[]::new)),
              _ -> attempt(true));
        });
  }

  private CompletableFuture<?> read(
      Served of, String key, long revision, @Nullable CachedObject[] into, int index) {
    return store
        .get(of.storeKey(key), revision)
        .thenAccept(found -> into[index] = read(of, key, found.item()));
  }

  private static @Nullable CachedObject read(Served of, String key, @Nullable KeyValue found) {
    return found == null ? null : of.cache().codec().read(key, found);
  }

  private List<WriteCommitter.Part> parts(List<Authority.Decision.Put> puts) {
    List<WriteCommitter.Part> parts = new ArrayList<>(puts.size());
    for (int i = 0; i < puts.size(); i++) {
      parts.add(new WriteCommitter.Part(keys.get(i), states[i], puts.get(i)));
    }
    return parts;
  }

  private void tryOut(List<Authority.Decision.Put> puts) {
    CompletableFuture<@Nullable Void> allowed = committer.check(served, parts(puts));
    if (allowed == null) {
      answer.complete(written(puts, 0));
    } else {
      then(allowed, _ -> answer.complete(written(puts, 0)));
    }
  }

  /**
   * @param revision 0 if nothing was written: then each keeps the one it has
   */
  private List<CachedObject> written(List<Authority.Decision.Put> puts, long revision) {
    List<CachedObject> written = new ArrayList<>(puts.size());
    for (int i = 0; i < puts.size(); i++) {
      CachedObject state = states[i];
      long version = revision > 0 || state == null ? revision : state.revision();
      written.add(served.cache().codec().written(keys.get(i), puts.get(i).stored(), version));
    }
    return written;
  }

  private void commit(List<Authority.Decision.Put> puts) {
    Txn.Builder txn = Txn.builder();
    for (int i = 0; i < puts.size(); i++) {
      Bytes storeKey = storeKeys.get(i);
      CachedObject state = states[i];
      if (state == null) {
        txn.ifAbsent(storeKey);
      } else {
        txn.ifModRevision(storeKey, state.revision());
      }
      txn.put(storeKey, Bytes.wrap(puts.get(i).stored()));
    }
    for (int i = 0; i < guards.size(); i++) {
      CachedObject state = guardStates[i];
      if (state != null) {
        Authority.Guard guard = guards.get(i);
        txn.ifModRevision(guard.served().storeKey(guard.key()), state.revision());
      }
    }
    then(
        committer.commit(served, parts(puts), txn.build()),
        result -> {
          switch (result) {
            case TxnResult.Committed committed ->
                answer.complete(written(puts, committed.revision()));
            case TxnResult.Rejected rejected -> again(rejected);
          }
        });
  }

  private void again(TxnResult.Rejected rejected) {
    if (tooOften()) {
      return;
    }
    for (TxnResult.Failure failure : rejected.failures()) {
      Bytes failed = failure.compare().key();
      for (int i = 0; i < states.length; i++) {
        if (storeKeys.get(i).equals(failed)) {
          states[i] = read(served, keys.get(i), failure.current());
        }
      }
      for (int i = 0; i < guardStates.length; i++) {
        Authority.Guard guard = guards.get(i);
        if (guard.served().storeKey(guard.key()).equals(failed)) {
          guardStates[i] = read(guard.served(), guard.key(), failure.current());
        }
      }
    }
    attempt(false);
  }

  private boolean tooOften() {
    if (rounds++ < ROUNDS_MAX) {
      return false;
    }
    answer.completeExceptionally(
        Status.tooManyRequests(
                "others were faster " + ROUNDS_MAX + " times, please try again later", 1)
            .asException());
    return true;
  }

  private <T extends @Nullable Object> void then(CompletableFuture<T> future, Consumer<T> action) {
    var _ =
        future.whenComplete(
            (value, failure) -> {
              if (failure != null) {
                answer.completeExceptionally(failure);
                return;
              }
              try {
                action.accept(value);
              } catch (RuntimeException | StackOverflowError e) {
                answer.completeExceptionally(e);
              }
            });
  }
}
