package dev.evenkeel.store.testkit.history;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.store.Event;
import dev.evenkeel.store.WatchBatch;
import dev.evenkeel.store.WatchQuery;
import dev.evenkeel.store.testkit.history.History.Delivery;
import dev.evenkeel.store.testkit.history.History.Reader;
import dev.evenkeel.store.testkit.history.History.Session;
import dev.evenkeel.store.testkit.history.Violation.Kind;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Judges what one watcher was told against the list of all changes.
 *
 * <ul>
 *   <li>ordered: revisions of batches never go back, those of commits only grow;
 *   <li>unique: no change comes twice, not even in two watches of a reader that resumed;
 *   <li>reliable and bookmarkable: once a batch names a revision, every change below the prefix up
 *       to it has come;
 *   <li>atomic: a commit holds all of its transaction's changes below the prefix, in one piece;
 *   <li>resumable: a watch from the last batch's revision + 1 goes on without loss or repeat.
 * </ul>
 *
 * Changes behind the end of the history's account are not judged: there is nothing to compare with.
 */
final class WatchCheck {

  private final History history;
  private final Model model;
  private final List<Violation> violations;

  /** What this reader was given so far, over all its watches. */
  private final Set<Long> delivered = new HashSet<>();

  private final Reader reader;
  private long reached;
  private long lastCommit;

  WatchCheck(History history, Model model, Reader reader, List<Violation> violations) {
    this.history = history;
    this.model = model;
    this.reader = reader;
    this.violations = violations;
  }

  void run() {
    for (Session session : reader.sessions()) {
      long from = session.query().fromRevision();
      if (from <= reached) {
        // Not a resumption but a second look: what was seen may rightly be seen again.
        delivered.clear();
      }
      reached = from - 1;
      lastCommit = from - 1;
      for (Delivery delivery : session.deliveries()) {
        check(session.query(), delivery.batch());
      }
    }
    if (reached < reader.mustReach()) {
      report(
          Kind.WATCH_STALLED,
          "came to revision %d and stopped, short of %d".formatted(reached, reader.mustReach()));
    }
  }

  private void check(WatchQuery query, WatchBatch batch) {
    if (batch.revision() < reached) {
      report(
          Kind.WATCH_ORDER,
          "was told that it had come to revision %d, after %d"
              .formatted(batch.revision(), reached));
    }
    for (WatchBatch.Commit commit : batch.commits()) {
      if (commit.revision() <= history.endRevision()) {
        check(query, batch, commit);
      }
    }
    long until = Math.min(batch.revision(), history.endRevision());
    for (Map.Entry<Long, List<Event>> change :
        model.changes().subMap(reached, false, Math.max(reached, until), true).entrySet()) {
      if (!below(query.prefix(), change.getValue()).isEmpty() && delivered.add(change.getKey())) {
        report(
            Kind.WATCH_GAP,
            "was told that it had come to revision %d, but never got %d: %s"
                .formatted(batch.revision(), change.getKey(), change.getValue()));
      }
    }
    reached = Math.max(reached, batch.revision());
  }

  private void check(WatchQuery query, WatchBatch batch, WatchBatch.Commit commit) {
    long revision = commit.revision();
    if (revision > batch.revision()) {
      report(
          Kind.WATCH_ORDER,
          "got revision %d in a batch that reaches only to %d"
              .formatted(revision, batch.revision()));
    }
    List<Event> whole =
        below(
            query.prefix(),
            Objects.requireNonNullElse(model.changes().get(revision), List.<Event>of()));
    List<Event> expected =
        query.withPrevious() ? whole : whole.stream().map(Model::withoutPrevious).toList();
    boolean part =
        expected.containsAll(commit.events()) && commit.events().size() < expected.size();
    if (!delivered.add(revision)) {
      report(
          part ? Kind.WATCH_SPLIT : Kind.WATCH_REPEAT,
          "got revision %d more than once".formatted(revision));
    } else if (revision <= lastCommit) {
      report(Kind.WATCH_ORDER, "got revision %d behind %d".formatted(revision, lastCommit));
    }
    if (part) {
      report(
          Kind.WATCH_SPLIT,
          "got %s of revision %d, which is %s".formatted(commit.events(), revision, expected));
    } else if (!commit.events().equals(expected)) {
      report(
          Kind.WATCH_WRONG_EVENT,
          "got revision %d as %s, but it was %s".formatted(revision, commit.events(), expected));
    }
    lastCommit = Math.max(lastCommit, revision);
  }

  private static List<Event> below(Bytes prefix, List<Event> events) {
    return events.stream().filter(event -> event.key().startsWith(prefix)).toList();
  }

  private void report(Kind kind, String sentence) {
    violations.add(new Violation(kind, "watcher " + reader.name() + " " + sentence));
  }
}
