package dev.evenkeel.serve.api;

import java.util.List;

/**
 * An answer.
 *
 * @param headers in order, a name may come twice ({@code Warning})
 */
public record ApiResponse(int status, List<Header> headers, Content content) {

  public ApiResponse {
    headers = List.copyOf(headers);
  }

  /** One header. */
  public record Header(String name, String value) {}

  /** What follows the headers. */
  public sealed interface Content {}

  /** A body that is there as a whole. */
  @SuppressWarnings("ArrayRecordComponent")
  public record Whole(byte[] bytes) implements Content {}

  /**
   * A body that is pulled as the client takes it.
   *
   * @param kind what it is, so that a transport can frame it
   */
  public record Streamed(BodyStream stream, Kind kind) implements Content {}

  /** What a stream is. */
  public enum Kind {
    /** One long body: pieces have no meaning of their own. May be compressed. */
    BODY,
    /** A watch: each piece is one whole event and must leave without waiting for the next. */
    EVENTS
  }
}
