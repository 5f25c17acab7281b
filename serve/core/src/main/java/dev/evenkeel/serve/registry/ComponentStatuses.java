package dev.evenkeel.serve.registry;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.serve.api.ApiResponse;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.cache.Scope;
import dev.evenkeel.serve.call.Call;
import dev.evenkeel.serve.present.ListStream;
import dev.evenkeel.serve.present.Presentation;
import dev.evenkeel.serve.read.Reads;
import dev.evenkeel.serve.read.Scopes;
import dev.evenkeel.serve.resource.Served;
import dev.evenkeel.serve.write.Writes;
import dev.evenkeel.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Supplier;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * How the parts of a control plane are: the store, and whoever said of itself that it runs beside
 * the server. Nothing of it is stored; each question is answered anew.
 */
final class ComponentStatuses {

  private static final String STORE = "etcd-0";

  /** Upstream's names, in upstream's order. */
  private static final List<String> EXPECTED = List.of("scheduler", "controller-manager");

  private final Store store;
  private final Map<String, Supplier<String>> parts = new ConcurrentSkipListMap<>();

  ComponentStatuses(Store store) {
    this.store = store;
  }

  static boolean areServed(Served served) {
    return served.group().isEmpty() && served.plural().equals("componentstatuses");
  }

  /**
   * Shows another part.
   *
   * @param fault what is wrong with it; empty if nothing is
   */
  void add(String name, Supplier<String> fault) {
    parts.put(name, fault);
  }

  CompletableFuture<ApiResponse> answer(Call call, Served served, String verb) {
    return store
        .currentRevision()
        .handle((_, failure) -> failure == null ? "" : "it does not answer")
        .thenApply(fault -> answer(call, served, verb, all(served, fault)));
  }

  private static ApiResponse answer(Call call, Served served, String verb, List<CachedObject> all) {
    if (verb.equals("get")) {
      String name = call.target().name();
      for (CachedObject one : all) {
        if (one.name().equals(name)) {
          return Reads.answer(call, served, 200, one);
        }
      }
      throw Status.notFound(served.group(), served.plural(), name).asException();
    }
    Scope scope = Scopes.of(call, served);
    Presentation presentation = Reads.presentation(call, served);
    return call.answer(
        presentation,
        ListStream.of(
            presentation,
            new Presentation.ListMeta(0, null, -1),
            all.stream().filter(scope::matches).toList()));
  }

  private List<CachedObject> all(Served served, String storeFault) {
    List<CachedObject> all = new ArrayList<>(EXPECTED.size() + 1);
    for (String name : EXPECTED) {
      Supplier<String> part = parts.get(name);
      all.add(component(served, name, part == null ? "it does not run here" : part.get()));
    }
    all.add(component(served, STORE, storeFault));
    return all;
  }

  private static CachedObject component(Served served, String name, String fault) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    object.put("apiVersion", "v1").put("kind", "ComponentStatus");
    Meta.of(object).put("name", name);
    object
        .putArray("conditions")
        .addObject()
        .put("type", "Healthy")
        .put("status", fault.isEmpty() ? "True" : "False")
        .put("message", fault.isEmpty() ? "ok" : fault);
    return served.cache().codec().written(name, Writes.stored(served, object), 0);
  }
}
