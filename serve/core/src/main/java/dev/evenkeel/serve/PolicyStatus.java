package dev.evenkeel.serve;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.schema.Schema;
import dev.evenkeel.kernel.tree.SortedTree;
import dev.evenkeel.serve.api.ApiHandler;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.cache.KindCache;
import dev.evenkeel.serve.kinds.policy.TypeCheck;
import dev.evenkeel.serve.registry.ResourceTable;
import dev.evenkeel.serve.registry.Served;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Says in the status of each policy what its expressions ask for and their data cannot have.
 *
 * <p><b>Invariants:</b> a generation is looked at once; a write that fails is tried again when the
 * policy changes, or after a while.
 *
 * <p><b>Threading:</b> all on its loop.
 */
final class PolicyStatus implements AutoCloseable {

  private static final String PATH =
      "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";

  /** Upstream's name for it. */
  private static final String MANAGER = "validatingadmissionpolicy-status";

  private static final Duration AGAIN = Duration.ofSeconds(5);

  private final ApiHandler server;
  private final ResourceTable resources;
  private final Loop loop;
  private final KindCache policies;
  private final AtomicBoolean looking = new AtomicBoolean();

  PolicyStatus(Env env, ApiHandler server, ResourceTable resources) {
    this.server = server;
    this.resources = resources;
    this.loop = env.loop("policy-status");
    this.policies =
        resources.at("admissionregistration.k8s.io", "v1", "validatingadmissionpolicies").cache();
  }

  void start() {
    var _ =
        policies
            .ready()
            .thenAccept(
                _ -> {
                  policies.follow(this::changed);
                  changed();
                });
  }

  private void changed() {
    if (looking.compareAndSet(false, true)) {
      onLoop(this::look);
    }
  }

  private void onLoop(Runnable task) {
    try {
      loop.execute(task);
    } catch (RejectedExecutionException e) {
      // The server is closing: nobody needs it any more.
    }
  }

  private void look() {
    looking.set(false);
    SortedTree.Walk<CachedObject> walk = policies.newest().tree().from("");
    CachedObject object;
    while ((object = walk.next()) != null) {
      ObjectNode policy = Json.parseObject(object.json());
      long generation = policy.path("metadata").path("generation").asLong(0);
      JsonNode seen = policy.path("status").path("observedGeneration");
      if (seen.isMissingNode() || seen.asLong(0) != generation) {
        write(object.name(), policy, generation);
      }
    }
  }

  private void write(String name, ObjectNode policy, long generation) {
    ObjectNode applied = JsonNodeFactory.instance.objectNode();
    applied.set("apiVersion", policy.path("apiVersion"));
    applied.set("kind", policy.path("kind"));
    applied.putObject("metadata").put("name", name);
    ObjectNode status = applied.putObject("status");
    status.put("observedGeneration", generation);
    ObjectNode checked = status.putObject("typeChecking");
    List<TypeCheck.Warning> warnings = TypeCheck.of(policy, new Kinds());
    if (!warnings.isEmpty()) {
      ArrayNode list = checked.putArray("expressionWarnings");
      for (TypeCheck.Warning warning : warnings) {
        list.addObject().put("fieldRef", warning.field()).put("warning", warning.text());
      }
    }
    var _ =
        server
            .handle(OwnRequests.applyStatus(PATH + "/" + name, MANAGER, Json.encode(applied)))
            .whenComplete(
                (response, failure) -> {
                  if (failure != null || (response.status() >= 300 && response.status() != 404)) {
                    later();
                  }
                });
  }

  private void later() {
    try {
      loop.runLater(AGAIN, this::changed);
    } catch (RejectedExecutionException e) {
      // The server is closing: nobody needs it any more.
    }
  }

  private final class Kinds implements TypeCheck.Kinds {

    @Override
    public @Nullable Gvk at(String group, String version, String plural) {
      Served served = resources.find(group, version, plural);
      return served == null ? null : served.gvk();
    }

    @Override
    public Schema.@Nullable Struct schema(Gvk gvk) {
      Served served = resources.byKind(gvk);
      return served == null ? null : served.definition().schema();
    }
  }

  @Override
  public void close() {
    loop.close();
  }
}
