package dev.evenkeel.store.engine.watch;

/**
 * How much a feed holds and hands out.
 *
 * @param windowEventsMax events kept for readers that lag; whoever lags more reads history
 * @param windowBytesMax the same in bytes of keys and values
 * @param batchEventsMax after how many events a batch ends, at the next whole transaction
 * @param batchBytesMax after how many bytes of keys and values it does
 */
public record FeedLimits(
    int windowEventsMax, long windowBytesMax, int batchEventsMax, long batchBytesMax) {

  public static final FeedLimits DEFAULTS = new FeedLimits(8192, 16L << 20, 1024, 4L << 20);
}
