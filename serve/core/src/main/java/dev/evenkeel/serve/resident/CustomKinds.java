package dev.evenkeel.serve.resident;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.tree.SortedTree;
import dev.evenkeel.serve.api.ApiHandler;
import dev.evenkeel.serve.api.ApiResponse;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.cache.KindCache;
import dev.evenkeel.serve.kinds.ResourceDefinition;
import dev.evenkeel.serve.kinds.custom.CustomKind;
import dev.evenkeel.serve.kinds.rules.extension.CustomResourceDefinitionRules;
import dev.evenkeel.serve.present.Presentations;
import dev.evenkeel.serve.resource.ResourceTable;
import dev.evenkeel.serve.resource.Served;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Serves the kinds that users defined: follows the definitions, serves what they say, tells in
 * their status what became of them, and empties a kind before its definition goes.
 *
 * <p><b>Invariants:</b> a definition is said to be established only once its kind is served. Its
 * finalizer goes only when no object of the kind is left.
 *
 * <p><b>Threading:</b> all on its loop.
 */
public final class CustomKinds implements AutoCloseable {

  private static final System.Logger LOG = System.getLogger(CustomKinds.class.getName());

  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

  private static final Duration RETRY = Duration.ofMillis(200);

  /** A write that goes on failing is tried ever more seldom, up to this. */
  private static final Duration RETRY_MAX = Duration.ofSeconds(30);

  private static final int DELETES_AT_ONCE = 64;

  private static final Duration NEXT_DELETES = Duration.ofMillis(5);

  /** Makes the cache of a kind's objects. */
  public interface Caches {
    KindCache make(ResourceDefinition definition, List<String> indexedPaths);
  }

  private final Env env;
  private final ApiHandler server;
  private final ResourceTable resources;
  private final Caches caches;
  private final Loop loop;
  private final KindCache definitions;
  private final Map<String, Kind> kinds = new HashMap<>();
  private final AtomicBoolean looking = new AtomicBoolean();
  private boolean closed;

  /** What became of a definition. */
  private static final class Kind {
    private long revision = -1;
    private String uid = "";
    private JsonNode servedSpec = tools.jackson.databind.node.MissingNode.getInstance();
    private boolean servedEnding;
    private boolean emptying;
    private Duration retryAfter = RETRY;
    private Duration deleteAfter = RETRY;
    private @Nullable KindCache cache;
    private List<String> indexedPaths = List.of();
    private ResourceDefinition.@Nullable Names accepted;
    private List<ResourceDefinition> served = List.of();
  }

  public CustomKinds(Env env, ApiHandler server, ResourceTable resources, Caches caches) {
    this.env = env;
    this.server = server;
    this.resources = resources;
    this.caches = caches;
    this.loop = env.loop("custom-kinds");
    this.definitions =
        resources.at("apiextensions.k8s.io", "v1", "customresourcedefinitions").cache();
  }

  /** Answered when the kinds that were defined before are served. */
  public CompletableFuture<@Nullable Void> start() {
    var ready = new CompletableFuture<@Nullable Void>();
    var _ =
        definitions
            .ready()
            .thenAccept(
                _ ->
                    onLoop(
                        () -> {
                          definitions.follow(this::changed);
                          look();
                          ready.complete(null);
                        }));
    return ready;
  }

  /** Called by the cache, for every change: one look sees them all. */
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
    if (closed) {
      return;
    }
    Set<String> gone = new HashSet<>(kinds.keySet());
    SortedTree.Walk<CachedObject> walk = definitions.newest().tree().from("");
    CachedObject object;
    while ((object = walk.next()) != null) {
      gone.remove(object.name());
      Kind kind = kinds.computeIfAbsent(object.name(), _ -> new Kind());
      if (kind.revision != object.revision()) {
        kind.revision = object.revision();
        settle(object.name(), kind, Json.parseObject(object.json()));
      }
    }
    for (String name : gone) {
      forget(name);
    }
  }

  private void settle(String name, Kind kind, ObjectNode definition) {
    if (!kind.uid.equals(Meta.uid(definition))) {
      forget(name);
      kinds.put(name, kind);
      kind.uid = Meta.uid(definition);
    }
    ObjectNode next = definition.deepCopy();
    ObjectNode status =
        next.get("status") instanceof ObjectNode known ? known : next.putObject("status");
    var conditions = new DefinitionConditions(status, env.clock().now());
    Names names = accept(kind, definition);
    if (names.conflict.isEmpty()) {
      conditions.set("NamesAccepted", true, "NoConflicts", "no conflicts found");
    } else {
      conditions.set("NamesAccepted", false, names.reason, names.conflict);
    }
    boolean ending = definition.path("metadata").has("deletionTimestamp");
    String refusal = names.usable == null ? "" : serve(name, kind, definition, names.usable);
    if (!refusal.isEmpty()) {
      conditions.set("NonStructuralSchema", true, "Violations", refusal);
      conditions.set("Established", false, "Violations", "the schema cannot be served");
    } else if (names.usable == null) {
      conditions.set("Established", false, "NotAccepted", "not all names are accepted");
    } else {
      conditions.remove("NonStructuralSchema");
      conditions.set(
          "Established", true, "InitialNamesAccepted", "the initial names have been accepted");
    }
    if (ending) {
      conditions.set(
          "Terminating",
          true,
          "InstanceDeletionInProgress",
          "CustomResource deletion is in progress");
    }
    status.set("acceptedNames", names.accepted);
    storedVersions(definition, status);
    if (next.equals(definition)) {
      kind.retryAfter = RETRY;
    }
    if (!next.equals(definition)) {
      write("PUT", DEFINITIONS + "/" + name + "/status", next, () -> again(name));
    } else if (ending && isHeld(definition)) {
      empty(name, kind, definition);
    }
  }

  // ---- names

  /**
   * What became of the names.
   *
   * @param usable the words by which the kind is served; null if it is not
   * @param accepted each name that the definition got, for its status
   * @param reason of the last conflict, empty if there is none
   */
  private record Names(
      ResourceDefinition.@Nullable Names usable,
      ObjectNode accepted,
      String reason,
      String conflict) {}

  /** What a definition may call its kind: nothing that another of its group is called. */
  private Names accept(Kind kind, ObjectNode definition) {
    JsonNode spec = definition.path("spec");
    Set<String> words = new HashSet<>();
    Set<String> kindNames = new HashSet<>();
    for (Served other : resources.all()) {
      if (other.group().equals(Meta.text(spec.path("group")))
          && !kind.served.contains(other.definition())) {
        ResourceDefinition.Names taken = other.definition().names();
        words.add(taken.plural());
        words.add(taken.singular());
        words.addAll(taken.shortNames());
        kindNames.add(other.gvk().kind());
        kindNames.add(taken.listKind());
      }
    }
    JsonNode wanted = spec.path("names");
    ObjectNode accepted =
        definition.path("status").path("acceptedNames") instanceof ObjectNode known
            ? known.deepCopy()
            : JsonNodeFactory.instance.objectNode();
    var claim = new NameClaim(wanted, accepted);
    claim.one("plural", "PluralConflict", words);
    claim.one("singular", "SingularConflict", words);
    claim.several("shortNames", "ShortNamesConflict", words);
    claim.one("kind", "KindConflict", kindNames);
    claim.one("listKind", "ListKindConflict", kindNames);
    claim.take("categories");
    if (claim.reason().isEmpty()) {
      kind.accepted = CustomKind.names(wanted);
    }
    return new Names(kind.accepted, accepted, claim.reason(), claim.conflict());
  }

  private static void storedVersions(ObjectNode definition, ObjectNode status) {
    ArrayNode stored =
        status.get("storedVersions") instanceof ArrayNode known
            ? known
            : status.putArray("storedVersions");
    Set<String> names = new HashSet<>();
    stored.forEach(name -> names.add(Meta.text(name)));
    for (JsonNode version : definition.path("spec").path("versions")) {
      String name = Meta.text(version.path("name"));
      if (version.path("storage").asBoolean(false) && names.add(name)) {
        stored.add(name);
      }
    }
  }

  // ---- serving

  /**
   * Serves what the definition says, if that is not what is served already.
   *
   * @return why it cannot be served; empty if it is
   */
  private String serve(
      String name, Kind kind, ObjectNode definition, ResourceDefinition.Names names) {
    boolean ending = definition.path("metadata").has("deletionTimestamp");
    JsonNode spec = definition.path("spec");
    if (kind.servedSpec.equals(spec) && kind.servedEnding == ending) {
      return "";
    }
    List<ResourceDefinition> made;
    try {
      made = CustomKind.definitions(definition, names);
    } catch (IllegalArgumentException e) {
      LOG.log(System.Logger.Level.WARNING, "cannot serve " + name + ": " + e.getMessage());
      return String.valueOf(e.getMessage());
    }
    kind.servedSpec = spec;
    kind.servedEnding = ending;
    kind.served = made;
    List<Served> served = new ArrayList<>();
    if (!made.isEmpty()) {
      KindCache cache = cache(kind, made.getFirst(), CustomKind.selectableFields(definition));
      for (ResourceDefinition version : made) {
        served.add(
            new Served(
                version, Served.prefix(version), cache, new Presentations(version, env.clock())));
      }
    }
    resources.define(name, served);
    return "";
  }

  /** The cache stays as long as it can: watchers would have to read everything anew. */
  private KindCache cache(Kind kind, ResourceDefinition version, List<String> indexedPaths) {
    KindCache known = kind.cache;
    if (known != null
        && kind.indexedPaths.equals(indexedPaths)
        && known.gvk().equals(version.storage().version())) {
      return known;
    }
    if (known != null) {
      known.close();
    }
    KindCache made = caches.make(version, indexedPaths);
    kind.cache = made;
    kind.indexedPaths = indexedPaths;
    return made;
  }

  private void forget(String name) {
    Kind kind = kinds.remove(name);
    if (kind == null) {
      return;
    }
    if (!kind.served.isEmpty()) {
      resources.define(name, List.of());
    }
    KindCache cache = kind.cache;
    if (cache != null) {
      cache.close();
      kind.cache = null;
    }
    kind.served = List.of();
    kind.servedSpec = tools.jackson.databind.node.MissingNode.getInstance();
    kind.accepted = null;
    reconsider();
  }

  /** Names that became free may be what another definition waits for. */
  private void reconsider() {
    for (Kind other : kinds.values()) {
      if (other.accepted == null) {
        other.revision = -1;
        changed();
      }
    }
  }

  private void again(String name) {
    Kind kind = kinds.get(name);
    if (kind == null || closed) {
      return;
    }
    Duration pause = kind.retryAfter;
    kind.retryAfter = longer(pause);
    var _ =
        loop.runLater(
            pause,
            () -> {
              if (kinds.get(name) == kind) {
                kind.revision = -1;
                look();
              }
            });
  }

  // ---- the end of a kind

  private static boolean isHeld(ObjectNode definition) {
    for (JsonNode finalizer : definition.path("metadata").path("finalizers")) {
      if (Meta.text(finalizer).equals(CustomResourceDefinitionRules.CLEANUP)) {
        return true;
      }
    }
    return false;
  }

  /** Deletes what is left, and looks again until nothing is. */
  private void empty(String name, Kind kind, ObjectNode definition) {
    KindCache cache = kind.cache;
    if (cache == null || kind.served.isEmpty()) {
      release(name, definition);
      return;
    }
    if (kind.emptying) {
      return;
    }
    kind.emptying = true;
    var _ = cache.ready().thenAccept(_ -> onLoop(() -> deleteSome(name, kind, cache, definition)));
  }

  private void deleteSome(String name, Kind kind, KindCache cache, ObjectNode definition) {
    if (closed || kinds.get(name) != kind) {
      return;
    }
    ResourceDefinition version = kind.served.getFirst();
    List<CompletableFuture<ApiResponse>> deletes = new ArrayList<>();
    SortedTree.Walk<CachedObject> walk = cache.newest().tree().from("");
    CachedObject object;
    boolean anyLeft = false;
    while ((object = walk.next()) != null && deletes.size() < DELETES_AT_ONCE) {
      anyLeft = true;
      boolean deleted = Json.parseObject(object.json()).path("metadata").has("deletionTimestamp");
      if (!deleted) {
        deletes.add(server.handle(OwnRequests.of("DELETE", path(version, object), new byte[0])));
      }
    }
    if (!anyLeft) {
      kind.emptying = false;
      release(name, definition);
      return;
    }
    var _ =
        CompletableFuture.allOf(deletes.toArray(new CompletableFuture<?>[0]))
            .whenComplete(
                (_, _) ->
                    onLoop(
                        () -> {
                          var _ =
                              loop.runLater(
                                  pauseAfter(name, kind, deletes),
                                  () -> deleteSome(name, kind, cache, definition));
                        }));
  }

  /**
   * What waits for finalizers is looked at again soon, what may not be deleted ever more seldom.
   */
  private static Duration pauseAfter(
      String name, Kind kind, List<CompletableFuture<ApiResponse>> deletes) {
    if (deletes.isEmpty()) {
      return RETRY;
    }
    if (deletes.stream().anyMatch(CustomKinds::isDone)) {
      kind.deleteAfter = RETRY;
      return NEXT_DELETES;
    }
    if (kind.deleteAfter.equals(RETRY)) {
      LOG.log(
          System.Logger.Level.WARNING,
          "the objects of " + name + " cannot be deleted yet, and the definition waits for them");
    }
    Duration pause = kind.deleteAfter;
    kind.deleteAfter = longer(pause);
    return pause;
  }

  private static Duration longer(Duration pause) {
    Duration twice = pause.multipliedBy(2);
    return twice.compareTo(RETRY_MAX) > 0 ? RETRY_MAX : twice;
  }

  private static boolean isDone(CompletableFuture<ApiResponse> delete) {
    if (delete.isCompletedExceptionally()) {
      return false;
    }
    int status = delete.join().status();
    return status < 300 || status == 404;
  }

  private static String path(ResourceDefinition version, CachedObject object) {
    return "/apis/"
        + version.gvk().apiVersion()
        + (version.namespaced() ? "/namespaces/" + object.namespace() : "")
        + "/"
        + version.plural()
        + "/"
        + object.name();
  }

  /** Takes the finalizer off; the definition goes with its last one. */
  private void release(String name, ObjectNode definition) {
    ObjectNode next = definition.deepCopy();
    ArrayNode left = Meta.of(next).putArray("finalizers");
    for (JsonNode finalizer : definition.path("metadata").path("finalizers")) {
      if (!Meta.text(finalizer).equals(CustomResourceDefinitionRules.CLEANUP)) {
        left.add(finalizer);
      }
    }
    write("PUT", DEFINITIONS + "/" + name, next, () -> again(name));
  }

  // ---- requests of our own

  private void write(String method, String path, ObjectNode body, Runnable otherwise) {
    var _ =
        server
            .handle(OwnRequests.of(method, path, Json.encode(body)))
            .whenComplete(
                (response, failure) -> {
                  if (failure != null || failed(response)) {
                    // Somebody else was faster: that is no trouble, and comes often.
                    if (response == null || response.status() != 409) {
                      LOG.log(
                          System.Logger.Level.WARNING,
                          method
                              + " "
                              + path
                              + " failed, and is tried again: "
                              + (response == null ? failure : response.status()));
                    }
                    onLoop(otherwise);
                  }
                });
  }

  private static boolean failed(@Nullable ApiResponse response) {
    return response == null || (response.status() >= 300 && response.status() != 404);
  }

  public void drain() {
    onLoop(
        () ->
            kinds
                .values()
                .forEach(
                    kind -> {
                      KindCache cache = kind.cache;
                      if (cache != null) {
                        cache.drain();
                      }
                    }));
  }

  @Override
  public void close() {
    loop.execute(
        () -> {
          closed = true;
          for (Kind kind : kinds.values()) {
            KindCache cache = kind.cache;
            if (cache != null) {
              cache.close();
            }
          }
        });
    loop.close();
  }
}
