package dev.evenkeel.serve.resident;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.schema.Schema;
import dev.evenkeel.kernel.tree.SortedTree;
import dev.evenkeel.serve.api.ApiHandler;
import dev.evenkeel.serve.api.ApiResponse;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.cache.KindCache;
import dev.evenkeel.serve.kinds.policy.TypeCheck;
import dev.evenkeel.serve.resource.ResourceTable;
import dev.evenkeel.serve.resource.Served;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
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
 * <p><b>Threading:</b> all on the follower's loop.
 */
public final class PolicyStatus implements AutoCloseable {

  private static final String PATH =
      "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";

  /** By whose name what is found is written. */
  private static final String MANAGER = "validatingadmissionpolicy-status";

  private final ApiHandler server;
  private final ResourceTable resources;
  private final KindCache policies;
  private final CacheFollower follower;

  public PolicyStatus(Env env, ApiHandler server, ResourceTable resources) {
    this.server = server;
    this.resources = resources;
    this.policies =
        resources.at("admissionregistration.k8s.io", "v1", "validatingadmissionpolicies").cache();
    this.follower = new CacheFollower(env, "policy-status", List.of(policies), this::look);
  }

  public void start() {
    follower.start();
  }

  private List<CompletableFuture<ApiResponse>> look() {
    List<CompletableFuture<ApiResponse>> writes = new ArrayList<>();
    SortedTree.Walk<CachedObject> walk = policies.newest().tree().from("");
    CachedObject object;
    while ((object = walk.next()) != null) {
      ObjectNode policy = Json.parseObject(object.json());
      long generation = policy.path("metadata").path("generation").asLong(0);
      JsonNode seen = policy.path("status").path("observedGeneration");
      if (seen.isMissingNode() || seen.asLong(0) != generation) {
        writes.add(write(object.name(), policy, generation));
      }
    }
    return writes;
  }

  private CompletableFuture<ApiResponse> write(String name, ObjectNode policy, long generation) {
    ObjectNode applied = JsonNodeFactory.instance.objectNode();
    applied
        .put("apiVersion", "admissionregistration.k8s.io/v1")
        .put("kind", "ValidatingAdmissionPolicy");
    applied.putObject("metadata").put("name", name);
    ObjectNode status = applied.putObject("status").put("observedGeneration", generation);
    ObjectNode checked = status.putObject("typeChecking");
    List<TypeCheck.Warning> warnings = TypeCheck.of(policy, new Kinds());
    if (!warnings.isEmpty()) {
      ArrayNode list = checked.putArray("expressionWarnings");
      for (TypeCheck.Warning warning : warnings) {
        list.addObject().put("fieldRef", warning.field()).put("warning", warning.text());
      }
    }
    return server.handle(
        OwnRequests.apply(PATH + "/" + name + "/status", MANAGER, Json.encode(applied)));
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
    follower.close();
  }
}
