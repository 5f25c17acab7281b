package dev.evenkeel.store;

import org.jspecify.annotations.Nullable;

/**
 * One key, as of one revision.
 *
 * @param revision the revision that was read: the one asked for, or the newest
 * @param item null if the key was not there
 */
public record GetResult(long revision, @Nullable KeyValue item) {}
