package dev.evenkeel.serve.webhook;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The only door to the network outside. Safe to use from any thread; never blocks the caller. */
public interface Outside {

  /** Of a server that calls nobody. */
  Outside CLOSED =
      (_, _) ->
          CompletableFuture.failedFuture(
              new CallException("this server was not given a way to call out"));

  /**
   * Where to call.
   *
   * @param host a name or an address
   * @param path with the query
   * @param serverName what the server's certificate must name; null for the host
   * @param authorityPem who must vouch for it; null for those whom the machine trusts
   */
  record Address(
      String host,
      int port,
      String path,
      @Nullable String serverName,
      @Nullable String authorityPem) {}

  /**
   * What to say.
   *
   * @param body JSON
   * @param timeout for all of it, the answer's last byte included
   * @param answerBytesMax an answer that is longer is a failure
   */
  @SuppressWarnings("ArrayRecordComponent") // handed over, never compared
  record Message(byte[] body, Duration timeout, int answerBytesMax) {}

  /** What was answered, whatever the status. Redirects are not followed. */
  @SuppressWarnings("ArrayRecordComponent") // handed over, never compared
  record Answer(int status, byte[] body) {}

  /** Says in words that users understand why a call failed. */
  final class CallException extends Exception {
    private static final long serialVersionUID = 1;

    public CallException(String message) {
      super(message, null, false, false);
    }
  }

  /**
   * Posts the message. The future fails with a {@link CallException}; whoever cancels it is no
   * longer interested, and the call is ended.
   */
  CompletableFuture<Answer> post(Address address, Message message);
}
