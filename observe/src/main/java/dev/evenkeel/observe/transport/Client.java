package dev.evenkeel.observe.transport;

import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.FutureFailure;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.json.JsonException;
import dev.evenkeel.observe.object.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads and writes single objects. A future fails with an {@link ApiException} if the server
 * refused, with an {@link OutcomeUnknownException} if a write may have been carried out or not, and
 * with a {@link TransportException} if nothing was done. It never repeats a request by itself.
 *
 * <p><b>Threading:</b> for any thread; futures are completed on the transport's.
 */
public final class Client {

  /** Longer answers are given up: no single object and no page of a list comes near it. */
  private static final int ANSWER_BYTES_MAX = 256 << 20;

  private final Transport transport;
  private final List<Header> extra;

  public Client(Transport transport) {
    this(transport, List.of());
  }

  private Client(Transport transport, List<Header> extra) {
    this.transport = transport;
    this.extra = extra;
  }

  /** The same, with a header on every write. */
  public Client with(Header header) {
    List<Header> more = new ArrayList<>(extra);
    more.add(header);
    return new Client(transport, List.copyOf(more));
  }

  /** The newest state of one object. */
  public CompletableFuture<ObjectNode> get(Kind<?> kind, String namespace, String name) {
    return call(Request.get(kind.objectPath(namespace, name), ""));
  }

  /** What the server answers to a read of a path that is no object's. */
  public CompletableFuture<ObjectNode> read(String path, Query query) {
    return call(Request.get(path, query.toString()));
  }

  /** Deletes all objects of a kind in a namespace. */
  public CompletableFuture<ObjectNode> deleteAll(
      Kind<?> kind, String namespace, ObjectNode options) {
    return call(
        write(
            "DELETE",
            kind.collectionPath(namespace),
            "",
            "application/json",
            Json.encode(options)));
  }

  /** Writes a part of an object that has a path of its own. */
  public CompletableFuture<ObjectNode> update(
      Kind<?> kind, String namespace, String name, String subresource, ObjectNode object) {
    return call(
        write(
            "PUT",
            kind.objectPath(namespace, name) + "/" + subresource,
            "",
            "application/json",
            Json.encode(object)));
  }

  /**
   * A list as the server sends it.
   *
   * @param namespace empty for all
   */
  public CompletableFuture<ObjectNode> list(Kind<?> kind, String namespace, Query query) {
    return call(Request.get(kind.collectionPath(namespace), query.toString()));
  }

  /**
   * Creates; {@code metadata.generateName} instead of a name makes the outcome hard to read back.
   */
  public CompletableFuture<ObjectNode> create(Kind<?> kind, String namespace, ObjectNode object) {
    return call(
        write("POST", kind.collectionPath(namespace), "", "application/json", Json.encode(object)));
  }

  /** Creates at a path of an object's own, such as a binding at a pod. */
  public CompletableFuture<ObjectNode> create(
      Kind<?> kind, String namespace, String name, String subresource, ObjectNode object) {
    return call(
        write(
            "POST",
            kind.objectPath(namespace, name) + "/" + subresource,
            "",
            "application/json",
            Json.encode(object)));
  }

  /** Replaces the whole object; its {@code resourceVersion}, if it has one, is a condition. */
  public CompletableFuture<ObjectNode> update(
      Kind<?> kind, String namespace, String name, ObjectNode object) {
    return call(
        write(
            "PUT", kind.objectPath(namespace, name), "", "application/json", Json.encode(object)));
  }

  /** Changes what the patch says. */
  public CompletableFuture<ObjectNode> patch(
      Kind<?> kind, String namespace, String name, PatchType type, Bytes patch, Query query) {
    return patch(kind, namespace, name, "", type, patch, query);
  }

  /**
   * Changes a part of an object that has a path of its own.
   *
   * @param subresource for example {@code status}; empty for the object itself
   */
  public CompletableFuture<ObjectNode> patch(
      Kind<?> kind,
      String namespace,
      String name,
      String subresource,
      PatchType type,
      Bytes patch,
      Query query) {
    String path =
        kind.objectPath(namespace, name) + (subresource.isEmpty() ? "" : "/" + subresource);
    return call(write("PATCH", path, query.toString(), type.contentType(), patch.array()));
  }

  /**
   * Deletes.
   *
   * @param options a {@code DeleteOptions}: preconditions, grace, propagation; null for none
   * @return the object as it was, or as it is while finalizers hold it, or a status
   */
  public CompletableFuture<ObjectNode> delete(
      Kind<?> kind, String namespace, String name, @Nullable ObjectNode options) {
    return call(
        write(
            "DELETE",
            kind.objectPath(namespace, name),
            "",
            "application/json",
            options == null ? new byte[0] : Json.encode(options)));
  }

  private Request write(String method, String path, String query, String contentType, byte[] body) {
    List<Header> headers = new ArrayList<>(extra);
    headers.add(new Header("Accept", "application/json"));
    headers.add(new Header("Content-Type", contentType));
    return new Request(method, path, query, headers, Bytes.wrap(body), Request.Patience.ANSWER);
  }

  private CompletableFuture<ObjectNode> call(Request request) {
    CompletableFuture<ObjectNode> result =
        transport
            .send(request)
            .thenCompose(
                answer ->
                    Bodies.whole(answer.body(), ANSWER_BYTES_MAX)
                        .thenApply(bytes -> decoded(request, answer, bytes)));
    return result.exceptionallyCompose(
        failure -> CompletableFuture.failedFuture(told(request, failure)));
  }

  private static ObjectNode decoded(Request request, Answer answer, byte[] bytes) {
    if (!answer.isSuccess()) {
      throw new ApiException(Statuses.of(answer.status(), answer.retryAfterSeconds(), bytes));
    }
    try {
      return Json.parseObject(bytes);
    } catch (JsonException e) {
      throw new TransportException(
          TransportException.Reached.PERHAPS,
          request + ": the answer is no JSON object: " + e.getMessage(),
          e);
    }
  }

  private static Throwable told(Request request, Throwable failure) {
    Throwable cause = FutureFailure.cause(failure);
    boolean unknown =
        switch (cause) {
          case TransportException lost -> lost.reached() == TransportException.Reached.PERHAPS;
          // Somebody on the way, or the server itself, stopped waiting for what was going on.
          case ApiException refused ->
              refused.status().code() == 502 || refused.status().code() == 504;
          default -> false;
        };
    if (unknown && !request.method().equals("GET")) {
      return new OutcomeUnknownException(
          request + ": it is not known whether it was carried out: " + cause.getMessage(), cause);
    }
    return cause;
  }
}
