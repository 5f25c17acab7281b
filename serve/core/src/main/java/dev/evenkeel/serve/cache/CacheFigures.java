package dev.evenkeel.serve.cache;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * What a cache tells about itself.
 *
 * <p><b>Threading:</b> written by the cache's loop (the adders from anywhere), read by anyone.
 */
public final class CacheFigures {

  public volatile long revision;
  public volatile long oldestCursor;
  public volatile int objects;
  public volatile long objectBytes;
  public volatile int windowEvents;
  public volatile long windowBytes;
  public volatile int watchers;
  public final LongAdder events = new LongAdder();
  public final LongAdder sent = new LongAdder();
  public final LongAdder relists = new LongAdder();
  public final LongAdder upstreamFailures = new LongAdder();
  public final LongAdder watchesRefused = new LongAdder();
  public final LongAdder watchesTooOld = new LongAdder();
  private final Map<Watcher.End, LongAdder> ended = new EnumMap<>(Watcher.End.class);

  CacheFigures() {
    for (Watcher.End why : Watcher.End.values()) {
      ended.put(why, new LongAdder());
    }
  }

  void ended(Watcher.End why) {
    ended.getOrDefault(why, new LongAdder()).increment();
  }

  public long endedBecause(Watcher.End why) {
    return ended.getOrDefault(why, new LongAdder()).sum();
  }
}
