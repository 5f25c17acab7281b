package dev.evenkeel.store;

import java.util.List;

/**
 * What a watch delivers.
 *
 * @param revision how far the watch has come: every change below its prefix up to and including
 *     this revision is in this batch or in an earlier one. It never goes back
 * @param commits whole transactions in order of revision, each with its changes below the prefix;
 *     empty for a progress mark
 */
public record WatchBatch(long revision, List<Commit> commits) {

  /** One transaction's changes below the watched prefix, in the order it wrote them. */
  public record Commit(long revision, List<Event> events) {}
}
