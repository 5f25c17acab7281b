package dev.evenkeel.serve.quota;

import dev.evenkeel.store.Store;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The registers of namespaces as this server knows them: hints, for whatever rests on one compares
 * its revision.
 *
 * <p><b>Threading:</b> any thread.
 */
final class Registers {

  /** Beyond it all are dropped: they are soon found again. */
  private static final int NAMESPACES_MAX = 50_000;

  private final ConcurrentHashMap<String, Known> known = new ConcurrentHashMap<>();

  private final Store store;

  /**
   * @param asOf the store's revision at which it was so
   */
  record Known(Register register, long asOf) {

    Known newer(Known other) {
      return other.asOf > asOf ? other : this;
    }
  }

  Registers(Store store) {
    this.store = store;
  }

  /** An empty one if nothing is known. */
  Register of(String namespace) {
    Known found = known.get(namespace);
    return found == null ? Register.NONE : found.register;
  }

  /** Takes over a register that the store showed, unless a newer one is known. */
  void learn(String namespace, Register register, long asOfRevision) {
    if (known.size() >= NAMESPACES_MAX) {
      known.clear();
    }
    known.merge(namespace, new Known(register, asOfRevision), Known::newer);
  }

  /** As the store has it, or had it. */
  CompletableFuture<Known> read(String namespace, long revision) {
    return store
        .get(Register.key(namespace), revision)
        .thenApply(
            found -> {
              Register register = Register.of(found.item());
              learn(namespace, register, found.revision());
              return new Known(register, found.revision());
            });
  }
}
