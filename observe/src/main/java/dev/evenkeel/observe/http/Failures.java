package dev.evenkeel.observe.http;

import dev.evenkeel.kernel.env.FutureFailure;
import dev.evenkeel.observe.transport.TransportException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import javax.net.ssl.SSLHandshakeException;

/** What went wrong on the way, in words, and how far the request may have come. */
final class Failures {

  private Failures() {}

  static TransportException told(String request, Throwable failure) {
    Throwable cause = FutureFailure.cause(failure);
    if (cause instanceof TransportException known) {
      return known;
    }
    return new TransportException(
        neverSent(cause) ? TransportException.Reached.NOTHING : TransportException.Reached.PERHAPS,
        request + ": " + text(cause),
        cause);
  }

  /** Without a connection nothing was sent. Whatever else fails may have been carried out. */
  private static boolean neverSent(Throwable cause) {
    for (Throwable e = cause; e != null; e = e.getCause()) {
      if (e instanceof ConnectException
          || e instanceof HttpConnectTimeoutException
          || e instanceof UnknownHostException
          || e instanceof UnresolvedAddressException
          || e instanceof SSLHandshakeException
          || e instanceof ConfigurationException) {
        return true;
      }
    }
    return false;
  }

  /** One line, never empty. */
  static String text(Throwable failure) {
    if (failure instanceof ConfigurationException own) {
      return String.valueOf(own.getMessage());
    }
    String deepest = null;
    for (Throwable e = failure; e != null; e = e.getCause()) {
      if (e.getMessage() != null && !e.getMessage().isBlank()) {
        deepest =
            e.getClass().getSimpleName() + ": " + e.getMessage().lines().findFirst().orElse("");
      }
    }
    return deepest == null ? failure.getClass().getSimpleName() : deepest;
  }
}
