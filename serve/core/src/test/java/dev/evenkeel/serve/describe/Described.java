package dev.evenkeel.serve.describe;

import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.kernel.env.SimulatedEnv;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.serve.api.ApiRequest;
import dev.evenkeel.serve.api.ApiResponse;
import dev.evenkeel.serve.api.PlainAnswer;
import dev.evenkeel.serve.cache.CacheLimits;
import dev.evenkeel.serve.cache.KindCache;
import dev.evenkeel.serve.kinds.ResourceDefinition;
import dev.evenkeel.serve.kinds.catalog.Catalog;
import dev.evenkeel.serve.present.Presentations;
import dev.evenkeel.serve.request.Query;
import dev.evenkeel.serve.resource.ResourceTable;
import dev.evenkeel.serve.resource.Served;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.memory.MemoryStore;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import tools.jackson.databind.node.ObjectNode;

/** The built-in kinds with their descriptions, in a simulation. */
final class Described implements AutoCloseable {

  private final SimulatedEnv env = new SimulatedEnv(1);
  private final Store store = MemoryStore.open(env);
  private final Loop loop = env.loop("watch-cache");
  private final ResourceTable table = new ResourceTable();
  private final OpenApi openApi = new OpenApi(env, table, "v1.34.0");

  Described() {
    this(Catalog.builtIn());
  }

  Described(Collection<ResourceDefinition> definitions) {
    serve(definitions);
  }

  /** Something that is made from what is served here. */
  <T> CachedDocument<T> remade(CachedDocument.Maker<T> maker) {
    return new CachedDocument<>(env, table, maker);
  }

  AggregatedDiscovery aggregated() {
    return new AggregatedDiscovery(env, table);
  }

  /** Does what was begun. */
  void run() {
    env.runFor(Duration.ofMillis(1));
  }

  /** Serves what a user's definition says, or no longer. */
  void define(String name, Collection<ResourceDefinition> definitions) {
    table.define(name, definitions.stream().map(this::served).toList());
  }

  void serve(Collection<ResourceDefinition> definitions) {
    table.add(definitions, this::served);
  }

  private Served served(ResourceDefinition definition) {
    String prefix = "/registry/" + definition.group() + "/" + definition.plural() + "/";
    var cache =
        new KindCache(
            env,
            loop,
            store,
            definition.gvk(),
            Bytes.utf8(prefix),
            definition.selectableFields(),
            CacheLimits.DEFAULTS,
            _ -> {});
    return new Served(definition, prefix, cache, new Presentations(definition, env.clock()));
  }

  ApiResponse get(String pathAndQuery, Map<String, String> headers) {
    int question = pathAndQuery.indexOf('?');
    String path = question < 0 ? pathAndQuery : pathAndQuery.substring(0, question);
    String query = question < 0 ? "" : pathAndQuery.substring(question + 1);
    CompletableFuture<ApiResponse> answer =
        openApi.answer(
            new ApiRequest("GET", path, query, headers, null, ApiRequest.Body.NONE),
            List.of(path.substring("/openapi/".length()).split("/", -1)),
            Query.parse(query));
    env.runFor(Duration.ofMillis(1));
    return answer.join();
  }

  /** The code of the answer, also where it is a refusal. */
  int code(String path, Map<String, String> headers) {
    try {
      return get(path, headers).status();
    } catch (ApiException e) {
      return e.status().code();
    } catch (PlainAnswer e) {
      return e.response().status();
    } catch (CompletionException e) {
      if (e.getCause() instanceof PlainAnswer plain) {
        return plain.response().status();
      }
      if (e.getCause() instanceof ApiException refused) {
        return refused.status().code();
      }
      throw e;
    }
  }

  byte[] bytes(String path, Map<String, String> headers) {
    return ((ApiResponse.Whole) get(path, headers).content()).bytes();
  }

  ObjectNode json(String path) {
    return Json.parseObject(bytes(path, Map.of()));
  }

  static String header(ApiResponse response, String name) {
    return response.headers().stream()
        .filter(header -> header.name().equalsIgnoreCase(name))
        .map(ApiResponse.Header::value)
        .findFirst()
        .orElse("");
  }

  @Override
  public void close() {
    store.close();
  }
}
