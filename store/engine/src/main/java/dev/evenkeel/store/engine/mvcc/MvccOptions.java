package dev.evenkeel.store.engine.mvcc;

import dev.evenkeel.store.StoreLimits;
import dev.evenkeel.store.engine.watch.FeedLimits;

/**
 * A local engine's settings.
 *
 * @param limits what a request may hold
 * @param feedLimits what a watched prefix may hold
 * @param pendingCommitsMax transactions waiting for the sequencer; more are refused as Unavailable
 * @param pendingBytesMax the same in bytes
 * @param batchBytesMax how much one journal append takes at the most
 * @param valueCacheBytesMax values kept in memory; the others are read from the journal. {@link
 *     Long#MAX_VALUE} for no limit, where the journal is in memory itself
 * @param progressIntervalMillis how often watches of quiet prefixes are told of the revision, while
 *     the store changes
 */
public record MvccOptions(
    StoreLimits limits,
    FeedLimits feedLimits,
    int pendingCommitsMax,
    long pendingBytesMax,
    long batchBytesMax,
    long valueCacheBytesMax,
    long progressIntervalMillis) {

  public static final MvccOptions DEFAULTS =
      new MvccOptions(
          StoreLimits.LOCAL_DEFAULTS,
          FeedLimits.DEFAULTS,
          65_536,
          256L << 20,
          4L << 20,
          Runtime.getRuntime().maxMemory() / 4,
          5_000);

  public MvccOptions withLimits(StoreLimits changed) {
    return new MvccOptions(
        changed,
        feedLimits,
        pendingCommitsMax,
        pendingBytesMax,
        batchBytesMax,
        valueCacheBytesMax,
        progressIntervalMillis);
  }

  public MvccOptions withValueCacheBytesMax(long changed) {
    return new MvccOptions(
        limits,
        feedLimits,
        pendingCommitsMax,
        pendingBytesMax,
        batchBytesMax,
        changed,
        progressIntervalMillis);
  }

  public MvccOptions withPendingCommitsMax(int changed) {
    return new MvccOptions(
        limits,
        feedLimits,
        changed,
        pendingBytesMax,
        batchBytesMax,
        valueCacheBytesMax,
        progressIntervalMillis);
  }

  public MvccOptions withFeedLimits(FeedLimits changed) {
    return new MvccOptions(
        limits,
        changed,
        pendingCommitsMax,
        pendingBytesMax,
        batchBytesMax,
        valueCacheBytesMax,
        progressIntervalMillis);
  }
}
