package dev.evenkeel.serve.write;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.api.WireTime;
import dev.evenkeel.kernel.env.Clock;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.tree.SortedTree;
import dev.evenkeel.serve.admission.Admission;
import dev.evenkeel.serve.admission.AdmissionRequest;
import dev.evenkeel.serve.admission.Operation;
import dev.evenkeel.serve.api.ApiResponse;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.cache.Scope;
import dev.evenkeel.serve.call.Call;
import dev.evenkeel.serve.call.Decoding;
import dev.evenkeel.serve.call.Failures;
import dev.evenkeel.serve.kinds.ResourceDefinition;
import dev.evenkeel.serve.object.ObjectRules;
import dev.evenkeel.serve.object.PodNotes;
import dev.evenkeel.serve.present.ListStream;
import dev.evenkeel.serve.present.Presentation;
import dev.evenkeel.serve.read.Reads;
import dev.evenkeel.serve.resource.ResourceTable;
import dev.evenkeel.serve.resource.Served;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Deletes, at once or in steps: grace for what runs, finalizers for what others must clean up. */
public final class Deletes {

  /** How many deletes of one deletecollection are under way at a time. */
  private static final int PARALLEL = 16;

  /** Kinds whose deletion answers with the object instead of a status. */
  private static final Set<String> ANSWERED_WITH_OBJECT =
      Set.of(
          "csidrivers",
          "csinodes",
          "deviceclasses",
          "resourceclaims",
          "resourceclaimtemplates",
          "resourceslices",
          "storageclasses",
          "volumeattachments",
          "volumeattributesclasses",
          "pods",
          "services",
          "persistentvolumes",
          "persistentvolumeclaims",
          "serviceaccounts",
          "resourcequotas",
          "podtemplates");

  private final Authority authority;
  private final Reads reads;
  private final Fences fences;
  private final Gatekeeper gatekeeper;
  private final Clock clock;

  public Deletes(
      Authority authority,
      Reads reads,
      ResourceTable resources,
      Gatekeeper gatekeeper,
      Clock clock) {
    this.authority = authority;
    this.fences = new Fences(resources);
    this.gatekeeper = gatekeeper;
    this.reads = reads;
    this.clock = clock;
  }

  /** Of the groups whose kinds are named above. */
  private static final Set<String> ANSWERING_GROUPS =
      Set.of("", "storage.k8s.io", "resource.k8s.io");

  /** Without these a cluster is none. */
  private static final Set<String> KEPT_NAMESPACES =
      Set.of("default", "kube-system", "kube-public", "kube-node-lease");

  /** What the parts of a cluster run with. */
  private static final Set<String> KEPT_PRIORITIES =
      Set.of("system-cluster-critical", "system-node-critical");

  /**
   * What a delete asks for.
   *
   * @param graceSeconds null for the kind's own
   * @param uid empty for any
   * @param resourceVersion empty for any
   */
  public record Options(
      @Nullable Long graceSeconds,
      String uid,
      String resourceVersion,
      boolean dryRun,
      Propagation propagation) {

    /** Which version of the object it must be. */
    public Options at(String version) {
      return new Options(graceSeconds, uid, version, dryRun, propagation);
    }

    static Options read(Call call) {
      ObjectNode body = Decoding.optional(call, Call.DELETE_OPTIONS);
      Long grace = null;
      if (body.path("gracePeriodSeconds").isIntegralNumber()) {
        grace = body.path("gracePeriodSeconds").longValue();
      } else if (!call.query().text("gracePeriodSeconds").isEmpty()) {
        grace = call.query().number("gracePeriodSeconds", 0);
      }
      if (grace != null && grace < 0) {
        // Upstream reads a negative grace as one second: gone soon, but with a goodbye.
        grace = 1L;
      }
      JsonNode preconditions = body.path("preconditions");
      boolean dryRun =
          call.dryRun()
              || Call.checkDryRun("DeleteOptions", ObjectRules.texts(body.path("dryRun")));
      return new Options(
          grace,
          Meta.text(preconditions.path("uid")),
          Meta.text(preconditions.path("resourceVersion")),
          dryRun,
          Propagation.read(body, call));
    }
  }

  public CompletableFuture<ApiResponse> delete(Call call, Served served) {
    String name = call.target().name();
    Options options = Options.read(call);
    if (served.group().equals("scheduling.k8s.io") && KEPT_PRIORITIES.contains(name)) {
      throw Status.forbidden(
              served.group(),
              served.plural(),
              name,
              "this is a system priority class and cannot be deleted")
          .asException();
    }
    warnOfOrphans(call, served, options);
    return delete(call, served, served.key(call.target().namespace(), name), name, options)
        .thenApply(outcome -> answer(call, served, name, outcome));
  }

  private static void warnOfOrphans(Call call, Served served, Options options) {
    if (options.propagation() == Propagation.UNSAID
        && served.group().equals("batch")
        && served.plural().equals("jobs")) {
      call.warn(
          "child pods are preserved by default when jobs are deleted; set"
              + " propagationPolicy=Background to remove them or set propagationPolicy=Orphan to"
              + " suppress this warning");
    }
  }

  CompletableFuture<Authority.Outcome> delete(
      Call call, Served served, String key, String name, Options options) {
    Admission.Plan plan = gatekeeper.plan(call, served, Operation.DELETE);
    return gatekeeper.withViews(plan, () -> delete(call, served, plan, key, name, options));
  }

  /** Deletes what admission has let go, asked about something else. */
  public CompletableFuture<Authority.Outcome> deleteAdmitted(
      Call call, Served served, String key, String name, Options options) {
    return delete(call, served, Admission.Plan.NOTHING, key, name, options);
  }

  private CompletableFuture<Authority.Outcome> delete(
      Call call, Served served, Admission.Plan plan, String key, String name, Options options) {
    return authority.write(
        served,
        key,
        options.dryRun(),
        fences.with(call, List.of()),
        current -> {
          if (current == null) {
            throw served.notFound(name).asException();
          }
          if (isNamespace(served.definition()) && KEPT_NAMESPACES.contains(name)) {
            throw Status.forbidden("", "namespaces", name, "this namespace may not be deleted")
                .asException();
          }
          if (!plan.validating().isEmpty() || !plan.mutating().isEmpty()) {
            ObjectNode old = Json.parseObject(served.shown(current));
            AdmissionRequest asked = gatekeeper.request(call, served, Operation.DELETE, null, old);
            plan.mayRefuse(asked);
            plan.validate(asked);
          }
          return decide(served, name, options, current);
        });
  }

  private Authority.Decision decide(
      Served served, String name, Options options, CachedObject current) {
    ResourceDefinition definition = served.definition();
    ObjectNode object = Json.parseObject(served.shown(current));
    precondition(
        served,
        name,
        "UID",
        options.uid(),
        Meta.uid(object),
        "The object might have been deleted and then recreated");
    precondition(
        served,
        name,
        "ResourceVersion",
        options.resourceVersion(),
        Meta.resourceVersion(object),
        "The object might have been modified");
    long grace =
        options.graceSeconds() == null
            ? definition.rules().deletionGraceSeconds(object)
            : gracedKind(definition, object) ? options.graceSeconds() : 0;
    ObjectNode metadata = Meta.of(object);
    boolean already = metadata.has("deletionTimestamp");
    ObjectNode old = object.deepCopy();
    options.propagation().mark(definition, object);
    Instant at = clock.now().plusSeconds(grace);
    if (!already) {
      definition.rules().prepareForDelete(object);
    }
    if (already) {
      long left = metadata.path("deletionGracePeriodSeconds").asLong(0);
      boolean pending = left > 0 && (options.graceSeconds() == null || grace >= left);
      if (pending || (left == 0 && !isReadyToGo(object))) {
        return changed(served, old, object);
      }
      // Counted from when it began; what has passed by now leaves a second for a goodbye.
      Instant begun =
          Instant.parse(Meta.text(metadata.path("deletionTimestamp"))).minusSeconds(left);
      at = begun.plusSeconds(grace);
      if (at.isBefore(clock.now())) {
        at = clock.now();
        grace = Math.min(grace, 1);
      }
    }
    boolean held = !finalizers(object).isEmpty() || !namespaceFinalizers(object).isEmpty();
    if (grace == 0 && !held && !PodNotes.isPod(definition)) {
      return new Authority.Decision.Delete(null);
    }
    metadata.put("deletionTimestamp", WireTime.seconds(at));
    metadata.put("deletionGracePeriodSeconds", grace);
    if (!already && definition.specHasGeneration()) {
      metadata.put("generation", metadata.path("generation").asLong(0) + 1);
    }
    if (grace == 0 && !held) {
      return new Authority.Decision.Delete(Writes.stored(served, object));
    }
    if (isNamespace(definition)) {
      ((ObjectNode) statusOf(object)).put("phase", "Terminating");
    }
    return changed(served, old, object);
  }

  private static Authority.Decision changed(Served served, ObjectNode old, ObjectNode object) {
    return object.equals(old)
        ? new Authority.Decision.Keep()
        : new Authority.Decision.Put(Writes.stored(served, object), object);
  }

  private static boolean isNamespace(ResourceDefinition definition) {
    return definition.group().isEmpty() && definition.plural().equals("namespaces");
  }

  private static JsonNode statusOf(ObjectNode object) {
    return object.get("status") instanceof ObjectNode status ? status : object.putObject("status");
  }

  /** Whether a client's grace means anything: only to what is running somewhere. */
  private static boolean gracedKind(ResourceDefinition definition, ObjectNode object) {
    return definition.rules().deletionGraceSeconds(object) > 0
        || object.path("metadata").has("deletionTimestamp");
  }

  /** As upstream, the error names the kind and not the resource. */
  private static void precondition(
      Served served, String name, String what, String wanted, String actual, String perhaps) {
    if (!wanted.isEmpty() && !wanted.equals(actual)) {
      throw Status.conflict(
              served.group(),
              served.gvk().kind(),
              name,
              "the %1$s in the precondition (%2$s) does not match the %1$s in record (%3$s). %4$s"
                  .formatted(what, wanted, actual, perhaps))
          .asException();
    }
  }

  private static JsonNode finalizers(ObjectNode object) {
    return object.path("metadata").path("finalizers");
  }

  /** A namespace has a second list of those who must agree, in its spec. */
  private static JsonNode namespaceFinalizers(ObjectNode object) {
    return Meta.text(object.path("kind")).equals("Namespace")
        ? object.path("spec").path("finalizers")
        : object.path("no such field");
  }

  /** Whether nothing holds an object any more that is being deleted. */
  static boolean isReadyToGo(ObjectNode object) {
    JsonNode metadata = object.path("metadata");
    return metadata.has("deletionTimestamp")
        && metadata.path("deletionGracePeriodSeconds").asLong(0) == 0
        && finalizers(object).isEmpty()
        && namespaceFinalizers(object).isEmpty();
  }

  private ApiResponse answer(Call call, Served served, String name, Authority.Outcome outcome) {
    CachedObject object = outcome.after() == null ? outcome.before() : outcome.after();
    boolean gone = outcome.decision() instanceof Authority.Decision.Delete;
    if (object != null
        && (!gone
            || (ANSWERING_GROUPS.contains(served.group())
                && ANSWERED_WITH_OBJECT.contains(served.plural())))) {
      return Reads.answer(call, served, 200, object);
    }
    String uid = object == null ? "" : Meta.uid(Json.parseObject(object.json()));
    var status =
        new Status(
            200,
            "",
            "",
            new Status.Details(name, served.group(), served.plural(), uid, List.of(), 0),
            null);
    ObjectNode json = status.toJson();
    json.remove("code");
    return call.answer(200, Json.encode(json));
  }

  /** Deletes all objects of a scope; answers with what it found. */
  public CompletableFuture<ApiResponse> deleteCollection(Call call, Served served, Scope scope) {
    Options options = Options.read(call);
    warnOfOrphans(call, served, options);
    return reads
        .newest(served)
        .thenCompose(
            snapshot -> {
              List<CachedObject> found = new ArrayList<>();
              SortedTree.Walk<CachedObject> walk = snapshot.tree().from(scope.firstKey());
              CachedObject object;
              while ((object = walk.next()) != null && !scope.isPast(object)) {
                if (scope.matches(object)) {
                  found.add(object);
                }
              }
              return deleteFrom(call, served, found, 0, options)
                  .thenApply(_ -> deleted(call, served, snapshot.revision(), found));
            });
  }

  private static ApiResponse deleted(
      Call call, Served served, long revision, List<CachedObject> found) {
    Presentation presentation = Reads.listPresentation(call, served);
    var meta = new Presentation.ListMeta(revision, null, -1);
    return call.answer(presentation, ListStream.of(presentation, meta, found));
  }

  private CompletableFuture<Void> deleteFrom(
      Call call, Served served, List<CachedObject> found, int from, Options options) {
    if (from >= found.size()) {
      return CompletableFuture.completedFuture(null);
    }
    int to = Math.min(from + PARALLEL, found.size());
    List<CompletableFuture<?>> some = new ArrayList<>();
    for (CachedObject object : found.subList(from, to)) {
      some.add(
          delete(call.named(object.name()), served, object.key(), object.name(), options)
              .handle(
                  (_, failure) -> {
                    if (failure != null && !Failures.isNotFound(failure)) {
                      throw new java.util.concurrent.CompletionException(failure);
                    }
                    return object;
                  }));
    }
    return CompletableFuture.allOf(some.toArray(new CompletableFuture<?>[0]))
        .thenCompose(_ -> deleteFrom(call, served, found, to, options));
  }
}
