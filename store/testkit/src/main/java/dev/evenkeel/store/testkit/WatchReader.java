package dev.evenkeel.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.store.Event;
import dev.evenkeel.store.Watch;
import dev.evenkeel.store.WatchBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Reads a watch to some revision and checks on the way what holds for every watch: revisions only
 * grow, a batch reaches at least as far as its commits, and no commit is empty.
 */
final class WatchReader implements AutoCloseable {

  private final Watch watch;
  private long reached;
  private long lastCommit;

  WatchReader(Watch watch) {
    this.watch = watch;
  }

  /** How far the watch has come. */
  long reached() {
    return reached;
  }

  Watch watch() {
    return watch;
  }

  CompletableFuture<WatchBatch> next() {
    return watch.next();
  }

  /** The next batch, whatever it is. */
  WatchBatch batch() {
    return checked(ContractPart.await(watch.next()));
  }

  /** The next batch that holds changes. */
  WatchBatch changes() {
    long deadline = deadline();
    WatchBatch batch = batch();
    while (batch.commits().isEmpty()) {
      checkTime(deadline);
      batch = batch();
    }
    return batch;
  }

  /** All commits from where the watch stands up to the revision. */
  List<WatchBatch.Commit> commitsUntil(long revision) {
    var commits = new ArrayList<WatchBatch.Commit>();
    if (reached < revision) {
      watch.requestProgress();
    }
    long deadline = deadline();
    while (reached < revision) {
      checkTime(deadline);
      commits.addAll(batch().commits());
    }
    return commits;
  }

  // A watch that answers at once, again and again, and gets nowhere must fail its test, not hang
  // it.

  private static long deadline() {
    return System.nanoTime() + TimeUnit.SECONDS.toNanos(ContractPart.BOUND_SECONDS);
  }

  private void checkTime(long deadline) {
    if (System.nanoTime() > deadline) {
      throw new AssertionError("the watch does not get past revision " + reached);
    }
  }

  /** The same as short text, one line a commit: {@code 5: put a=1, delete b}. */
  List<String> linesUntil(long revision) {
    return commitsUntil(revision).stream().map(WatchReader::line).toList();
  }

  static String line(WatchBatch.Commit commit) {
    return commit.revision()
        + ": "
        + String.join(", ", commit.events().stream().map(WatchReader::text).toList());
  }

  static String text(Event event) {
    return switch (event) {
      case Event.Put put -> "put " + put.key() + "=" + put.current().value();
      case Event.Delete delete -> "delete " + delete.key();
    };
  }

  private WatchBatch checked(WatchBatch batch) {
    assertThat(batch.revision()).as("the batch's revision").isGreaterThanOrEqualTo(reached);
    for (WatchBatch.Commit commit : batch.commits()) {
      assertThat(commit.revision()).as("the commit's revision").isGreaterThan(lastCommit);
      assertThat(commit.revision()).isGreaterThan(reached);
      assertThat(commit.events()).as("the commit's events").isNotEmpty();
      lastCommit = commit.revision();
    }
    assertThat(batch.revision()).isGreaterThanOrEqualTo(lastCommit);
    reached = batch.revision();
    return batch;
  }

  @Override
  public void close() {
    watch.close();
  }
}
