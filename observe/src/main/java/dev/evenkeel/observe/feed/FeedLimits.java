package dev.evenkeel.observe.feed;

import java.time.Duration;

/**
 * The limits of a feed.
 *
 * @param silence after so long without event or bookmark a watch is taken for dead and replaced;
 *     servers send a bookmark about once a minute
 * @param quiet after so long without event or bookmark a watch is looked after, if others that
 *     follow the same server are further
 * @param behind after so long without a version that somebody waits for, a watch is replaced
 * @param answer so long a request may take until its answer begins, and a list's until its next
 *     piece
 * @param watchTime how long a watch is asked to last, up to twice as long by chance, so that feeds
 *     do not come back all at once
 * @param backoffFirst how long to wait after a first failure; it doubles with each, and up to half
 *     of it is left to chance
 * @param backoffMax the longest wait
 * @param pageItems how many objects a page of a list may have
 * @param eventBytesMax a longer event is taken for damage
 * @param listBytesMax a longer page of a list is taken for damage
 */
public record FeedLimits(
    Duration silence,
    Duration quiet,
    Duration behind,
    Duration answer,
    Duration watchTime,
    Duration backoffFirst,
    Duration backoffMax,
    int pageItems,
    int eventBytesMax,
    int listBytesMax) {

  public static final FeedLimits DEFAULTS =
      new FeedLimits(
          Duration.ofMinutes(3),
          Duration.ofSeconds(20),
          Duration.ofSeconds(2),
          Duration.ofSeconds(60),
          Duration.ofMinutes(5),
          Duration.ofMillis(500),
          Duration.ofSeconds(30),
          500,
          64 << 20,
          1 << 30);
}
