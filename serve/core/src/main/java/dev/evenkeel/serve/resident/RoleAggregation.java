package dev.evenkeel.serve.resident;

import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.selector.LabelSelector;
import dev.evenkeel.kernel.tree.SortedTree;
import dev.evenkeel.serve.api.ApiHandler;
import dev.evenkeel.serve.api.ApiResponse;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.cache.KindCache;
import dev.evenkeel.serve.resource.ResourceTable;
import dev.evenkeel.serve.rights.Rule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Gives cluster roles with an {@code aggregationRule} the rules of those that it selects.
 *
 * <p><b>Threading:</b> all on the follower's loop.
 */
public final class RoleAggregation implements AutoCloseable {

  private static final String GROUP = "rbac.authorization.k8s.io";

  /** By whose name the rules are written. */
  private static final String MANAGER = "clusterrole-aggregation-controller";

  private final ApiHandler server;
  private final KindCache clusterRoles;
  private final CacheFollower follower;

  /** What was read of each role the last time, so that a change of one has one read. */
  private Map<String, Role> known = new HashMap<>();

  /**
   * A role.
   *
   * @param selectors none if it gathers nothing
   */
  private record Role(
      CachedObject object, boolean gathers, List<LabelSelector> selectors, List<Rule> rules) {}

  public RoleAggregation(Env env, ApiHandler server, ResourceTable resources) {
    this.server = server;
    this.clusterRoles = resources.at(GROUP, "v1", "clusterroles").cache();
    this.follower = new CacheFollower(env, "role-aggregation", List.of(clusterRoles), this::look);
  }

  public void start() {
    follower.start();
  }

  private List<CompletableFuture<ApiResponse>> look() {
    List<Role> roles = read();
    List<CompletableFuture<ApiResponse>> writes = new ArrayList<>();
    for (Role role : roles) {
      if (role.gathers()) {
        List<Rule> gathered = gathered(role, roles);
        if (!gathered.equals(role.rules())) {
          writes.add(write(role.object().name(), gathered));
        }
      }
    }
    return writes;
  }

  /** All roles, in the order of their names. */
  private List<Role> read() {
    Map<String, Role> now = new HashMap<>();
    List<Role> roles = new ArrayList<>();
    SortedTree.Walk<CachedObject> walk = clusterRoles.newest().tree().from("");
    CachedObject object;
    while ((object = walk.next()) != null) {
      Role before = known.get(object.name());
      Role role = before != null && before.object() == object ? before : read(object);
      now.put(object.name(), role);
      roles.add(role);
    }
    known = now;
    return roles;
  }

  private static Role read(CachedObject object) {
    ObjectNode role = Json.parseObject(object.json());
    List<LabelSelector> selectors = new ArrayList<>(0);
    for (JsonNode selector : role.path("aggregationRule").path("clusterRoleSelectors")) {
      try {
        selectors.add(LabelSelector.fromJson(selector));
      } catch (ApiException e) {
        // It was checked when it was written. What cannot be read selects nothing.
      }
    }
    return new Role(
        object, role.path("aggregationRule").isObject(), selectors, Rule.of(role.path("rules")));
  }

  private static List<Rule> gathered(Role role, List<Role> all) {
    Set<Rule> rules = new LinkedHashSet<>();
    for (LabelSelector selector : role.selectors()) {
      for (Role other : all) {
        boolean itself = other.object().name().equals(role.object().name());
        if (!itself && selector.matches(other.object().labels())) {
          rules.addAll(other.rules());
        }
      }
    }
    return List.copyOf(rules);
  }

  private CompletableFuture<ApiResponse> write(String name, List<Rule> rules) {
    ObjectNode applied = JsonNodeFactory.instance.objectNode();
    applied.put("apiVersion", GROUP + "/v1").put("kind", "ClusterRole");
    applied.putObject("metadata").put("name", name);
    applied.set("rules", Rule.toJson(rules));
    String path = "/apis/" + GROUP + "/v1/clusterroles/" + name;
    return server.handle(OwnRequests.apply(path, MANAGER, Json.encode(applied)));
  }

  @Override
  public void close() {
    follower.close();
  }
}
