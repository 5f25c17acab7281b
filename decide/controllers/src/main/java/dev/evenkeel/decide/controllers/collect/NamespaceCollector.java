package dev.evenkeel.decide.controllers.collect;

import dev.evenkeel.decide.controllers.collect.NamespaceRules.Contents;
import dev.evenkeel.decide.lead.Leadership;
import dev.evenkeel.decide.lead.Term;
import dev.evenkeel.decide.metric.ControllerMetrics;
import dev.evenkeel.decide.queue.Item;
import dev.evenkeel.decide.queue.Key;
import dev.evenkeel.decide.queue.Priority;
import dev.evenkeel.decide.queue.QueueLimits;
import dev.evenkeel.decide.queue.Result;
import dev.evenkeel.decide.queue.Wake;
import dev.evenkeel.decide.queue.WorkQueue;
import dev.evenkeel.decide.run.Pump;
import dev.evenkeel.decide.run.Records;
import dev.evenkeel.explain.log.DecisionLog;
import dev.evenkeel.explain.record.Decision;
import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.env.FutureFailure;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.patch.MergePatch;
import dev.evenkeel.observe.cache.Informer;
import dev.evenkeel.observe.cache.Informers;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kind;
import dev.evenkeel.observe.object.Kinds;
import dev.evenkeel.observe.transport.Client;
import dev.evenkeel.observe.transport.PatchType;
import dev.evenkeel.observe.transport.Query;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Empties namespaces that are to be deleted, and lets them go when nothing is left. All kinds that
 * the server has at that time are asked, so that nothing that was defined a moment ago is left.
 *
 * <p><b>Threading:</b> all on its loop, but for the queue.
 */
public final class NamespaceCollector implements AutoCloseable {

  static final String NAME = "namespace";

  private static final int IN_FLIGHT_MAX = 4;

  /** Pods take their time to end; whoever waits for the namespace looks often. */
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

  private static final int PAGE = 500;

  private final Env env;
  private final Client client;
  private final DecisionLog log;
  private final Loop loop;
  private final WorkQueue queue;
  private final Pump pump;
  private final Informer<ObjectNode> namespaces;
  private @Nullable AutoCloseable listening;

  private NamespaceCollector(
      Env env,
      Informers caches,
      Client client,
      DecisionLog log,
      Leadership leadership,
      ControllerMetrics metrics) {
    this.env = env;
    this.client = client;
    this.log = log;
    this.loop = env.loop(NAME);
    this.queue =
        new WorkQueue(NAME, env.clock(), env.random(), QueueLimits.DEFAULTS, metrics.queue(NAME));
    this.pump =
        new Pump(
            queue,
            loop,
            IN_FLIGHT_MAX,
            leadership,
            // All that it acts on it reads from the server.
            _ -> true,
            (item, term) -> new Look(item, term).begin());
    this.namespaces = caches.informer(Kinds.NAMESPACES);
  }

  /** Begins to follow namespaces. */
  public static NamespaceCollector start(
      Env env,
      Informers caches,
      Client client,
      DecisionLog log,
      Leadership leadership,
      ControllerMetrics metrics) {
    var collector = new NamespaceCollector(env, caches, client, log, leadership, metrics);
    collector.onLoop(
        () -> {
          collector.listening = collector.namespaces.listen(it -> collector.see(it.newest()));
          collector.pump.start();
        });
    return collector;
  }

  public WorkQueue queue() {
    return queue;
  }

  private void see(Cached<ObjectNode> namespace) {
    if (!namespace.text("metadata", "deletionTimestamp").isEmpty()) {
      queue.add(
          new Key("", namespace.name()),
          Priority.NORMAL,
          new Wake(Wake.Kind.OBJECT, "Namespace/" + namespace.name() + " is deleted"));
    }
  }

  private void onLoop(Runnable task) {
    try {
      loop.execute(task);
    } catch (RejectedExecutionException e) {
      // It is closed.
    }
  }

  /** One attempt to empty one namespace. */
  private final class Look {
    private final Item item;

    /** What it writes is refused once the term is over. */
    private final Client client;

    private final String name;
    private final Instant begun = env.clock().now();
    private final long begunNanos = env.clock().nanoTime();
    private final List<Decision.Read> reads = new ArrayList<>();
    private final List<Decision.ActionRecord> done = new ArrayList<>();
    private final Map<String, Long> objects = new HashMap<>();
    private final Map<String, Long> finalizers = new HashMap<>();
    private final List<String> failures = new ArrayList<>();
    private String uid = "";
    private long version;

    Look(Item item, Term term) {
      this.item = item;
      this.client = term.fence(NamespaceCollector.this.client);
      this.name = item.key().name();
    }

    private void begin() {
      then(
          client.get(Kinds.NAMESPACES, "", name),
          namespace -> {
            uid = Meta.uid(namespace);
            version = Long.parseLong(Meta.resourceVersion(namespace));
            reads.add(new Decision.Read("namespaces", name, version, 1, true));
            if (!GarbageRules.isEnding(namespace) || NamespaceRules.isDone(namespace)) {
              end(Decision.Outcome.Kind.SETTLED, "", new Result.Settled());
              return;
            }
            then(ServerKinds.read(client), kinds -> empty(namespace, inNamespaces(kinds), 0));
          });
    }

    private List<Kind<ObjectNode>> inNamespaces(List<ServerKinds.ServerKind> kinds) {
      return kinds.stream()
          .filter(it -> it.kind().namespaced() && it.verbs().containsAll(Set.of("list", "delete")))
          .map(ServerKinds.ServerKind::kind)
          .toList();
    }

    private <R extends @Nullable Object> void then(
        CompletableFuture<R> answer, java.util.function.Consumer<R> next) {
      var _ =
          answer.whenComplete(
              (result, failure) ->
                  onLoop(
                      () -> {
                        if (failure == null) {
                          next.accept(result);
                        } else {
                          failed(failure);
                        }
                      }));
    }

    private void failed(Throwable failure) {
      Throwable cause = FutureFailure.cause(failure);
      if (cause instanceof ApiException refused && refused.status().code() == 404) {
        end(Decision.Outcome.Kind.GONE, "", new Result.Settled());
      } else if (cause instanceof ApiException refused && refused.status().code() == 409) {
        end(
            Decision.Outcome.Kind.CONFLICT,
            refused.status().message(),
            new Result.Again(Duration.ZERO, "others were faster"));
      } else {
        String why = String.valueOf(cause.getMessage());
        end(Decision.Outcome.Kind.FAILED, why, new Result.Failed(why));
      }
    }

    /** One kind after the other: what is there is deleted, what stays is counted. */
    private void empty(ObjectNode namespace, List<Kind<ObjectNode>> kinds, int next) {
      if (next == kinds.size()) {
        conclude(namespace);
        return;
      }
      Kind<ObjectNode> kind = kinds.get(next);
      var _ =
          count(kind)
              .thenCompose(
                  there ->
                      there == 0
                          ? CompletableFuture.completedFuture(0L)
                          : client
                              .deleteAll(kind, name, background())
                              .thenCompose(_ -> count(kind))
                              .whenComplete(
                                  (left, failure) -> onLoop(() -> note(kind, there, failure))))
              .whenComplete(
                  (left, failure) ->
                      onLoop(
                          () -> {
                            if (failure != null) {
                              failures.add(kind + ": " + FutureFailure.cause(failure).getMessage());
                            } else if (left > 0) {
                              objects.put(kind.toString(), left);
                            }
                            empty(namespace, kinds, next + 1);
                          }));
    }

    private void note(Kind<?> kind, long there, @Nullable Throwable failure) {
      done.add(
          new Decision.ActionRecord(
              "delete",
              kind + " " + name + "/*",
              there + " were there and the namespace is deleted",
              "",
              failure == null
                  ? Decision.ActionRecord.Result.DONE
                  : Decision.ActionRecord.Result.REFUSED,
              0,
              failure == null ? "" : String.valueOf(FutureFailure.cause(failure).getMessage())));
    }

    private ObjectNode background() {
      return JsonNodeFactory.instance
          .objectNode()
          .put("apiVersion", "v1")
          .put("kind", "DeleteOptions")
          .put("propagationPolicy", "Background");
    }

    private CompletableFuture<Long> count(Kind<ObjectNode> kind) {
      return client
          .list(kind, name, new Query().with("limit", Integer.toString(PAGE)))
          .thenApply(
              list -> {
                for (JsonNode object : list.path("items")) {
                  for (JsonNode finalizer : object.path("metadata").path("finalizers")) {
                    String held = Meta.text(finalizer);
                    if (GarbageRules.isEnding(object)) {
                      onLoop(() -> finalizers.merge(held, 1L, Long::sum));
                    }
                  }
                }
                return list.path("items").size()
                    + list.path("metadata").path("remainingItemCount").asLong(0);
              });
    }

    private void conclude(ObjectNode namespace) {
      var contents = new Contents(objects, objects.isEmpty() ? Map.of() : finalizers, failures);
      if (contents.isEmpty()) {
        then(
            client.update(
                Kinds.NAMESPACES, "", name, "finalize", NamespaceRules.finalized(namespace)),
            _ -> {
              done.add(
                  new Decision.ActionRecord(
                      "finalize",
                      "namespaces " + name,
                      "nothing is left in it",
                      "version " + version,
                      Decision.ActionRecord.Result.DONE,
                      0,
                      ""));
              end(Decision.Outcome.Kind.ACTED, "", new Result.Settled());
            });
        return;
      }
      ObjectNode change =
          MergePatch.setting(
              namespace.path("status") instanceof ObjectNode known
                  ? known
                  : JsonNodeFactory.instance.objectNode(),
              NamespaceRules.status(namespace, contents, begun));
      CompletableFuture<ObjectNode> written =
          change.isEmpty()
              ? CompletableFuture.completedFuture(namespace)
              : client.patch(
                  Kinds.NAMESPACES,
                  "",
                  name,
                  "status",
                  PatchType.MERGE,
                  Bytes.wrap(
                      Json.encode(JsonNodeFactory.instance.objectNode().set("status", change))),
                  new Query().with("fieldManager", "namespace-controller"));
      then(
          written,
          _ ->
              end(
                  Decision.Outcome.Kind.WAITING,
                  "left: " + contents.objects() + " " + contents.failures(),
                  new Result.Again(LOOK_AGAIN, "something is left in the namespace")));
    }

    private void end(Decision.Outcome.Kind kind, String detail, Result result) {
      queue.done(item, result);
      log.write(
          new Decision(
              log.nextId(),
              NAME,
              new Decision.Subject("v1", "Namespace", "", name, uid, 0, version),
              begun,
              Duration.ofNanos(env.clock().nanoTime() - begunNanos),
              Records.waking(item),
              reads,
              null,
              done,
              new Decision.Outcome(kind, detail),
              Records.next(result, env.clock().now())));
      pump.done();
    }
  }

  @Override
  public void close() {
    onLoop(
        () -> {
          pump.stop();
          if (listening != null) {
            try {
              listening.close();
            } catch (Exception e) {
              // It is closed with the informers anyway.
            }
          }
        });
    queue.drain();
    loop.close();
  }
}
