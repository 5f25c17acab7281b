package dev.evenkeel.prove.bench.api.wire;

/**
 * Takes one answer, on the event loop of its connection: {@link #head} once, {@link #bytes} as they
 * come, then {@link #end}; or, at any time, {@link #failed} and nothing after it.
 */
public interface Receiver {

  void head(int status);

  /** A part of the body, valid during this call only. */
  void bytes(byte[] bytes, int from, int to);

  void end();

  /**
   * There will be no (further) answer.
   *
   * @param kind what happened, in words that are the same for the same kind of failure
   */
  void failed(String kind);
}
