package dev.evenkeel.decide.run;

import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.env.FutureFailure;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kind;
import dev.evenkeel.observe.object.ObjectReader;
import dev.evenkeel.observe.object.Trim;
import dev.evenkeel.observe.transport.Client;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Reads objects from the server itself, for decisions that a cache is too old for. */
final class ServerReader {

  private final Client client;

  ServerReader(Client client) {
    this.client = client;
  }

  /** The newest state of an object, null if it is not there; fails if that cannot be told. */
  CompletableFuture<@Nullable Cached<?>> read(Plan.Question question) {
    return client
        .get(question.kind(), question.namespace(), question.name())
        .<@Nullable Cached<?>>thenApply(tree -> cached(question.kind(), tree))
        .exceptionallyCompose(
            failure ->
                FutureFailure.cause(failure) instanceof ApiException refused
                        && refused.status().code() == 404
                    ? CompletableFuture.completedFuture(null)
                    : CompletableFuture.failedFuture(failure));
  }

  private static <T> Cached<T> cached(Kind<T> kind, ObjectNode tree) {
    byte[] json = Json.encode(tree);
    return new ObjectReader<>(kind, Trim.MANAGED_FIELDS).read(json, 0, json.length);
  }
}
