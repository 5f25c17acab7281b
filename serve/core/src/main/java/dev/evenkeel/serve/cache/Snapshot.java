package dev.evenkeel.serve.cache;

/**
 * A kind's state.
 *
 * @param revision it is the state at this revision, though the last change may be older
 */
public record Snapshot(long revision, ObjectTree tree) {}
