package dev.evenkeel.serve.http.exchange;

import dev.evenkeel.serve.api.BodyStream;
import dev.evenkeel.serve.http.buffer.Staging;
import dev.evenkeel.serve.http.lane.Lane;
import dev.evenkeel.serve.http.lane.LaneTask;

/**
 * Pulls a stream as fast as its client takes it.
 *
 * <p><b>Invariants.</b> No more is pulled while the answer's share of its connection or more is
 * written and not yet taken by the socket, so a client that does not read holds that much and one
 * piece. The stream is closed once, when it ended or the exchange did.
 *
 * <p><b>Threading.</b> The lane's event loop; {@link #run}, which the stream calls when it has
 * something, may come from any thread.
 */
abstract class StreamPump extends LaneTask implements BodyStream.Sink, Runnable {

  /** After so much the other connections of the event loop have their turn. */
  private static final int TURN_BYTES_MAX = 8 * Staging.BYTES;

  final Exchange exchange;
  final Lane lane;
  private final BodyStream stream;
  private final long stallNanosMax;
  private int outstandingBytes;
  private boolean full;
  private boolean released;
  private long progressNanos;
  private long writtenBytes;

  StreamPump(Exchange exchange, BodyStream stream, long stallNanosMax) {
    this.exchange = exchange;
    this.lane = exchange.lane;
    this.stream = stream;
    this.stallNanosMax = stallNanosMax;
  }

  /** Writes what was pulled; more may follow at once, or later. */
  abstract void push();

  /** Writes what was pulled, as the end. */
  abstract void pushLast();

  /** The stream has something again. */
  @Override
  public final void run() {
    lane.wake(this);
  }

  @Override
  protected final void turn() {
    long turnEnd = writtenBytes + TURN_BYTES_MAX;
    int share = exchange.connection.outstandingBytesMax();
    while (!released) {
      if (outstandingBytes >= share) {
        full = true;
        return;
      }
      long writtenBefore = writtenBytes;
      BodyStream.Pull pull = stream.pull(this, Math.min(share, Staging.BYTES));
      if (released) {
        lane.staging.clear();
        return;
      }
      if (pull == BodyStream.Pull.END) {
        pushLast();
      } else {
        push();
      }
      if (released) {
        return;
      }
      switch (pull) {
        case END -> {
          exchange.end();
          return;
        }
        case WAIT -> {
          stream.onReady(this);
          return;
        }
        case MORE -> {
          // A pull that gave nothing was work too: it went through what it did not show.
          boolean idle = writtenBytes == writtenBefore;
          if (writtenBytes >= turnEnd || idle || yieldsAfterEachPull()) {
            lane.goOn(this);
            return;
          }
        }
      }
    }
  }

  @Override
  protected final void abandon() {
    exchange.cut();
  }

  /** Whether a pull is so much work that others must not wait for a second one. */
  boolean yieldsAfterEachPull() {
    return false;
  }

  final void writing(int bytes) {
    if (outstandingBytes == 0) {
      progressNanos = lane.clock.nanoTime();
    }
    outstandingBytes += bytes;
    writtenBytes += bytes;
  }

  /** The socket has taken so many bytes, or never will. */
  final void written(int bytes) {
    outstandingBytes -= bytes;
    progressNanos = lane.clock.nanoTime();
    if (full && outstandingBytes < exchange.connection.outstandingBytesMax()) {
      full = false;
      lane.goOn(this);
    }
  }

  final boolean isStalled(long nowNanos) {
    return outstandingBytes > 0 && nowNanos - progressNanos > stallNanosMax;
  }

  final boolean released() {
    return released;
  }

  /** The exchange is over. */
  void release() {
    if (!released) {
      released = true;
      stream.close();
    }
  }
}
