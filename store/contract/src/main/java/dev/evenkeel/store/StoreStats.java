package dev.evenkeel.store;

/**
 * Sizes and counts, each as of some moment shortly before.
 *
 * @param revision the newest revision
 * @param compactedRevision below it history is gone; 0 if nothing was compacted
 * @param keys how many keys there are
 * @param keyBytes what their keys add up to; -1 where the engine cannot tell
 * @param valueBytes what their values add up to; -1 where the engine cannot tell
 * @param diskBytes what the engine holds on disk; 0 where it has none
 * @param memoryBytes what the engine itself keeps in memory for keys, cached values and readers
 *     that lag, by its own account; -1 where it cannot tell
 * @param watches open watches
 * @param watchedPrefixes distinct prefixes among them
 * @param pendingCommits transactions handed in and not yet answered
 */
public record StoreStats(
    long revision,
    long compactedRevision,
    long keys,
    long keyBytes,
    long valueBytes,
    long diskBytes,
    long memoryBytes,
    int watches,
    int watchedPrefixes,
    int pendingCommits) {}
