package dev.evenkeel.store;

import java.util.List;

/**
 * Keys in order, all as of one revision.
 *
 * @param revision the revision that was read: the one asked for, or the newest
 * @param more whether the limit left some out; the next page starts at the last key's successor
 * @param count how many items there are here, or how many match where only the count was asked for
 */
public record RangeResult(long revision, List<KeyValue> items, boolean more, long count) {}
