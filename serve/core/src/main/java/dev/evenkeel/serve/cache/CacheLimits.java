package dev.evenkeel.serve.cache;

import java.time.Duration;

/**
 * What a kind's cache may hold and how long it makes anyone wait.
 *
 * @param windowEventsMax how many changes a watcher may lag behind
 * @param windowBytesMax what their objects may add up to
 * @param windowAge changes younger than that are kept, as far as the two limits above allow
 * @param windowEventsMin so many are kept however old they are
 * @param snapshotsMax how many earlier states are kept for reads at an exact version
 * @param resumeRevisions how far back a starting cache reads history, so that watchers can resume
 *     across a restart
 * @param waitMax how long a read waits for a version
 * @param bookmarkInterval how often a watcher that asked for bookmarks gets one
 * @param watchesMax open watches of one kind
 */
public record CacheLimits(
    int windowEventsMax,
    long windowBytesMax,
    Duration windowAge,
    int windowEventsMin,
    int snapshotsMax,
    int resumeRevisions,
    Duration waitMax,
    Duration bookmarkInterval,
    int watchesMax) {

  public static final CacheLimits DEFAULTS =
      new CacheLimits(
          100_000,
          16L << 20,
          Duration.ofSeconds(75),
          100,
          1_000,
          2_000,
          Duration.ofSeconds(3),
          Duration.ofSeconds(60),
          20_000);

  public CacheLimits withWindowEventsMax(int other) {
    return new CacheLimits(
        other,
        windowBytesMax,
        windowAge,
        windowEventsMin,
        snapshotsMax,
        resumeRevisions,
        waitMax,
        bookmarkInterval,
        watchesMax);
  }

  public CacheLimits withWindowBytesMax(long other) {
    return new CacheLimits(
        windowEventsMax,
        other,
        windowAge,
        windowEventsMin,
        snapshotsMax,
        resumeRevisions,
        waitMax,
        bookmarkInterval,
        watchesMax);
  }

  public CacheLimits withWindowAge(Duration other) {
    return new CacheLimits(
        windowEventsMax,
        windowBytesMax,
        other,
        windowEventsMin,
        snapshotsMax,
        resumeRevisions,
        waitMax,
        bookmarkInterval,
        watchesMax);
  }

  public CacheLimits withWaitMax(Duration other) {
    return new CacheLimits(
        windowEventsMax,
        windowBytesMax,
        windowAge,
        windowEventsMin,
        snapshotsMax,
        resumeRevisions,
        other,
        bookmarkInterval,
        watchesMax);
  }

  public CacheLimits withWatchesMax(int other) {
    return new CacheLimits(
        windowEventsMax,
        windowBytesMax,
        windowAge,
        windowEventsMin,
        snapshotsMax,
        resumeRevisions,
        waitMax,
        bookmarkInterval,
        other);
  }
}
