package dev.evenkeel.serve.http.limit;

import java.time.Duration;

/**
 * What the transport takes from its clients.
 *
 * @param connectionsMax open connections; more are closed as they come
 * @param streamsPerConnectionMax requests at once on one HTTP/2 connection, watches included
 * @param requestLineBytesMax an HTTP/1.1 request line
 * @param headerBytesMax all headers of a request
 * @param bodyBytesMax one request's body
 * @param pendingBodyBytesMax bodies of all requests that are not answered yet
 * @param gzipBytesMin from which size an answer is compressed, if the client takes that
 * @param handshakeTimeout how long the TLS handshake may take
 * @param headersTimeout how long a new connection may take to its first whole request headers
 * @param idleTimeout how long a connection may have no request, which bounds the headers of later
 *     ones as well: bytes that make no request do not count
 * @param bodyTimeout how long a request's body may take
 * @param stallTimeout how long a client may take nothing of an answer
 * @param watchStallTimeout the same for a watch, whose clients may sleep for a while
 */
public record HttpLimits(
    int connectionsMax,
    int streamsPerConnectionMax,
    int requestLineBytesMax,
    int headerBytesMax,
    int bodyBytesMax,
    long pendingBodyBytesMax,
    int gzipBytesMin,
    Duration handshakeTimeout,
    Duration headersTimeout,
    Duration idleTimeout,
    Duration bodyTimeout,
    Duration stallTimeout,
    Duration watchStallTimeout) {

  public static final HttpLimits DEFAULTS =
      new HttpLimits(
          20_000,
          10_000,
          64 << 10,
          64 << 10,
          3 << 20,
          64L << 20,
          128 << 10,
          Duration.ofSeconds(10),
          Duration.ofSeconds(10),
          Duration.ofSeconds(90),
          Duration.ofSeconds(30),
          Duration.ofSeconds(30),
          Duration.ofMinutes(5));

  public HttpLimits withConnectionsMax(int changed) {
    return new HttpLimits(
        changed,
        streamsPerConnectionMax,
        requestLineBytesMax,
        headerBytesMax,
        bodyBytesMax,
        pendingBodyBytesMax,
        gzipBytesMin,
        handshakeTimeout,
        headersTimeout,
        idleTimeout,
        bodyTimeout,
        stallTimeout,
        watchStallTimeout);
  }

  public HttpLimits withBodyBytesMax(int one, long pending) {
    return new HttpLimits(
        connectionsMax,
        streamsPerConnectionMax,
        requestLineBytesMax,
        headerBytesMax,
        one,
        pending,
        gzipBytesMin,
        handshakeTimeout,
        headersTimeout,
        idleTimeout,
        bodyTimeout,
        stallTimeout,
        watchStallTimeout);
  }

  /** All time limits the same, but the one for watches: what a test wants. */
  public HttpLimits withTimeouts(Duration all) {
    return new HttpLimits(
        connectionsMax,
        streamsPerConnectionMax,
        requestLineBytesMax,
        headerBytesMax,
        bodyBytesMax,
        pendingBodyBytesMax,
        gzipBytesMin,
        all,
        all,
        all,
        all,
        all,
        watchStallTimeout);
  }
}
