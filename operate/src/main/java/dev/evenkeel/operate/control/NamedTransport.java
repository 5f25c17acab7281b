package dev.evenkeel.operate.control;

import dev.evenkeel.observe.transport.Answer;
import dev.evenkeel.observe.transport.Header;
import dev.evenkeel.observe.transport.Request;
import dev.evenkeel.observe.transport.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A transport that somebody else keeps, under a name of its own: what is written through it is
 * owned by that name.
 */
final class NamedTransport implements Transport {

  private final Transport transport;
  private final Header agent;

  NamedTransport(Transport transport, String name) {
    this.transport = transport;
    this.agent = new Header("User-Agent", name);
  }

  @Override
  public CompletableFuture<Answer> send(Request request) {
    List<Header> headers = new ArrayList<>(request.headers());
    headers.add(agent);
    return transport.send(
        new Request(
            request.method(),
            request.path(),
            request.query(),
            headers,
            request.body(),
            request.patience()));
  }

  @Override
  public void renew() {
    transport.renew();
  }

  @Override
  public void close() {
    // It is not ours.
  }
}
