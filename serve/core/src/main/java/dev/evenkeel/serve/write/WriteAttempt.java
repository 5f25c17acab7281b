package dev.evenkeel.serve.write;

import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.resource.Served;
import dev.evenkeel.serve.write.Authority.Decision;
import dev.evenkeel.serve.write.Authority.Guard;
import dev.evenkeel.serve.write.Authority.Outcome;
import dev.evenkeel.serve.write.WriteCommitter.Part;
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
 * One write on its way, of one object or of several of a kind and namespace: decide, confirm,
 * commit, again. It is decided on the cache first. What is refused, or is to stay as it is, is
 * decided once more on the store's own states, all of one revision, unless they are the same.
 *
 * <p><b>Threading:</b> one thread at a time.
 */
final class WriteAttempt {

  /** Clients that keep changing one object: each round one of them wins, so this many may meet. */
  private static final int ROUNDS_MAX = 200;

  private final Store store;
  private final WriteCommitter committer;
  private final Served served;
  private final List<String> keys;
  private final boolean dryRun;
  private final List<Guard> guards;
  private final Authority.JointDecider decider;
  private final CompletableFuture<List<Outcome>> answer = new CompletableFuture<>();
  private final @Nullable CachedObject[] states;

  /** Whether the states are the store's, of one revision, and not the cache's. */
  private boolean confirmed;

  private final @Nullable CachedObject[] guardStates;
  private final boolean[] guardConfirmed;
  private int rounds;

  WriteAttempt(
      Store store,
      WriteCommitter committer,
      Served served,
      List<String> keys,
      boolean dryRun,
      List<Guard> guards,
      Authority.JointDecider decider) {
    this.store = store;
    this.committer = committer;
    this.served = served;
    this.keys = keys;
    this.dryRun = dryRun;
    this.guards = guards;
    this.decider = decider;
    this.states = new CachedObject[keys.size()];
    this.guardStates = new CachedObject[guards.size()];
    this.guardConfirmed = new boolean[guards.size()];
  }

  /** Answers with what became of each object, in the order of the keys. */
  CompletableFuture<List<Outcome>> begin() {
    var tree = served.cache().newest().tree();
    for (int i = 0; i < states.length; i++) {
      states[i] = tree.get(keys.get(i));
    }
    for (int i = 0; i < guardStates.length; i++) {
      Guard guard = guards.get(i);
      guardStates[i] = guard.served().cache().newest().tree().get(guard.key());
    }
    decide();
    return answer;
  }

  private void decide() {
    List<Decision> decisions;
    try {
      for (int i = 0; i < guards.size(); i++) {
        if (!checkGuard(i)) {
          return;
        }
      }
      decisions = decider.decide(Arrays.asList(states));
    } catch (ApiException refused) {
      confirm(refused);
      return;
    } catch (RuntimeException | StackOverflowError e) {
      answer.completeExceptionally(e);
      return;
    }
    if (decisions.stream().allMatch(Decision.Keep.class::isInstance)) {
      if (confirmed) {
        answer.complete(outcomes(decisions, 0));
      } else {
        confirm(null);
      }
    } else if (dryRun) {
      tryOut(decisions);
    } else {
      commit(decisions);
    }
  }

  private boolean checkGuard(int i) {
    Guard guard = guards.get(i);
    try {
      guard.check(guardStates[i]);
      return true;
    } catch (ApiException refused) {
      if (guardConfirmed[i]) {
        answer.completeExceptionally(refused);
        return false;
      }
      then(
          read(guard.served(), guard.key(), Store.NEWEST),
          found -> {
            guardStates[i] = found;
            guardConfirmed[i] = true;
            decide();
          });
      return false;
    }
  }

  /**
   * Looks at the store: was it decided on the newest states?
   *
   * @param refused null if all were to stay as they are
   */
  private void confirm(@Nullable ApiException refused) {
    if (confirmed && refused != null) {
      answer.completeExceptionally(refused);
      return;
    }
    if (tooOften()) {
      return;
    }
    then(
        newest(),
        found -> {
          boolean same = true;
          for (int i = 0; i < states.length; i++) {
            CachedObject state = found[i];
            CachedObject assumed = states[i];
            same &=
                state == null
                    ? assumed == null
                    : assumed != null && state.revision() == assumed.revision();
            states[i] = state;
          }
          confirmed = true;
          if (same && refused != null) {
            answer.completeExceptionally(refused);
          } else {
            decide();
          }
        });
  }

  /** All as of one revision, which is that of the first. */
  private CompletableFuture<@Nullable CachedObject[]> newest() {
    @Nullable CachedObject[] found = new CachedObject[keys.size()];
    return store
        .get(served.storeKey(keys.getFirst()), Store.NEWEST)
        .thenCompose(
            first -> {
              found[0] = state(served, keys.getFirst(), first.item());
              CompletableFuture<?>[] rest = new CompletableFuture<?>[keys.size() - 1];
              for (int i = 1; i < keys.size(); i++) {
                int index = i;
                rest[i - 1] =
                    read(served, keys.get(i), first.revision())
                        .thenAccept(state -> found[index] = state);
              }
              return CompletableFuture.allOf(rest);
            })
        .thenApply(_ -> found);
  }

  private CompletableFuture<@Nullable CachedObject> read(Served of, String key, long revision) {
    return store.get(of.storeKey(key), revision).thenApply(found -> state(of, key, found.item()));
  }

  private static @Nullable CachedObject state(Served of, String key, @Nullable KeyValue found) {
    return found == null ? null : of.cache().codec().read(key, found);
  }

  // ---- dry runs

  private void tryOut(List<Decision> decisions) {
    List<Part> parts = parts(decisions);
    Txn claimed = committer.claimed(served, parts);
    if (claimed == null) {
      check(parts, decisions);
      return;
    }
    then(
        store.commit(claimed),
        result -> {
          if (result instanceof TxnResult.Rejected rejected) {
            again(rejected);
          } else {
            check(parts, decisions);
          }
        });
  }

  private void check(List<Part> parts, List<Decision> decisions) {
    then(committer.check(served, parts), _ -> answer.complete(outcomes(decisions, 0)));
  }

  // ---- writes

  private List<Part> parts(List<Decision> decisions) {
    if (states.length == 1) {
      return List.of(new Part(keys.getFirst(), states[0], decisions.getFirst()));
    }
    List<Part> parts = new ArrayList<>(states.length);
    for (int i = 0; i < states.length; i++) {
      if (!(decisions.get(i) instanceof Decision.Keep)) {
        parts.add(new Part(keys.get(i), states[i], decisions.get(i)));
      }
    }
    return parts;
  }

  private void commit(List<Decision> decisions) {
    Txn.Builder txn = Txn.builder();
    for (int i = 0; i < states.length; i++) {
      Bytes storeKey = served.storeKey(keys.get(i));
      CachedObject state = states[i];
      if (state == null) {
        txn.ifAbsent(storeKey);
      } else {
        txn.ifModRevision(storeKey, state.revision());
      }
      switch (decisions.get(i)) {
        case Decision.Put put -> txn.put(storeKey, Bytes.wrap(put.stored()));
        case Decision.Delete _ -> txn.delete(storeKey);
        case Decision.Keep _ -> {}
      }
    }
    for (int i = 0; i < guardStates.length; i++) {
      CachedObject state = guardStates[i];
      if (state != null) {
        Guard guard = guards.get(i);
        txn.ifModRevision(guard.served().storeKey(guard.key()), state.revision());
      }
    }
    then(
        committer.commit(served, parts(decisions), txn.build()),
        result -> {
          switch (result) {
            case TxnResult.Committed committed ->
                answer.complete(outcomes(decisions, committed.revision()));
            case TxnResult.Rejected rejected -> again(rejected);
          }
        });
  }

  /** What the rejection shows is what it is decided on: all of that was so at one revision. */
  private void again(TxnResult.Rejected rejected) {
    boolean changed = false;
    for (TxnResult.Failure failure : rejected.failures()) {
      changed |= take(failure);
    }
    confirmed = changed;
    if (!tooOften(changed)) {
      decide();
    }
  }

  /** Whether it is one of the objects that changed, and not what was to stay as it was. */
  private boolean take(TxnResult.Failure failure) {
    Bytes failed = failure.compare().key();
    for (int i = 0; i < states.length; i++) {
      if (served.storeKey(keys.get(i)).equals(failed)) {
        states[i] = state(served, keys.get(i), failure.current());
        return true;
      }
    }
    for (int i = 0; i < guardStates.length; i++) {
      Guard guard = guards.get(i);
      if (guard.served().storeKey(guard.key()).equals(failed)) {
        guardStates[i] = state(guard.served(), guard.key(), failure.current());
        guardConfirmed[i] = true;
      }
    }
    decider.found(failed);
    return false;
  }

  private boolean tooOften() {
    return tooOften(false);
  }

  /** Two who only share a quota are in no conflict that either could solve. */
  private boolean tooOften(boolean changed) {
    if (rounds++ < ROUNDS_MAX) {
      return false;
    }
    Status status =
        changed && keys.size() == 1
            ? Status.conflict(
                served.group(),
                served.plural(),
                keys.getFirst().substring(keys.getFirst().indexOf('/') + 1),
                "it was changed by others " + ROUNDS_MAX + " times while this was tried")
            : Status.tooManyRequests(
                "others were faster " + ROUNDS_MAX + " times, please try again later", 1);
    answer.completeExceptionally(status.asException());
    return true;
  }

  // ---- answers

  /**
   * @param revision 0 if nothing was written: then each keeps the one it has
   */
  private List<Outcome> outcomes(List<Decision> decisions, long revision) {
    List<Outcome> outcomes = new ArrayList<>(states.length);
    for (int i = 0; i < states.length; i++) {
      CachedObject before = states[i];
      Decision decision = decisions.get(i);
      long version = revision > 0 || before == null ? revision : before.revision();
      outcomes.add(new Outcome(before, after(i, decision, version, revision > 0), decision));
    }
    return outcomes;
  }

  private @Nullable CachedObject after(int i, Decision decision, long version, boolean written) {
    CachedObject before = states[i];
    return switch (decision) {
      case Decision.Put put -> served.cache().codec().written(keys.get(i), put.stored(), version);
      case Decision.Delete(var last) when last != null ->
          served.cache().codec().written(keys.get(i), last, version);
      case Decision.Delete _ when written ->
          before == null ? null : served.cache().codec().gone(before, version);
      case Decision.Delete _, Decision.Keep _ -> before;
    };
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
