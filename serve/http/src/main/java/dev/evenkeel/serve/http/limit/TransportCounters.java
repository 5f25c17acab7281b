package dev.evenkeel.serve.http.limit;

/** What the transport counts. Every value may be read from any thread, at any time. */
public interface TransportCounters {

  /** Connections open now. */
  long connectionsOpen();

  /** Connections taken since the start. */
  long connectionsTotal();

  /** Connections closed as they came, because there were too many. */
  long connectionsRefusedTotal();

  /** Requests whose answer is not wholly handed to the connection, streams included. */
  long requestsOpen();

  /** Requests since the start. */
  long requestsTotal();

  /** Streamed answers open now, watches for the most part. */
  long streamsOpen();

  /** Requests, answers and connections given up because a time limit passed. */
  long timeoutsTotal();

  /** Bytes of request bodies whose requests are not answered. */
  long pendingBodyBytes();

  /** Bytes read from sockets, as they were encrypted. */
  long bytesReceivedTotal();

  /** Bytes written to sockets, as they were encrypted. */
  long bytesSentTotal();
}
