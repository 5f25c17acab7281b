package dev.evenkeel.serve.read;

import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.serve.api.BodyStream;
import dev.evenkeel.serve.cache.EventFrame;
import dev.evenkeel.serve.cache.Representation;

/** A watch that is over before it began: one event that says why. */
final class LastEvent implements BodyStream {

  private final EventFrame frame;
  private final byte[] status;
  private boolean told;

  LastEvent(Representation representation, Status status) {
    this.frame = representation.frame();
    this.status = representation.status(status);
  }

  @Override
  public Pull pull(Sink sink, int bytesMax) {
    if (!told) {
      told = true;
      sink.piece(frame.head(EventFrame.Type.ERROR, status.length), status, frame.tail());
    }
    return Pull.END;
  }

  @Override
  public void onReady(Runnable whenReady) {
    whenReady.run();
  }

  @Override
  public void close() {
    // Holds nothing.
  }
}
