package dev.evenkeel.store;

/**
 * What a snapshot holds.
 *
 * @param revision the revision of the state in it
 * @param keys how many
 * @param bytes the file's size
 */
public record SnapshotInfo(long revision, long keys, long bytes) {}
