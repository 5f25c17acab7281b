package dev.evenkeel.serve.kinds.rules.pod;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import tools.jackson.databind.node.ObjectNode;

/**
 * Specs that were found valid lately. What is the same is valid again, and need not be judged.
 *
 * <p><b>Invariants:</b> holds copies, which nobody changes; no more than {@link #PLACES}. A spec is
 * kept when it comes for the second time: a pod that is like no other costs no copy.
 *
 * <p><b>Threading:</b> any thread. Two who write at once may lose one of both, which is judged
 * again then.
 */
final class ValidSpecs {

  private static final int PLACES = 64;

  private final AtomicIntegerArray seen = new AtomicIntegerArray(PLACES);
  private final AtomicReferenceArray<Entry> kept = new AtomicReferenceArray<>(PLACES);

  private record Entry(int hash, ObjectNode spec) {}

  boolean contains(ObjectNode spec) {
    int hash = spec.hashCode();
    Entry entry = kept.get(place(hash));
    return entry != null && entry.hash == hash && entry.spec.equals(spec);
  }

  void add(ObjectNode spec) {
    int hash = spec.hashCode();
    int place = place(hash);
    if (seen.getAndSet(place, hash) == hash) {
      kept.set(place, new Entry(hash, spec.deepCopy()));
    }
  }

  private static int place(int hash) {
    return Math.floorMod(hash ^ (hash >>> 16), PLACES);
  }
}
