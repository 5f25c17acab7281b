package dev.evenkeel.serve.http.limit;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** The counters, as the transport fills them. */
public final class LiveCounters implements TransportCounters {

  /** Those that a limit looks at are exact, the others may lag a little. */
  public final AtomicInteger connections = new AtomicInteger();

  public final AtomicLong pendingBody = new AtomicLong();

  public final LongAdder connectionsTaken = new LongAdder();
  public final LongAdder connectionsRefused = new LongAdder();
  public final LongAdder requests = new LongAdder();
  public final LongAdder requestsEnded = new LongAdder();
  public final LongAdder streams = new LongAdder();
  public final LongAdder timeouts = new LongAdder();
  public final LongAdder bytesReceived = new LongAdder();
  public final LongAdder bytesSent = new LongAdder();

  @Override
  public long connectionsOpen() {
    return connections.get();
  }

  @Override
  public long connectionsTotal() {
    return connectionsTaken.sum();
  }

  @Override
  public long connectionsRefusedTotal() {
    return connectionsRefused.sum();
  }

  @Override
  public long requestsOpen() {
    long ended =
        requestsEnded.sum(); // first: a request that comes in between is open, not negative
    return requests.sum() - ended;
  }

  @Override
  public long requestsTotal() {
    return requests.sum();
  }

  @Override
  public long streamsOpen() {
    return streams.sum();
  }

  @Override
  public long timeoutsTotal() {
    return timeouts.sum();
  }

  @Override
  public long pendingBodyBytes() {
    return pendingBody.get();
  }

  @Override
  public long bytesReceivedTotal() {
    return bytesReceived.sum();
  }

  @Override
  public long bytesSentTotal() {
    return bytesSent.sum();
  }
}
