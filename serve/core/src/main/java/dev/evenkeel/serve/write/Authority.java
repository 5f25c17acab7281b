package dev.evenkeel.serve.write;

import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.call.Failures;
import dev.evenkeel.serve.resource.Served;
import dev.evenkeel.store.KeyValue;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.Txn;
import dev.evenkeel.store.TxnResult;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes to the store on conditions. A decision is made on the cache's state first, because that is
 * nearly always the newest; the transaction, or a look at the store, finds out when it is not, and
 * the decision is made again.
 */
public final class Authority {

  /** Clients that keep changing one object: each round one of them wins, so this many may meet. */
  private static final int ATTEMPTS_MAX = 200;

  private final Store store;
  private final WriteCommitter committer;

  public Authority(Store store, WriteCommitter committer) {
    this.store = store;
    this.committer = committer;
  }

  public Store store() {
    return store;
  }

  /** What to do with an object. */
  public sealed interface Decision {

    /**
     * Write it.
     *
     * @param stored the bytes to store
     * @param object what they say, in the served version
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Put(byte[] stored, ObjectNode object) implements Decision {}

    /**
     * Remove it.
     *
     * @param last the state it leaves in, as stored; null if that is the one it has
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Delete(byte @Nullable [] last) implements Decision {}

    /** Leave it as it is. */
    record Keep() implements Decision {}
  }

  /** Decides on the current state; null if there is no such object. Called again if it changed. */
  public interface Decider {
    Decision decide(@Nullable CachedObject current);

    /** The store has this key, which the decision would have had to be the first to write. */
    default void found(Bytes key) {}
  }

  /**
   * How a write ended.
   *
   * @param before the state it was decided on
   * @param after the state now; null if it is gone
   * @param decision what was done
   */
  public record Outcome(
      @Nullable CachedObject before, @Nullable CachedObject after, Decision decision) {}

  /** Decides and writes, or with {@code dryRun} only decides. */
  public CompletableFuture<Outcome> write(
      Served served, String key, boolean dryRun, List<Guard> guards, Decider decider) {
    var answer = new CompletableFuture<Outcome>();
    var write = new WriteAttempt(served, key, dryRun, guards, decider, answer);
    write.attempt(served.cache().newest().tree().get(key), false, 0);
    return answer;
  }

  /**
   * Decides on several objects of one kind and namespace and writes all of them, in one
   * transaction, or none; with {@code dryRun} only decides. A failure of the store is left as it
   * is.
   */
  CompletableFuture<List<CachedObject>> writeAll(
      Served served,
      List<String> keys,
      boolean dryRun,
      List<Guard> guards,
      JointWrite.Decider decider) {
    return new JointWrite(store, committer, served, keys, dryRun, guards, decider).write();
  }

  /**
   * Another object that must stay as it is for the write to hold, such as the namespace that an
   * object is created in.
   */
  public interface Guard {
    Served served();

    String key();

    /** Throws if the write is not allowed in this state of the guard. */
    void check(@Nullable CachedObject current);
  }

  /** One object as the store has it now. */
  public CompletableFuture<@Nullable CachedObject> newest(Served served, String key) {
    return store
        .get(served.storeKey(key), Store.NEWEST)
        .thenApply(
            result -> {
              KeyValue found = result.item();
              return found == null ? null : served.cache().codec().read(key, found);
            });
  }

  private final class WriteAttempt {
    private final Served served;
    private final String key;
    private final boolean dryRun;
    private final List<Guard> guards;
    private final Decider decider;
    private final CompletableFuture<Outcome> answer;
    private final @Nullable CachedObject[] guardStates;
    private final boolean[] guardConfirmed;

    WriteAttempt(
        Served served,
        String key,
        boolean dryRun,
        List<Guard> guards,
        Decider decider,
        CompletableFuture<Outcome> answer) {
      this.served = served;
      this.key = key;
      this.dryRun = dryRun;
      this.guards = guards;
      this.decider = decider;
      this.answer = answer;
      this.guardStates = new CachedObject[guards.size()];
      this.guardConfirmed = new boolean[guards.size()];
      for (int i = 0; i < guardStates.length; i++) {
        Guard guard = guards.get(i);
        guardStates[i] = guard.served().cache().newest().tree().get(guard.key());
      }
    }

    /**
     * @param confirmed whether the state is the store's own answer and not the cache's
     */
    void attempt(@Nullable CachedObject current, boolean confirmed, int attempts) {
      Decision decision;
      try {
        for (int i = 0; i < guards.size(); i++) {
          if (!checkGuard(i, current, confirmed, attempts)) {
            return;
          }
        }
        decision = decider.decide(current);
      } catch (ApiException refused) {
        if (confirmed) {
          answer.completeExceptionally(refused);
        } else {
          confirm(current, refused, attempts);
        }
        return;
      } catch (RuntimeException | StackOverflowError e) {
        answer.completeExceptionally(e);
        return;
      }
      if (decision instanceof Decision.Keep && !confirmed) {
        confirm(current, null, attempts);
      } else if (decision instanceof Decision.Keep) {
        answer.complete(new Outcome(current, current, decision));
      } else if (dryRun) {
        tryOut(current, decision, attempts);
      } else {
        commit(current, decision, attempts);
      }
    }

    private void tryOut(@Nullable CachedObject current, Decision decision, int attempts) {
      CompletableFuture<TxnResult> claimed = committer.tryClaims(served, current, decision);
      if (claimed == null) {
        check(current, decision);
        return;
      }
      then(
          claimed,
          result -> {
            if (result instanceof TxnResult.Rejected rejected) {
              again(current, rejected, attempts);
            } else {
              check(current, decision);
            }
          });
    }

    private void check(@Nullable CachedObject current, Decision decision) {
      CompletableFuture<@Nullable Void> allowed = committer.check(served, key, current, decision);
      if (allowed == null) {
        answer.complete(new Outcome(current, wouldBe(current, decision), decision));
      } else {
        then(
            allowed,
            _ -> answer.complete(new Outcome(current, wouldBe(current, decision), decision)));
      }
    }

    private boolean checkGuard(
        int i, @Nullable CachedObject current, boolean confirmed, int attempts) {
      Guard guard = guards.get(i);
      try {
        guard.check(guardStates[i]);
        return true;
      } catch (ApiException refused) {
        if (guardConfirmed[i]) {
          answer.completeExceptionally(refused);
          return false;
        }
        guardConfirmed[i] = true;
        then(
            newest(guard.served(), guard.key()),
            state -> {
              guardStates[i] = state;
              attempt(current, confirmed, attempts + 1);
            });
        return false;
      }
    }

    /** Looks at the store: was it decided on the newest state? */
    private void confirm(
        @Nullable CachedObject assumed, @Nullable ApiException refused, int attempts) {
      then(
          newest(served, key),
          state -> {
            boolean same =
                state == null
                    ? assumed == null
                    : assumed != null && state.revision() == assumed.revision();
            if (same && refused != null) {
              answer.completeExceptionally(refused);
            } else {
              attempt(state, true, attempts + 1);
            }
          });
    }

    private void commit(@Nullable CachedObject current, Decision decision, int attempts) {
      Bytes storeKey = served.storeKey(key);
      Txn.Builder txn = Txn.builder();
      if (current == null) {
        txn.ifAbsent(storeKey);
      } else {
        txn.ifModRevision(storeKey, current.revision());
      }
      for (int i = 0; i < guards.size(); i++) {
        CachedObject state = guardStates[i];
        if (state != null) {
          Guard guard = guards.get(i);
          txn.ifModRevision(guard.served().storeKey(guard.key()), state.revision());
        }
      }
      if (decision instanceof Decision.Put put) {
        txn.put(storeKey, Bytes.wrap(put.stored()));
      } else {
        txn.delete(storeKey);
      }
      then(
          committer.commit(served, key, current, decision, txn.build()),
          result -> {
            switch (result) {
              case TxnResult.Committed committed ->
                  answer.complete(
                      new Outcome(current, after(current, decision, committed), decision));
              case TxnResult.Rejected rejected -> again(current, rejected, attempts);
            }
          });
    }

    private void again(@Nullable CachedObject current, TxnResult.Rejected rejected, int attempts) {
      if (attempts >= ATTEMPTS_MAX) {
        answer.completeExceptionally(tooOften(rejected).asException());
        return;
      }
      Bytes storeKey = served.storeKey(key);
      CachedObject next = current;
      boolean confirmed = false;
      for (TxnResult.Failure failure : rejected.failures()) {
        KeyValue found = failure.current();
        if (failure.compare().key().equals(storeKey)) {
          next = found == null ? null : served.cache().codec().read(key, found);
          confirmed = true;
        } else {
          takeGuard(failure.compare().key(), found);
          decider.found(failure.compare().key());
        }
      }
      attempt(next, confirmed, attempts + 1);
    }

    /** Two who only share a quota are in no conflict that either could solve. */
    private Status tooOften(TxnResult.Rejected rejected) {
      Bytes storeKey = served.storeKey(key);
      boolean changed =
          rejected.failures().stream()
              .anyMatch(failure -> failure.compare().key().equals(storeKey));
      return changed
          ? Status.conflict(
              served.group(),
              served.plural(),
              key.substring(key.indexOf('/') + 1),
              "it was changed by others " + ATTEMPTS_MAX + " times while this was tried")
          : Status.tooManyRequests(
              "others were faster " + ATTEMPTS_MAX + " times, please try again later", 1);
    }

    private void takeGuard(Bytes failed, @Nullable KeyValue found) {
      for (int i = 0; i < guards.size(); i++) {
        Guard guard = guards.get(i);
        if (guard.served().storeKey(guard.key()).equals(failed)) {
          guardStates[i] =
              found == null ? null : guard.served().cache().codec().read(guard.key(), found);
          guardConfirmed[i] = true;
        }
      }
    }

    private @Nullable CachedObject after(
        @Nullable CachedObject current, Decision decision, TxnResult.Committed committed) {
      return switch (decision) {
        case Decision.Put put ->
            served.cache().codec().written(key, put.stored(), committed.revision());
        case Decision.Delete(var last) when last != null ->
            served.cache().codec().written(key, last, committed.revision());
        case Decision.Delete _ ->
            current == null ? null : served.cache().codec().gone(current, committed.revision());
        case Decision.Keep _ -> current;
      };
    }

    private @Nullable CachedObject wouldBe(@Nullable CachedObject current, Decision decision) {
      return switch (decision) {
        case Decision.Put put ->
            served
                .cache()
                .codec()
                .written(key, put.stored(), current == null ? 0 : current.revision());
        case Decision.Delete(var last) when last != null ->
            served.cache().codec().written(key, last, current == null ? 0 : current.revision());
        case Decision.Delete _, Decision.Keep _ -> current;
      };
    }

    private <T extends @Nullable Object> void then(
        CompletableFuture<T> future, java.util.function.Consumer<T> action) {
      var _ =
          future.whenComplete(
              (value, failure) -> {
                if (failure != null) {
                  answer.completeExceptionally(Failures.translated(failure));
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
}
