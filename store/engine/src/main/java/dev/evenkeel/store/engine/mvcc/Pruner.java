package dev.evenkeel.store.engine.mvcc;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.RejectedExecutionException;

/**
 * Removes what compaction has made invisible, a slice at a time, behind the back of everybody else.
 *
 * <p>A worked example. Key k: put at 3, put at 5, deleted at 7, put at 9. Compacting at 7 makes 3
 * and 5 invisible, because a newer version at or below 7 hides each, and 7 too, because a deletion
 * that nothing older can be read behind is the same as nothing. Each change names the version it
 * replaced, so one pass over the journal's changes in (pruned, compacted] finds all of them: 5
 * names 3, 7 names 5, 7 is a deletion. What the change at 9 names, 7, is gone by then, and reads as
 * "not there".
 *
 * <p><b>Invariants.</b> {@code prunedRevision <= compactedRevision}. Nothing is removed that a
 * reader at a pinned revision can see.
 *
 * <p><b>Threading.</b> {@link #prune} scans on the background loop and removes on the sequencer's,
 * which owns the journal's writes. Pins may be taken anywhere.
 */
final class Pruner {

  private static final System.Logger LOG = System.getLogger(Pruner.class.getName());

  /** Changes looked at before the sequencer is asked to remove: bounds its pauses. */
  private static final int SLICE_CHANGES_MAX = 2_000;

  private final Loop background;
  private final Sequencer sequencer;
  private final MvccState state;
  private final Journal journal;

  private long prunedRevision; // background loop
  private boolean running; // background loop
  private final TreeMap<Long, Integer> pins = new TreeMap<>(); // guarded by itself

  Pruner(Loop background, Sequencer sequencer, MvccState state, Journal journal) {
    this.background = background;
    this.sequencer = sequencer;
    this.state = state;
    this.journal = journal;
    this.prunedRevision = journal.prunedRevision();
  }

  /** Keeps the newest revision readable, whatever is compacted, until it is let go. */
  long pin() {
    synchronized (pins) {
      long revision = state.revision();
      pins.merge(revision, 1, Integer::sum);
      return revision;
    }
  }

  void unpin(long revision) {
    synchronized (pins) {
      pins.computeIfPresent(revision, (_, count) -> count == 1 ? null : count - 1);
    }
    prune();
  }

  private long bound() {
    synchronized (pins) {
      long compacted = state.compactedRevision();
      return pins.isEmpty() ? compacted : Math.min(compacted, pins.firstKey());
    }
  }

  /** Starts, or goes on, if there is anything to do. */
  void prune() {
    try {
      background.execute(this::start);
    } catch (RejectedExecutionException _) {
      // Closing: the rest is pruned after the next start.
    }
  }

  private void start() {
    if (!running) {
      running = true;
      slice();
    }
  }

  private void slice() {
    long from = prunedRevision + 1;
    long to = bound();
    if (from > to) {
      running = false;
      return;
    }
    var obsolete = new ArrayList<Journal.Place>();
    var deletions = new ArrayList<KeyChange>();
    long[] last = {0, to}; // how many, and up to which revision
    try {
      journal.scan(
          from,
          to,
          change -> {
            if (last[0] >= SLICE_CHANGES_MAX && change.position() == 0) {
              last[1] = change.revision() - 1;
              return false;
            }
            last[0]++;
            if (change.previousRevision() != 0) {
              obsolete.add(new Journal.Place(change.previousRevision(), change.previousPosition()));
            }
            if (change.value() == null) {
              obsolete.add(new Journal.Place(change.revision(), change.position()));
              deletions.add(change);
            }
            return true;
          });
    } catch (StoreException e) {
      LOG.log(System.Logger.Level.WARNING, "pruning waits for the next compaction", e);
      running = false;
      return;
    }
    long upTo = last[1];
    try {
      sequencer.loop().execute(() -> remove(obsolete, deletions, upTo));
    } catch (RejectedExecutionException _) {
      running = false; // closing
    }
  }

  private void remove(List<Journal.Place> obsolete, List<KeyChange> deletions, long upTo) {
    if (sequencer.isBroken()) {
      return; // what the last append kept is unknown, so is what may go; and nothing is urgent
    }
    var forgotten = new ArrayList<Bytes>();
    for (KeyChange deletion : deletions) {
      if (state.forget(
          deletion.key(), new Journal.Place(deletion.revision(), deletion.position()))) {
        forgotten.add(deletion.key());
      }
    }
    boolean removed;
    try {
      journal.prune(obsolete, forgotten, upTo);
      removed = true;
    } catch (StoreException e) {
      LOG.log(System.Logger.Level.WARNING, "pruning waits for the next compaction", e);
      removed = false;
    }
    boolean goOn = removed;
    try {
      background.execute(() -> removed(goOn, upTo));
    } catch (RejectedExecutionException _) {
      // closing
    }
  }

  private void removed(boolean goOn, long upTo) {
    if (goOn) {
      prunedRevision = upTo;
      slice();
    } else {
      running = false;
    }
  }
}
