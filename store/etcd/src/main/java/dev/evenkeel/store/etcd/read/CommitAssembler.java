package dev.evenkeel.store.etcd.read;

import dev.evenkeel.store.Event;
import dev.evenkeel.store.KeyValue;
import dev.evenkeel.store.WatchBatch.Commit;
import dev.evenkeel.store.etcd.client.Keyspace;
import io.etcd.jetcd.api.Event.EventType;
import io.etcd.jetcd.api.WatchResponse;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Puts a watch's answers together to whole transactions. An answer may hold several revisions; one
 * that was too large comes in fragments, cut anywhere. etcd never spreads a revision over two
 * answers otherwise.
 *
 * <p><b>Invariants.</b> The position only grows. All transactions up to it that the watch covers
 * have been handed out, whole, once. It moves by events, and by the progress notices that etcd
 * sends by itself on the watch: those queue behind the events. The answer to a progress request
 * does not (etcd issue 15220), nor does an answer's header say that all before it has come; neither
 * is used.
 *
 * <p><b>Threading.</b> Its owner's.
 */
final class CommitAssembler {

  private final Keyspace keyspace;
  private long position;
  private long openRevision;
  private List<Event> open = new ArrayList<>();

  /** Begins behind the position: what is not newer is dropped. */
  CommitAssembler(Keyspace keyspace, long position) {
    this.keyspace = keyspace;
    this.position = position;
  }

  long position() {
    return position;
  }

  /**
   * The transactions that the answer completes; those with nothing but the mark key are passed
   * over.
   *
   * @throws IllegalStateException if revisions go back
   */
  List<Commit> add(WatchResponse response) {
    if (response.getCreated() || response.getCanceled()) {
      return List.of();
    }
    var whole = new ArrayList<Commit>();
    for (io.etcd.jetcd.api.Event event : response.getEventsList()) {
      long revision = event.getKv().getModRevision();
      if (revision <= position) {
        continue;
      }
      if (revision != openRevision) {
        if (revision < openRevision) {
          throw new IllegalStateException(
              "etcd sent revision " + revision + " behind " + openRevision);
        }
        finish(whole);
        openRevision = revision;
      }
      if (!keyspace.isMark(event.getKv().getKey())) {
        open.add(event(event));
      }
    }
    if (!Fragments.goesOn(response)) {
      finish(whole);
      // Watch id -1 answers a request for progress, which this engine does not send.
      if (response.getEventsCount() == 0 && response.getWatchId() >= 0) {
        position = Math.max(position, response.getHeader().getRevision());
      }
    }
    return whole;
  }

  private void finish(List<Commit> whole) {
    if (openRevision == 0) {
      return;
    }
    if (!open.isEmpty()) {
      whole.add(new Commit(openRevision, List.copyOf(open)));
      open = new ArrayList<>();
    }
    position = openRevision;
    openRevision = 0;
  }

  private Event event(io.etcd.jetcd.api.Event event) {
    @Nullable KeyValue previous = event.hasPrevKv() ? keyspace.keyValue(event.getPrevKv()) : null;
    return event.getType() == EventType.DELETE
        ? new Event.Delete(keyspace.key(event.getKv().getKey()), previous)
        : new Event.Put(keyspace.keyValue(event.getKv()), previous);
  }
}
