package dev.evenkeel.store;

import dev.evenkeel.kernel.bytes.Bytes;

/**
 * What to watch.
 *
 * @param prefix what the keys start with; empty for all
 * @param fromRevision the first revision to hear of; to go on from a read at revision R, R + 1. At
 *     most one past the newest
 * @param withPrevious whether events carry the state before them. A previous state that was
 *     compacted in the meantime is null
 */
public record WatchQuery(Bytes prefix, long fromRevision, boolean withPrevious) {

  public static WatchQuery prefix(Bytes prefix, long fromRevision) {
    return new WatchQuery(prefix, fromRevision, false);
  }

  public WatchQuery previousToo() {
    return new WatchQuery(prefix, fromRevision, true);
  }
}
