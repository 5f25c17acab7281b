package dev.evenkeel.prove.bench.api.load;

import dev.evenkeel.prove.bench.api.wire.Receiver;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One watch: reads of every event its kind, its version and when it was written, and nothing else.
 *
 * <p>Threading: owned by its event loop; looked at by others when that is quiet.
 */
final class Watcher extends Lines implements Receiver {

  /**
   * What the watchers of one event loop share.
   *
   * <p>Threading: owned by the loop, but for the count, which anybody may read.
   */
  static final class Shared {
    final Marker type = new Marker("{\"type\":\"");
    final Marker version = new Marker("\"resourceVersion\":\"");
    final Marker writtenAt = new Marker(LoadObjects.WRITTEN_AT);
    final AtomicLong delivered = new AtomicLong();
    final Runnable opened;

    /** Deliveries of what was written from then on are timed. */
    volatile long timedFromNanos = Long.MAX_VALUE;

    Histogram latencies = new Histogram();

    Shared(Runnable opened) {
      this.opened = opened;
    }
  }

  private static final int SAID_CHARACTERS_MAX = 160;

  private final Shared shared;
  private final History history = new History();
  private boolean answered;
  private volatile @Nullable String ended;

  Watcher(Shared shared) {
    this.shared = shared;
  }

  History history() {
    return history;
  }

  /** Why there will be no more events, if so. */
  @Nullable String ended() {
    return ended;
  }

  @Override
  public void head(int status) {
    if (status != 200) {
      ended = "status " + status;
    }
    answered();
  }

  private void answered() {
    if (!answered) {
      answered = true;
      shared.opened.run();
    }
  }

  @Override
  public void bytes(byte[] bytes, int from, int to) {
    feed(bytes, from, to);
  }

  @Override
  void line(byte[] bytes, int from, int to) {
    int type = shared.type.after(bytes, from, to);
    if (type < 0 || type == to) {
      ended = "a line that is no event: " + said(bytes, from, to);
      return;
    }
    switch (bytes[type]) {
      case 'A', 'M', 'D' -> event(bytes, from, to); // added, modified, deleted
      case 'B' -> {} // a bookmark
      default -> ended = said(bytes, from, to);
    }
  }

  private void event(byte[] bytes, int from, int to) {
    long version = shared.version.number(bytes, from, to);
    if (version < 0) {
      ended = "an event without a version: " + said(bytes, from, to);
      return;
    }
    history.append(version);
    long writtenAt = shared.writtenAt.number(bytes, from, to);
    if (writtenAt >= shared.timedFromNanos) {
      shared.latencies.record(System.nanoTime() - writtenAt);
    }
    // Nobody else writes it, so this needs no atomic addition.
    shared.delivered.setRelease(shared.delivered.getPlain() + 1);
  }

  private static String said(byte[] bytes, int from, int to) {
    int length = Math.min(to - from, SAID_CHARACTERS_MAX);
    return new String(bytes, from, length, StandardCharsets.UTF_8);
  }

  @Override
  public void end() {
    failed(isCut() ? "the watch ended within an event" : "the watch ended");
  }

  @Override
  public void failed(String kind) {
    if (ended == null) {
      ended = kind;
    }
    answered();
  }
}
