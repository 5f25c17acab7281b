package dev.evenkeel.store.etcd.client;

import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Where the engine's parts count what {@link EtcdCounters} shows. Any thread may count. */
public final class LiveEtcdCounters {

  public final LongAdder upstreamResumes = new LongAdder();
  public final LongAdder historyReads = new LongAdder();
  public final LongAdder marksWritten = new LongAdder();
  final LongAdder retries = new LongAdder();
  public final LongAdder unansweredWrites = new LongAdder();
  public final LongAdder settledWrites = new LongAdder();
  public final LongAdder unknownWrites = new LongAdder();
  public volatile int upstreamWatches;
  public volatile long upstreamRevision;
  private volatile @Nullable String lastError;

  public void error(String what) {
    lastError = what;
  }

  public EtcdCounters counters() {
    return new EtcdCounters(
        upstreamWatches,
        upstreamRevision,
        upstreamResumes.sum(),
        historyReads.sum(),
        marksWritten.sum(),
        retries.sum(),
        unansweredWrites.sum(),
        settledWrites.sum(),
        unknownWrites.sum(),
        lastError);
  }
}
