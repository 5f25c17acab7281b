package dev.evenkeel.serve.resident;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.serve.api.ApiHandler;
import dev.evenkeel.serve.api.ApiRequest;
import dev.evenkeel.serve.api.ApiResponse;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.cache.KindCache;
import dev.evenkeel.serve.resource.ResourceTable;
import dev.evenkeel.serve.rights.Coverage;
import dev.evenkeel.serve.rights.DefaultRoles;
import dev.evenkeel.serve.rights.Rule;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Has the default roles and bindings be there when a server starts: makes those that are missing,
 * and adds to the others what they lack. What users added stays, and so does what they annotated
 * not to be updated.
 *
 * <p><b>Threading:</b> owned by its loop.
 */
public final class RoleDefaults implements AutoCloseable {

  private static final System.Logger LOG = System.getLogger(RoleDefaults.class.getName());

  private static final String MANAGER = "kube-apiserver";
  private static final String GROUP = "rbac.authorization.k8s.io";
  private static final Duration RETRY = Duration.ofSeconds(1);
  private static final Duration RETRY_MAX = Duration.ofSeconds(30);
  private static final List<String> KINDS =
      List.of("clusterroles", "roles", "clusterrolebindings", "rolebindings");

  private final ApiHandler server;
  private final ResourceTable resources;
  private final Loop loop;
  private final CompletableFuture<@Nullable Void> tried = new CompletableFuture<>();

  public RoleDefaults(Env env, ApiHandler server, ResourceTable resources) {
    this.server = server;
    this.resources = resources;
    this.loop = env.loop("role-defaults");
  }

  /**
   * Begins.
   *
   * @return answered when all is there, or when it was found that some of it cannot be made yet:
   *     that is tried again, and keeps nobody waiting
   */
  public CompletableFuture<@Nullable Void> start() {
    CompletableFuture<?>[] filled =
        KINDS.stream().map(kind -> cache(kind).ready()).toArray(CompletableFuture[]::new);
    var _ =
        CompletableFuture.allOf(filled)
            .thenAccept(_ -> onLoop(() -> ensure(DefaultRoles.all(), RETRY)));
    return tried;
  }

  private KindCache cache(String plural) {
    return resources.at(GROUP, "v1", plural).cache();
  }

  private void onLoop(Runnable task) {
    try {
      loop.execute(task);
    } catch (RejectedExecutionException e) {
      // The server is closing: nobody needs it any more.
    }
  }

  /** Side by side: roles and bindings do not wait for each other. */
  private void ensure(List<DefaultRoles.Default> defaults, Duration retryAfter) {
    List<CompletableFuture<DefaultRoles.@Nullable Default>> under = new ArrayList<>();
    for (DefaultRoles.Default each : defaults) {
      ApiRequest request = repair(each);
      if (request != null) {
        under.add(
            server
                .handle(request)
                .handle((response, failure) -> done(each, request, response, failure)));
      }
    }
    var _ =
        CompletableFuture.allOf(under.toArray(CompletableFuture[]::new))
            .thenRun(() -> onLoop(() -> again(under, retryAfter)));
  }

  private void again(
      List<CompletableFuture<DefaultRoles.@Nullable Default>> under, Duration retryAfter) {
    tried.complete(null);
    List<DefaultRoles.Default> open = new ArrayList<>();
    for (CompletableFuture<DefaultRoles.@Nullable Default> each : under) {
      DefaultRoles.Default one = each.join();
      if (one != null) {
        open.add(one);
      }
    }
    if (!open.isEmpty()) {
      Duration twice = retryAfter.multipliedBy(2);
      Duration next = twice.compareTo(RETRY_MAX) > 0 ? RETRY_MAX : twice;
      var _ = loop.runLater(retryAfter, () -> ensure(open, next));
    }
  }

  /** What is to be looked at once more; null if it is as it should be. */
  private static DefaultRoles.@Nullable Default done(
      DefaultRoles.Default wanted,
      ApiRequest request,
      @Nullable ApiResponse response,
      @Nullable Throwable failure) {
    int status = response == null ? 0 : response.status();
    if (status >= 200 && status < 300) {
      // A binding to another role is deleted first, and made anew when that is seen.
      return request.method().equals("DELETE") ? wanted : null;
    }
    if (status != 409 && status != 404) {
      LOG.log(
          System.Logger.Level.WARNING,
          "cannot make "
              + wanted.path()
              + "/"
              + wanted.name()
              + " yet, and goes on trying: "
              + why(response, failure));
    }
    return wanted;
  }

  private static String why(@Nullable ApiResponse response, @Nullable Throwable failure) {
    return response != null && response.content() instanceof ApiResponse.Whole(byte[] body)
        ? response.status() + " " + new String(body, StandardCharsets.UTF_8)
        : String.valueOf(failure);
  }

  /** What is to be asked for so that it is there; null for nothing. */
  private @Nullable ApiRequest repair(DefaultRoles.Default wanted) {
    String key =
        wanted.namespace().isEmpty() ? wanted.name() : wanted.namespace() + "/" + wanted.name();
    CachedObject there = cache(wanted.plural()).newest().tree().get(key);
    if (there == null) {
      return OwnRequests.create(wanted.path(), MANAGER, Json.encode(wanted.object()));
    }
    ObjectNode current = Json.parseObject(there.json());
    if (Meta.at(current, "metadata", "annotations", DefaultRoles.AUTO_UPDATE)
        .asString("")
        .equals("false")) {
      return null;
    }
    String path = wanted.path() + "/" + wanted.name();
    if (isBinding(wanted) && !wanted.object().path("roleRef").equals(current.path("roleRef"))) {
      return OwnRequests.of("DELETE", path, uid(current));
    }
    ObjectNode repaired = repaired(wanted.object(), current);
    return repaired.equals(current)
        ? null
        : OwnRequests.update(path, MANAGER, Json.encode(repaired));
  }

  private static byte[] uid(ObjectNode object) {
    ObjectNode options = JsonNodeFactory.instance.objectNode();
    options.put("apiVersion", "v1").put("kind", "DeleteOptions");
    options.putObject("preconditions").put("uid", Meta.uid(object));
    return Json.encode(options);
  }

  private static boolean isBinding(DefaultRoles.Default wanted) {
    return wanted.object().has("roleRef");
  }

  /** The current object and what it lacks of the wanted one. */
  static ObjectNode repaired(ObjectNode wanted, ObjectNode current) {
    ObjectNode repaired = current.deepCopy();
    for (String map : List.of("annotations", "labels")) {
      JsonNode there = Meta.of(repaired).path(map);
      ObjectNode merged =
          there instanceof ObjectNode known ? known : Meta.of(repaired).putObject(map);
      Meta.of(wanted)
          .path(map)
          .properties()
          .forEach(
              entry -> {
                if (!merged.has(entry.getKey())) {
                  merged.set(entry.getKey(), entry.getValue());
                }
              });
    }
    if (wanted.has("roleRef")) {
      addMissing(wanted.path("subjects"), repaired, "subjects");
      return repaired;
    }
    if (wanted.has("aggregationRule")) {
      JsonNode rule = repaired.path("aggregationRule");
      ObjectNode gathering =
          rule instanceof ObjectNode known ? known : repaired.putObject("aggregationRule");
      addMissing(
          Meta.at(wanted, "aggregationRule", "clusterRoleSelectors"),
          gathering,
          "clusterRoleSelectors");
    } else {
      repaired.remove("aggregationRule");
    }
    List<Rule> missing =
        Coverage.missing(Rule.of(current.path("rules")), Rule.of(wanted.path("rules")));
    if (!missing.isEmpty()) {
      array(repaired, "rules").addAll(Rule.toJson(missing));
    }
    return repaired;
  }

  private static void addMissing(JsonNode wanted, ObjectNode object, String field) {
    for (JsonNode each : wanted) {
      boolean there = false;
      for (JsonNode known : object.path(field)) {
        there |= known.equals(each);
      }
      if (!there) {
        array(object, field).add(each);
      }
    }
  }

  private static ArrayNode array(ObjectNode object, String field) {
    return object.path(field) instanceof ArrayNode known ? known : object.putArray(field);
  }

  @Override
  public void close() {
    loop.close();
  }
}
