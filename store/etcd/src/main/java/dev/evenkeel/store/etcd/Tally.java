package dev.evenkeel.store.etcd;

import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Where the engine's parts count what {@link EtcdCounters} shows. Any thread may count. */
final class Tally {

  final LongAdder upstreamResumes = new LongAdder();
  final LongAdder historyReads = new LongAdder();
  final LongAdder marksWritten = new LongAdder();
  final LongAdder retries = new LongAdder();
  final LongAdder unansweredWrites = new LongAdder();
  final LongAdder settledWrites = new LongAdder();
  final LongAdder unknownWrites = new LongAdder();
  volatile int upstreamWatches;
  volatile long upstreamRevision;
  private volatile @Nullable String lastError;

  void error(String what) {
    lastError = what;
  }

  EtcdCounters counters() {
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
