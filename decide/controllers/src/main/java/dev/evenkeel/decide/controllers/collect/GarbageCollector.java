package dev.evenkeel.decide.controllers.collect;

import dev.evenkeel.decide.controllers.collect.GarbageRules.Dependent;
import dev.evenkeel.decide.controllers.collect.GarbageRules.OwnerState;
import dev.evenkeel.decide.lead.Leadership;
import dev.evenkeel.decide.lead.Term;
import dev.evenkeel.decide.metric.ControllerMetrics;
import dev.evenkeel.decide.plan.Action;
import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.decide.queue.Item;
import dev.evenkeel.decide.queue.Key;
import dev.evenkeel.decide.queue.Priority;
import dev.evenkeel.decide.queue.QueueLimits;
import dev.evenkeel.decide.queue.Result;
import dev.evenkeel.decide.queue.Wake;
import dev.evenkeel.decide.queue.WorkQueue;
import dev.evenkeel.decide.run.Performer;
import dev.evenkeel.decide.run.Pump;
import dev.evenkeel.decide.run.Records;
import dev.evenkeel.explain.log.DecisionLog;
import dev.evenkeel.explain.record.Decision;
import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.env.FutureFailure;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.observe.feed.Feed;
import dev.evenkeel.observe.feed.FeedLimits;
import dev.evenkeel.observe.feed.FeedListener;
import dev.evenkeel.observe.feed.Scope;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kind;
import dev.evenkeel.observe.object.ObjectReader;
import dev.evenkeel.observe.object.Owner;
import dev.evenkeel.observe.object.Trim;
import dev.evenkeel.observe.transport.Client;
import dev.evenkeel.observe.transport.Query;
import dev.evenkeel.observe.transport.Transport;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Deletes what belongs to objects that are gone, and sees to the dependents of those that are
 * going. Follows all kinds that the server has, those included that are defined later.
 *
 * <p>What it follows only wakes it. Before anything is deleted, the object and its owners are read
 * from the server, and an owner counts only with the uid that the dependent names: a cache that
 * lags behind, or an owner that was made anew, never costs an object. Before an object that is held
 * for its dependents is let go, the kinds are read whose watches are not as far as its deletion.
 *
 * <p><b>Threading:</b> all on its loop, but for the queue.
 */
public final class GarbageCollector implements AutoCloseable {

  static final String NAME = "garbage-collector";

  private static final System.Logger LOG = System.getLogger(GarbageCollector.class.getName());
  private static final int IN_FLIGHT_MAX = 16;
  private static final Duration LOOK_FOR_KINDS = Duration.ofSeconds(30);
  private static final Duration SOON = Duration.ofMillis(200);

  /** So many objects of a kind are read to find dependents that its watch did not bring yet. */
  private static final int READ_MAX = 500;

  private static final Trim METADATA =
      Trim.of(
          List.of(
              List.of("spec"),
              List.of("status"),
              List.of("data"),
              List.of("binaryData"),
              List.of("metadata", "managedFields"),
              List.of("metadata", "annotations")));

  private final Env env;
  private final Transport transport;
  private final Client client;
  private final DecisionLog log;
  private final Loop loop;
  private final Performer performer;
  private final WorkQueue queue;
  private final Graph graph = new Graph();
  private final Map<Kind<?>, Feed<ObjectNode>> feeds = new LinkedHashMap<>();
  private final Set<Kind<?>> unsynced = new HashSet<>();

  /** By group and kind: an owner may be named in any version. */
  private Map<Gvk, Kind<ObjectNode>> kinds = Map.of();

  /** Owners that were seen and not since then seen deleted. */
  private final Set<String> alive = new HashSet<>();

  /** Objects that are held, and whose dependents of the time when they were deleted are known. */
  private final Set<String> complete = new HashSet<>();

  private final Pump pump;
  private boolean closed;
  private Loop.@Nullable Timer lookForKinds;

  private GarbageCollector(
      Env env,
      Transport transport,
      DecisionLog log,
      Leadership leadership,
      ControllerMetrics metrics) {
    this.env = env;
    this.transport = transport;
    this.client = new Client(transport);
    this.log = log;
    this.loop = env.loop(NAME);
    this.performer = new Performer(client, NAME, leadership);
    this.queue =
        new WorkQueue(NAME, env.clock(), env.random(), QueueLimits.DEFAULTS, metrics.queue(NAME));
    this.pump =
        new Pump(
            queue,
            loop,
            IN_FLIGHT_MAX,
            leadership,
            // Whatever it acts on it reads from the server first.
            _ -> true,
            (item, term) -> new Look(item, term).begin());
  }

  /** Begins to follow the server. */
  public static GarbageCollector start(
      Env env,
      Transport transport,
      DecisionLog log,
      Leadership leadership,
      ControllerMetrics metrics) {
    var collector = new GarbageCollector(env, transport, log, leadership, metrics);
    collector.onLoop(collector::lookForKinds);
    return collector;
  }

  public WorkQueue queue() {
    return queue;
  }

  private void onLoop(Runnable task) {
    try {
      loop.execute(task);
    } catch (RejectedExecutionException e) {
      // It is closed.
    }
  }

  // ---- following

  private void lookForKinds() {
    var _ =
        ServerKinds.read(client)
            .whenComplete(
                (found, failure) ->
                    onLoop(
                        () -> {
                          if (failure == null) {
                            follow(found);
                          } else {
                            LOG.log(
                                System.Logger.Level.WARNING,
                                "the kinds of the server cannot be read: " + failure.getMessage());
                          }
                          lookForKindsAfter(LOOK_FOR_KINDS);
                        }));
  }

  private void lookForKindsAfter(Duration delay) {
    if (closed) {
      return;
    }
    if (lookForKinds != null) {
      lookForKinds.cancel();
    }
    lookForKinds = loop.runLater(delay, this::lookForKinds);
  }

  private void follow(List<ServerKinds.ServerKind> found) {
    if (closed) {
      return;
    }
    Map<Gvk, Kind<ObjectNode>> all = new HashMap<>();
    Set<Kind<?>> wanted = new HashSet<>();
    for (ServerKinds.ServerKind each : found) {
      Gvk gvk = each.kind().gvk();
      all.put(new Gvk(gvk.group(), "", gvk.kind()), each.kind());
      if (each.verbs().containsAll(Set.of("list", "watch", "delete"))
          && !GarbageRules.IGNORED.contains(each.kind().toString())) {
        wanted.add(each.kind());
      }
    }
    kinds = all;
    for (Kind<?> gone : List.copyOf(feeds.keySet())) {
      if (!wanted.contains(gone)) {
        var feed = feeds.remove(gone);
        if (feed != null) {
          feed.close();
        }
        unsynced.remove(gone);
        graph.of(gone).forEach(this::removed);
      }
    }
    for (Kind<ObjectNode> kind : all.values()) {
      if (wanted.contains(kind) && !feeds.containsKey(kind)) {
        var feed =
            new Feed<>(
                env,
                loop,
                transport,
                kind,
                Scope.ALL,
                METADATA,
                FeedLimits.DEFAULTS,
                new Seen(kind));
        feeds.put(kind, feed);
        unsynced.add(kind);
        feed.start();
      }
    }
    pump.start();
  }

  /** Notes what a kind's feed tells. */
  private final class Seen implements FeedListener<ObjectNode> {
    private final Kind<ObjectNode> kind;

    Seen(Kind<ObjectNode> kind) {
      this.kind = kind;
    }

    @Override
    public void replaced(List<Cached<ObjectNode>> objects, long version) {
      Set<String> gone = graph.of(kind);
      gone.addAll(ownersOf(kind));
      for (Cached<ObjectNode> object : objects) {
        gone.remove(object.uid());
        changed(object);
      }
      gone.forEach(GarbageCollector.this::removed);
      if (unsynced.remove(kind) && unsynced.isEmpty()) {
        wakeTheOrphaned();
      }
    }

    @Override
    public void changed(Cached<ObjectNode> object) {
      put(object);
      if (kind.gvk().kind().equals("CustomResourceDefinition")) {
        lookForKindsAfter(SOON);
      }
    }

    @Override
    public void deleted(Cached<ObjectNode> last) {
      removed(last.uid());
    }

    @Override
    public void reached(long version) {}
  }

  /** Owners of a kind that were seen: most have no owner themselves, so the graph has them not. */
  private Set<String> ownersOf(Kind<?> kind) {
    Set<String> found = new HashSet<>();
    for (String uid : graph.owners()) {
      if (alive.contains(uid)
          && graph.dependents(uid).getFirst().owners().stream()
              .anyMatch(owner -> owner.uid().equals(uid) && kind.equals(kindOf(owner)))) {
        found.add(uid);
      }
    }
    return found;
  }

  private void put(Cached<ObjectNode> object) {
    String uid = object.uid();
    Graph.Node before = graph.node(uid);
    Graph.Node node = graph.put(object);
    if (graph.isOwner(uid)) {
      alive.add(uid);
    }
    wakeOwnersThatWait(before);
    if (node == null) {
      return;
    }
    if (node.held()) {
      wake(uid, node.name() + " is deleted");
      graph.dependents(uid).forEach(it -> wake(it.uid(), node.name() + " waits for it"));
    } else if (unsynced.isEmpty() && !node.ending() && hasUnknownOwner(node)) {
      wake(uid, node.name() + " has an owner that was not seen");
    } else if (!node.ending() && hasWaitingOwner(node)) {
      wake(uid, "an owner waits for it");
    }
  }

  private boolean hasUnknownOwner(Graph.Node node) {
    return node.owners().stream().anyMatch(owner -> !alive.contains(owner.uid()));
  }

  private boolean hasWaitingOwner(Graph.Node node) {
    return node.owners().stream()
        .anyMatch(
            owner -> {
              Graph.Node of = graph.node(owner.uid());
              return of != null && of.held();
            });
  }

  private void removed(String uid) {
    Graph.Node before = graph.node(uid);
    graph.remove(uid);
    alive.remove(uid);
    complete.remove(uid);
    graph.dependents(uid).forEach(it -> wake(it.uid(), "an owner is gone"));
    wakeOwnersThatWait(before);
  }

  private void wakeOwnersThatWait(Graph.@Nullable Node dependent) {
    if (dependent == null) {
      return;
    }
    for (Owner owner : dependent.owners()) {
      Graph.Node waiting = graph.node(owner.uid());
      if (waiting != null && waiting.held()) {
        wake(owner.uid(), dependent.name() + " changed or is gone");
      }
    }
  }

  /** Once all kinds were seen: whoever has an owner that was not among them. */
  private void wakeTheOrphaned() {
    for (String owner : graph.owners()) {
      if (!alive.contains(owner)) {
        graph.dependents(owner).forEach(it -> wake(it.uid(), "an owner was not found"));
      }
    }
  }

  private void wake(String uid, String why) {
    queue.add(new Key("", uid), Priority.NORMAL, new Wake(Wake.Kind.REFERRED, why));
  }

  // ---- working

  /** One look at one object. */
  private final class Look {
    private final Item item;
    private final Term term;
    private final Instant begun = env.clock().now();
    private final long begunNanos = env.clock().nanoTime();
    private final List<Decision.Read> reads = new ArrayList<>();
    private final List<Decision.ActionRecord> done = new ArrayList<>();
    private final Map<String, OwnerState> owners = new LinkedHashMap<>();
    private final List<Dependent> dependents = new ArrayList<>();
    private Graph.@Nullable Node node;
    private long version;

    Look(Item item, Term term) {
      this.item = item;
      this.term = term;
    }

    private void begin() {
      node = graph.node(item.key().name());
      if (node == null) {
        end(Decision.Outcome.Kind.GONE, "", new Result.Settled());
        return;
      }
      Graph.Node of = node;
      then(read(of.kind(), of.namespace(), of.name()), object -> object(of, object));
    }

    /** Reads one object; null if it is not there. */
    private CompletableFuture<@Nullable ObjectNode> read(
        Kind<?> kind, String namespace, String name) {
      return client
          .get(kind, namespace, name)
          .<@Nullable ObjectNode>thenApply(it -> it)
          .exceptionallyCompose(
              failure ->
                  isNotFound(failure)
                      ? CompletableFuture.<@Nullable ObjectNode>completedFuture(null)
                      : CompletableFuture.failedFuture(failure));
    }

    private <R extends @Nullable Object> void then(
        CompletableFuture<R> answer, java.util.function.Consumer<R> next) {
      var _ =
          answer.whenComplete(
              (result, failure) ->
                  onLoop(
                      () -> {
                        if (failure != null) {
                          String why = String.valueOf(FutureFailure.cause(failure).getMessage());
                          end(Decision.Outcome.Kind.FAILED, why, new Result.Failed(why));
                        } else {
                          next.accept(result);
                        }
                      }));
    }

    private void note(Kind<?> kind, String namespace, String name, @Nullable ObjectNode found) {
      reads.add(
          new Decision.Read(
              kind.toString(),
              Cached.key(namespace, name),
              found == null ? 0 : Long.parseLong(Meta.resourceVersion(found)),
              found == null ? 0 : 1,
              true));
    }

    private void object(Graph.Node of, @Nullable ObjectNode object) {
      note(of.kind(), of.namespace(), of.name(), object);
      if (object == null || !Meta.uid(object).equals(of.uid())) {
        removed(of.uid());
        end(Decision.Outcome.Kind.GONE, "", new Result.Settled());
        return;
      }
      version = Long.parseLong(Meta.resourceVersion(object));
      if (GarbageRules.isEnding(object) && GarbageRules.isHeld(object) && !unsynced.isEmpty()) {
        String why = unsynced.size() + " kinds were not seen yet, and may have dependents of it";
        end(Decision.Outcome.Kind.WAITING, why, new Result.Again(SOON, why));
        return;
      }
      if (GarbageRules.isEnding(object)
          && GarbageRules.isHeld(object)
          && !complete.contains(of.uid())) {
        findUnseen(of, object, behind(of), 0);
      } else {
        // As the server has them: it may belong to nobody by now.
        owner(of, object, GarbageRules.owners(object), 0);
      }
    }

    /**
     * The kinds that may have dependents of it, and of which not all is seen up to its deletion.
     */
    private List<Kind<ObjectNode>> behind(Graph.Node of) {
      List<Kind<ObjectNode>> behind = new ArrayList<>();
      for (Kind<ObjectNode> kind : kinds.values()) {
        Feed<ObjectNode> feed = feeds.get(kind);
        boolean mayDepend = of.namespace().isEmpty() || kind.namespaced();
        if (feed != null && mayDepend && feed.figures().version() < version) {
          behind.add(kind);
        }
      }
      return behind;
    }

    /** Reads one kind after the other; one with too many objects is waited for. */
    private void findUnseen(
        Graph.Node of, ObjectNode object, List<Kind<ObjectNode>> behind, int next) {
      if (next == behind.size()) {
        complete.add(of.uid());
        owner(of, object, GarbageRules.owners(object), 0);
        return;
      }
      Kind<ObjectNode> kind = behind.get(next);
      then(
          client.list(kind, of.namespace(), new Query().with("limit", Integer.toString(READ_MAX))),
          list -> {
            Feed<ObjectNode> feed = feeds.get(kind);
            boolean more = !Meta.text(list.path("metadata").path("continue")).isEmpty();
            if (more && feed != null && feed.figures().version() < version) {
              feed.need(version, true);
              String why =
                  "waiting for version %d of %s, seen %d: it may have dependents of it"
                      .formatted(version, kind, feed.figures().version());
              end(Decision.Outcome.Kind.WAITING, why, new Result.Again(SOON, why));
              return;
            }
            for (JsonNode item : list.path("items")) {
              if (item instanceof ObjectNode found && names(found, of.uid())) {
                byte[] json = Json.encode(found);
                put(new ObjectReader<>(kind, METADATA).read(json, 0, json.length));
              }
            }
            findUnseen(of, object, behind, next + 1);
          });
    }

    /** Finds out about one owner after the other. */
    private void owner(Graph.Node of, ObjectNode object, List<Owner> all, int next) {
      if (next == all.size() || GarbageRules.isEnding(object)) {
        dependent(of, object, graph.dependents(of.uid()), 0);
        return;
      }
      Owner owner = all.get(next);
      Kind<ObjectNode> kind = kindOf(owner);
      if (kind == null || (kind.namespaced() && of.namespace().isEmpty())) {
        owners.put(owner.uid(), kind == null ? OwnerState.UNKNOWN : OwnerState.UNREACHABLE);
        owner(of, object, all, next + 1);
        return;
      }
      String namespace = kind.namespaced() ? of.namespace() : "";
      then(
          read(kind, namespace, owner.name()),
          found -> {
            note(kind, namespace, owner.name(), found);
            boolean there = found != null && Meta.uid(found).equals(owner.uid());
            if (there) {
              alive.add(owner.uid());
            }
            boolean waiting =
                there
                    && GarbageRules.isEnding(found)
                    && GarbageRules.hasFinalizer(found, GarbageRules.FOREGROUND);
            owners.put(
                owner.uid(),
                waiting ? OwnerState.WAITING : there ? OwnerState.THERE : OwnerState.GONE);
            owner(of, object, all, next + 1);
          });
    }

    /** Reads the dependents where it matters what they are now. */
    private void dependent(
        Graph.Node of, ObjectNode object, List<Graph.Node> candidates, int next) {
      boolean matters = GarbageRules.isEnding(object) || owners.containsValue(OwnerState.WAITING);
      if (!matters || next == candidates.size()) {
        act(of, GarbageRules.plan(of.kind(), object, owners, dependents));
        return;
      }
      Graph.Node candidate = candidates.get(next);
      then(
          read(candidate.kind(), candidate.namespace(), candidate.name()),
          found -> {
            note(candidate.kind(), candidate.namespace(), candidate.name(), found);
            boolean sameNamespace =
                of.namespace().isEmpty() || of.namespace().equals(candidate.namespace());
            if (found == null || !Meta.uid(found).equals(candidate.uid())) {
              removed(candidate.uid());
            } else if (sameNamespace && names(found, of.uid())) {
              dependents.add(new Dependent(candidate.kind(), found));
            }
            dependent(of, object, candidates, next + 1);
          });
    }

    private void act(Graph.Node of, Plan plan) {
      if (GarbageRules.isHeldForeground(of, dependents)) {
        dependents.forEach(it -> wake(Meta.uid(it.object()), of.name() + " waits for it"));
      }
      perform(plan, plan.actions(), 0);
    }

    private void perform(Plan plan, List<Action> actions, int next) {
      if (next == actions.size()) {
        Plan.Again again = plan.again();
        end(
            done.isEmpty() ? Decision.Outcome.Kind.SETTLED : Decision.Outcome.Kind.ACTED,
            "",
            again == null ? new Result.Settled() : new Result.Again(again.after(), again.why()));
        return;
      }
      then(
          performer.perform(actions.get(next), term),
          result -> {
            done.add(result.record(actions.get(next)));
            switch (result.result()) {
              case DONE, UNCHANGED, SKIPPED -> perform(plan, actions, next + 1);
              case CONFLICT ->
                  end(
                      Decision.Outcome.Kind.CONFLICT,
                      result.detail(),
                      new Result.Again(Duration.ZERO, "others were faster"));
              case UNKNOWN, REFUSED ->
                  end(
                      Decision.Outcome.Kind.FAILED,
                      result.detail(),
                      new Result.Failed(result.detail()));
            }
          });
    }

    private void end(Decision.Outcome.Kind kind, String detail, Result result) {
      queue.done(item, result);
      Graph.Node of = node;
      if (of != null) {
        log.write(decision(of, new Decision.Outcome(kind, detail), result));
      }
      pump.done();
    }

    private Decision decision(Graph.Node of, Decision.Outcome outcome, Result result) {
      return new Decision(
          log.nextId(),
          NAME,
          new Decision.Subject(
              of.kind().gvk().apiVersion(),
              of.kind().gvk().kind(),
              of.namespace(),
              of.name(),
              of.uid(),
              0,
              version),
          begun,
          Duration.ofNanos(env.clock().nanoTime() - begunNanos),
          Records.waking(item),
          reads,
          null,
          done,
          outcome,
          Records.next(result, env.clock().now()));
    }
  }

  private @Nullable Kind<ObjectNode> kindOf(Owner owner) {
    Gvk gvk = Gvk.of(owner.apiVersion(), owner.kind());
    return kinds.get(new Gvk(gvk.group(), "", gvk.kind()));
  }

  private static boolean names(ObjectNode dependent, String owner) {
    for (var reference : dependent.path("metadata").path("ownerReferences")) {
      if (Meta.text(reference.path("uid")).equals(owner)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isNotFound(Throwable failure) {
    return FutureFailure.cause(failure) instanceof ApiException refused
        && refused.status().code() == 404;
  }

  @Override
  public void close() {
    onLoop(
        () -> {
          closed = true;
          pump.stop();
          feeds.values().forEach(Feed::close);
        });
    queue.drain();
    loop.close();
  }
}
