package dev.evenkeel.serve.resident;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.api.WireTime;
import dev.evenkeel.kernel.env.Clock;
import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.tree.SortedTree;
import dev.evenkeel.serve.api.ApiHandler;
import dev.evenkeel.serve.api.ApiResponse;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.cache.KindCache;
import dev.evenkeel.serve.resource.ResourceTable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Says in the status of each flow schema whether there is the priority level that it names.
 *
 * <p><b>Threading:</b> all on the follower's loop.
 */
public final class FlowSchemaStatus implements AutoCloseable {

  private static final String GROUP = "flowcontrol.apiserver.k8s.io";

  /** By whose name what is found is written. */
  private static final String MANAGER = "api-priority-and-fairness-config-consumer-v1";

  private static final String CONDITION = "Dangling";

  private final ApiHandler server;
  private final Clock clock;
  private final KindCache schemas;
  private final KindCache levels;
  private final CacheFollower follower;

  public FlowSchemaStatus(Env env, ApiHandler server, ResourceTable resources) {
    this.server = server;
    this.clock = env.clock();
    this.schemas = resources.at(GROUP, "v1", "flowschemas").cache();
    this.levels = resources.at(GROUP, "v1", "prioritylevelconfigurations").cache();
    this.follower =
        new CacheFollower(env, "flow-schema-status", List.of(schemas, levels), this::look);
  }

  public void start() {
    follower.start();
  }

  private List<CompletableFuture<ApiResponse>> look() {
    Set<String> there = new HashSet<>();
    SortedTree.Walk<CachedObject> walk = levels.newest().tree().from("");
    CachedObject object;
    while ((object = walk.next()) != null) {
      there.add(object.name());
    }
    List<CompletableFuture<ApiResponse>> writes = new ArrayList<>();
    walk = schemas.newest().tree().from("");
    while ((object = walk.next()) != null) {
      ObjectNode schema = Json.parseObject(object.json());
      String level = Meta.text(Meta.at(schema, "spec", "priorityLevelConfiguration").path("name"));
      ObjectNode condition = condition(level, there.contains(level));
      if (!isSaid(Meta.at(schema, "status", "conditions"), condition)) {
        writes.add(write(object.name(), condition));
      }
    }
    return writes;
  }

  private ObjectNode condition(String level, boolean found) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("type", CONDITION)
        .put("status", found ? "False" : "True")
        .put("reason", found ? "Found" : "NotFound")
        .put(
            "message",
            "This FlowSchema references the PriorityLevelConfiguration object named \""
                + level
                + (found ? "\" and it exists" : "\" but there is no such object"));
  }

  private static boolean isSaid(JsonNode conditions, ObjectNode condition) {
    for (JsonNode known : conditions) {
      if (Meta.text(known.path("type")).equals(CONDITION)) {
        return known.path("status").equals(condition.get("status"))
            && known.path("message").equals(condition.get("message"));
      }
    }
    return false;
  }

  private CompletableFuture<ApiResponse> write(String name, ObjectNode condition) {
    condition.put("lastTransitionTime", WireTime.seconds(clock.now()));
    ObjectNode applied = JsonNodeFactory.instance.objectNode();
    applied.put("apiVersion", GROUP + "/v1").put("kind", "FlowSchema");
    applied.putObject("metadata").put("name", name);
    applied.putObject("status").putArray("conditions").add(condition);
    String path = "/apis/" + GROUP + "/v1/flowschemas/" + name + "/status";
    return server.handle(OwnRequests.apply(path, MANAGER, Json.encode(applied)));
  }

  @Override
  public void close() {
    follower.close();
  }
}
