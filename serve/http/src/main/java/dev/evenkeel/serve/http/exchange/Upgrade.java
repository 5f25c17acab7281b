package dev.evenkeel.serve.http.exchange;

import dev.evenkeel.serve.api.BodyStream;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request that wants to go on as a WebSocket. The core is asked as for any other; only a watch
 * that it grants becomes one, everything else is answered in plain HTTP.
 *
 * <p>Browsers cannot set headers here, so a bearer token may come as one of the subprotocols.
 */
final class Upgrade {

  private static final String PROTOCOLS = "sec-websocket-protocol";
  private static final String TOKEN_PREFIX = "base64url.bearer.authorization.k8s.io.";

  private final HttpServerRequest request;
  private final Map<String, String> headers;
  private @Nullable String protocol;

  Upgrade(HttpServerRequest request) {
    this.request = request;
    this.headers = new HashMap<>(new RequestHeaders(request.headers()));
    readProtocols();
  }

  static boolean isWanted(HttpServerRequest request) {
    return request.version() == HttpVersion.HTTP_1_1
        && request.method().equals(HttpMethod.GET)
        && "websocket".equalsIgnoreCase(request.getHeader(HttpHeaders.UPGRADE));
  }

  private void readProtocols() {
    for (String line : request.headers().getAll(PROTOCOLS)) {
      for (String word : line.split(",", -1)) {
        String asked = word.strip();
        if (asked.startsWith(TOKEN_PREFIX)) {
          readToken(asked.substring(TOKEN_PREFIX.length()));
        } else if (protocol == null && !asked.isEmpty()) {
          protocol = asked;
        }
      }
    }
  }

  private void readToken(String encoded) {
    try {
      byte[] token = Base64.getUrlDecoder().decode(encoded);
      headers.putIfAbsent("authorization", "Bearer " + new String(token, StandardCharsets.UTF_8));
    } catch (IllegalArgumentException e) {
      // No token, then: the core will say what is missing.
    }
  }

  /** The request's headers, with the token where one belongs. */
  Map<String, String> headers() {
    return Map.copyOf(headers);
  }

  /** Shakes hands and starts to send. */
  void accept(Exchange exchange, BodyStream stream) {
    if (protocol != null) {
      exchange.response.putHeader(PROTOCOLS, protocol);
    }
    request
        .toWebSocket()
        .onComplete(
            socket -> {
              if (exchange.ended()) {
                stream.close();
                socket.close();
                return;
              }
              socket.closeHandler(_ -> exchange.gone());
              socket.exceptionHandler(_ -> exchange.gone());
              exchange.pump(new WebSocketPump(exchange, stream, socket));
            },
            _ -> {
              // The handshake was malformed, and Vert.x has said so.
              stream.close();
              exchange.end();
            });
  }
}
