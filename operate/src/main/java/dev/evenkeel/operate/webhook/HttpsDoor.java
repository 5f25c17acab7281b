package dev.evenkeel.operate.webhook;

import dev.evenkeel.kernel.env.FutureFailure;
import dev.evenkeel.observe.http.ConfigurationException;
import dev.evenkeel.observe.http.HttpSettings;
import dev.evenkeel.observe.http.Identity;
import dev.evenkeel.observe.http.Tls;
import dev.evenkeel.serve.webhook.Outside;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * Calls over HTTPS and HTTP/1.1, as upstream does. Connections stay open for the next call.
 *
 * <p>Neither redirects nor proxies are followed: what is sent holds whole objects, secrets
 * included, and goes to the address that was configured and to nobody else.
 *
 * <p><b>Invariants:</b> at most {@link #CLIENTS_MAX} clients are kept, one for each authority and
 * name to trust; the one that was not used for longest makes room.
 *
 * <p><b>Threading:</b> any; the clients are kept under the lock.
 */
public final class HttpsDoor implements Outside, AutoCloseable {

  static final int CLIENTS_MAX = 64;

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  private record Trusted(@Nullable String authorityPem, @Nullable String serverName) {}

  /** Those used last are last. */
  private final Map<Trusted, HttpClient> clients = new LinkedHashMap<>(16, 0.75f, true);

  private boolean closed;

  @Override
  public CompletableFuture<Answer> post(Address address, Message message) {
    HttpClient client;
    HttpRequest request;
    try {
      client = client(new Trusted(address.authorityPem(), address.serverName()));
      request =
          HttpRequest.newBuilder(uri(address))
              .header("Content-Type", "application/json")
              .header("Accept", "application/json")
              .timeout(message.timeout())
              .POST(HttpRequest.BodyPublishers.ofByteArray(message.body()))
              .build();
    } catch (ConfigurationException | IllegalArgumentException | IllegalStateException e) {
      return CompletableFuture.failedFuture(new CallException(String.valueOf(e.getMessage())));
    }
    var answer = new CompletableFuture<Answer>();
    send(client, request, message.answerBytesMax(), answer, true);
    return answer;
  }

  /**
   * @param again whether it is sent once more if a connection that was kept turns out to be closed
   */
  private static void send(
      HttpClient client,
      HttpRequest request,
      int bytesMax,
      CompletableFuture<Answer> answer,
      boolean again) {
    CompletableFuture<HttpResponse<byte[]>> call =
        client.sendAsync(
            request,
            HttpResponse.BodyHandlers.limiting(HttpResponse.BodyHandlers.ofByteArray(), bytesMax));
    // Whoever is no longer interested ends the call.
    var _ = answer.whenComplete((_, _) -> call.cancel(true));
    var _ =
        call.whenComplete(
            (response, failure) -> {
              if (failure == null) {
                answer.complete(new Answer(response.statusCode(), response.body()));
              } else if (again && !answer.isDone() && isOfKeptConnection(failure)) {
                send(client, request, bytesMax, answer, false);
              } else {
                answer.completeExceptionally(new CallException(text(failure, bytesMax)));
              }
            });
  }

  /** The other side may close a connection at the moment in which it is used again. */
  private static boolean isOfKeptConnection(Throwable failure) {
    Throwable cause = FutureFailure.cause(failure);
    String said = String.valueOf(cause.getMessage());
    return cause instanceof IOException
        && !(cause instanceof HttpTimeoutException)
        && !(cause instanceof ConnectException)
        && !(cause instanceof SSLException)
        && (said.contains("received no bytes")
            || said.contains("Connection reset")
            || said.contains("Broken pipe"));
  }

  /** In the words that users know from elsewhere, where there are some. */
  private static String text(Throwable failure, int bytesMax) {
    Throwable cause = FutureFailure.cause(failure);
    if (cause instanceof HttpTimeoutException) {
      return "context deadline exceeded";
    }
    for (Throwable e = cause; e != null; e = e.getCause()) {
      if (e instanceof UnresolvedAddressException || e instanceof UnknownHostException) {
        return "dial tcp: lookup: no such host";
      }
    }
    if (cause instanceof ConnectException) {
      return "connect: connection refused";
    }
    String deepest = cause.toString();
    for (Throwable e = cause; e != null; e = e.getCause()) {
      String said = e.getMessage();
      if (said != null && !said.isBlank()) {
        deepest = said.lines().findFirst().orElse(said);
      }
    }
    if (deepest.contains("capacity")) {
      return "the answer is longer than " + bytesMax + " bytes";
    }
    return cause instanceof SSLException ? "tls: " + deepest : deepest;
  }

  private static URI uri(Address address) {
    String host = address.host();
    boolean bare = host.indexOf(':') >= 0 && !host.startsWith("[");
    return URI.create(
        "https://" + (bare ? "[" + host + "]" : host) + ":" + address.port() + address.path());
  }

  private HttpClient client(Trusted trusted) {
    List<HttpClient> left = new ArrayList<>(0);
    HttpClient found;
    synchronized (clients) {
      if (closed) {
        throw new IllegalStateException("the server is shutting down");
      }
      found = clients.get(trusted);
      if (found == null) {
        found = newClient(trusted);
        clients.put(trusted, found);
        while (clients.size() > CLIENTS_MAX) {
          var eldest = clients.entrySet().iterator();
          left.add(eldest.next().getValue());
          eldest.remove();
        }
      }
    }
    // Ends when the calls that are under way on it have ended.
    left.forEach(HttpClient::shutdown);
    return found;
  }

  private static HttpClient newClient(Trusted trusted) {
    var settings =
        HttpSettings.of(
            URI.create("https://webhook"),
            new HttpSettings.Trust(trusted.authorityPem, trusted.serverName, false),
            new Identity.Anonymous());
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .proxy(HttpClient.Builder.NO_PROXY)
            .connectTimeout(CONNECT_TIMEOUT)
            .sslContext(Tls.context(settings));
    if (trusted.serverName != null) {
      var parameters = new SSLParameters();
      parameters.setServerNames(List.of(new SNIHostName(trusted.serverName)));
      builder.sslParameters(parameters);
    }
    return builder.build();
  }

  @Override
  public void close() {
    List<HttpClient> all;
    synchronized (clients) {
      closed = true;
      all = List.copyOf(clients.values());
      clients.clear();
    }
    all.forEach(HttpClient::shutdownNow);
  }
}
