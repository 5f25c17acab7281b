package dev.evenkeel.serve.write;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.resource.Served;
import dev.evenkeel.store.KeyValue;
import dev.evenkeel.store.Store;
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
    var one =
        new JointDecider() {
          @Override
          public List<Decision> decide(List<@Nullable CachedObject> currents) {
            return List.of(decider.decide(currents.getFirst()));
          }

          @Override
          public void found(Bytes key) {
            decider.found(key);
          }
        };
    return writeAll(served, List.of(key), dryRun, guards, one).thenApply(List::getFirst);
  }

  /** Decides on the current states of all; null stands for an object that is not there. */
  interface JointDecider {

    /** What to do with each. May be called again. */
    List<Decision> decide(List<@Nullable CachedObject> currents);

    /** As {@link Decider#found}. */
    default void found(Bytes key) {}
  }

  /**
   * Decides on several objects of one kind and namespace and writes all of them, in one
   * transaction, or none; with {@code dryRun} only decides.
   */
  CompletableFuture<List<Outcome>> writeAll(
      Served served, List<String> keys, boolean dryRun, List<Guard> guards, JointDecider decider) {
    return new WriteAttempt(store, committer, served, keys, dryRun, guards, decider).begin();
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
}
