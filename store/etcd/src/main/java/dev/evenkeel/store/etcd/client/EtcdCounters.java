package dev.evenkeel.store.etcd.client;

import org.jspecify.annotations.Nullable;

/**
 * What the engine went through since it was opened: its health, for people and for metrics.
 *
 * @param upstreamWatches open watches on etcd that feed ours: 0 without watches, else 1
 * @param upstreamRevision how far that one has come
 * @param upstreamResumes how often it was opened again after it was lost or found stuck
 * @param historyReads reads of history for watches that lag
 * @param marksWritten writes of the mark key, made to see how far the watch has come
 * @param retries attempts of requests beyond the first
 * @param unansweredWrites writes that were sent and got no answer
 * @param settledWrites those of them whose outcome was found by reading back
 * @param unknownWrites those that were reported as unknown
 * @param lastError the newest error in dealing with etcd; null if there was none
 */
public record EtcdCounters(
    int upstreamWatches,
    long upstreamRevision,
    long upstreamResumes,
    long historyReads,
    long marksWritten,
    long retries,
    long unansweredWrites,
    long settledWrites,
    long unknownWrites,
    @Nullable String lastError) {}
