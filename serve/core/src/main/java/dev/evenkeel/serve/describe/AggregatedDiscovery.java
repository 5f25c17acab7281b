package dev.evenkeel.serve.describe;

import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.serve.api.ApiRequest;
import dev.evenkeel.serve.api.ApiResponse;
import dev.evenkeel.serve.resource.ResourceTable;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Answers requests for discovery in the aggregated form. It tells of all kinds at once, and every
 * client asks for it when it starts, so it is made once for all of them. Threading: any.
 */
public final class AggregatedDiscovery {

  private static final String TYPE =
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

  private final CachedDocument<Document> core;
  private final CachedDocument<Document> groups;

  public AggregatedDiscovery(Env env, ResourceTable resources) {
    var discovery = new Discovery(resources);
    this.core = new CachedDocument<>(env, resources, (_, _) -> document(discovery, true));
    this.groups = new CachedDocument<>(env, resources, (_, _) -> document(discovery, false));
  }

  private static Document document(Discovery discovery, boolean core) {
    return Document.of(List.of(Chunk.of(List.of(Json.encode(discovery.aggregated(core))), "")));
  }

  /**
   * Answers a request.
   *
   * @param ofCore whether it is for {@code /api}, not {@code /apis}
   */
  public CompletableFuture<ApiResponse> answer(ApiRequest request, boolean ofCore) {
    return (ofCore ? core : groups)
        .current()
        .thenApply(document -> OpenApi.respond(request, document, TYPE, false));
  }
}
