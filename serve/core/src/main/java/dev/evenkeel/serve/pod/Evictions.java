package dev.evenkeel.serve.pod;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.api.WireTime;
import dev.evenkeel.kernel.env.Clock;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.serve.api.ApiResponse;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.call.Call;
import dev.evenkeel.serve.call.Decoding;
import dev.evenkeel.serve.call.Failures;
import dev.evenkeel.serve.object.ObjectRules;
import dev.evenkeel.serve.resource.Served;
import dev.evenkeel.serve.write.Authority;
import dev.evenkeel.serve.write.Deletes;
import dev.evenkeel.serve.write.Propagation;
import dev.evenkeel.serve.write.Writes;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Takes pods away without taking more than their budgets allow. A pod that does no work, or none
 * any more, is simply deleted; for any other the budget is charged first, in a write of its own: a
 * deletion that then fails has cost a disruption, never the other way round.
 */
public final class Evictions {

  public static final Gvk EVICTION = Gvk.of("policy/v1", "Eviction");

  /** A pod that changes each time it is looked at is looked at this many times. */
  private static final int ATTEMPTS_MAX = 20;

  private final Authority authority;
  private final Writes writes;
  private final Deletes deletes;
  private final DisruptionBudgets budgets;
  private final Clock clock;

  public Evictions(
      Authority authority, Writes writes, Deletes deletes, DisruptionBudgets budgets, Clock clock) {
    this.authority = authority;
    this.writes = writes;
    this.deletes = deletes;
    this.budgets = budgets;
    this.clock = clock;
  }

  public CompletableFuture<ApiResponse> evict(Call call, Served pods) {
    ObjectNode eviction = Decoding.optional(call, EVICTION);
    if (!Meta.name(eviction).equals(call.target().name())) {
      throw Status.badRequest("name in URL does not match name in Eviction object").asException();
    }
    return evict(call, pods, options(call, eviction.path("deleteOptions")), ATTEMPTS_MAX)
        .thenApply(_ -> call.answer(201, Json.encode(Status.of(201, "", "").toJson())));
  }

  private static Deletes.Options options(Call call, JsonNode options) {
    return new Deletes.Options(
        options.path("gracePeriodSeconds").isIntegralNumber()
            ? options.path("gracePeriodSeconds").longValue()
            : null,
        Meta.text(options.path("preconditions").path("uid")),
        Meta.text(options.path("preconditions").path("resourceVersion")),
        call.dryRun()
            || Call.checkDryRun("DeleteOptions", ObjectRules.texts(options.path("dryRun"))),
        Propagation.UNSAID);
  }

  private CompletableFuture<Authority.Outcome> evict(
      Call call, Served pods, Deletes.Options options, int attempts) {
    String name = call.target().name();
    return authority
        .newest(pods, pods.key(call.target().namespace(), name))
        .thenCompose(
            found -> {
              if (found == null) {
                throw pods.notFound(name).asException();
              }
              ObjectNode pod = Json.parseObject(pods.shown(found));
              return needsNoBudget(pod)
                  ? evictFreely(call, pods, pod, options, attempts)
                  : evictWithin(call, pods, pod, options);
            });
  }

  private static boolean needsNoBudget(ObjectNode pod) {
    return isOver(pod) || phase(pod).equals("Pending");
  }

  /** Whether it does no work any more, and never will again. */
  private static boolean isOver(ObjectNode pod) {
    return pod.path("metadata").has("deletionTimestamp")
        || phase(pod).equals("Succeeded")
        || phase(pod).equals("Failed");
  }

  private static String phase(ObjectNode pod) {
    return Meta.text(pod.path("status").path("phase"));
  }

  private CompletableFuture<Authority.Outcome> evictFreely(
      Call call, Served pods, ObjectNode pod, Deletes.Options options, int attempts) {
    boolean anyVersion = options.resourceVersion().isEmpty();
    // One that waits must not have started meanwhile.
    Deletes.Options wanted = anyVersion && !isOver(pod) ? thisVersion(options, pod) : options;
    return delete(call, pods, wanted)
        .exceptionallyCompose(
            failure ->
                anyVersion && attempts > 1 && Failures.isConflict(failure) && hasUid(options, pod)
                    ? evict(call, pods, options, attempts - 1)
                    : CompletableFuture.failedFuture(failure));
  }

  /** A uid that is not the pod's will not become it. */
  private static boolean hasUid(Deletes.Options options, ObjectNode pod) {
    return options.uid().isEmpty() || options.uid().equals(Meta.uid(pod));
  }

  private static Deletes.Options thisVersion(Deletes.Options options, ObjectNode pod) {
    return options.at(Meta.resourceVersion(pod));
  }

  private CompletableFuture<Authority.Outcome> evictWithin(
      Call call, Served pods, ObjectNode pod, Deletes.Options options) {
    return budgets
        .of(pod)
        .thenCompose(
            found -> {
              if (found.size() > 1) {
                throw Status.of(
                        500,
                        "",
                        "This pod has more than one PodDisruptionBudget, which the eviction"
                            + " subresource does not support.")
                    .asException();
              }
              if (found.isEmpty()) {
                return delete(call, pods, options);
              }
              ObjectNode budget = found.getFirst();
              return !isReady(pod) && DisruptionBudgets.letsUnreadyGo(budget)
                  ? evictUnready(call, pods, pod, options, Meta.name(budget))
                  : budgets
                      .charge(budget, Meta.name(pod), options.dryRun())
                      .thenCompose(_ -> delete(call, pods, options));
            });
  }

  private static boolean isReady(ObjectNode pod) {
    for (JsonNode condition : pod.path("status").path("conditions")) {
      if (Meta.text(condition.path("type")).equals("Ready")) {
        return Meta.text(condition.path("status")).equals("True");
      }
    }
    return false;
  }

  /** Nothing is charged, so it must be the pod that was looked at: it may be ready by now. */
  private CompletableFuture<Authority.Outcome> evictUnready(
      Call call, Served pods, ObjectNode pod, Deletes.Options options, String budget) {
    if (!options.resourceVersion().isEmpty()) {
      return delete(call, pods, options); // the client's own condition does it
    }
    return delete(call, pods, thisVersion(options, pod))
        .exceptionallyCompose(
            failure ->
                CompletableFuture.failedFuture(
                    Failures.isConflict(failure) ? DisruptionBudgets.unsettled(budget) : failure));
  }

  /** Says on the pod why it goes, then deletes it. */
  private CompletableFuture<Authority.Outcome> delete(
      Call call, Served pods, Deletes.Options options) {
    String name = call.target().name();
    String key = pods.key(call.target().namespace(), name);
    if (options.dryRun()) {
      return deletes.deleteAdmitted(call, pods, key, name, options);
    }
    return writes
        .changed(call, pods, Writes.Part.MAIN_AND_STATUS, pod -> marked(pod, options))
        .thenCompose(
            marked ->
                deletes.deleteAdmitted(
                    call,
                    pods,
                    key,
                    name,
                    options.resourceVersion().isEmpty() ? options : at(options, marked)));
  }

  private static Deletes.Options at(Deletes.Options options, CachedObject pod) {
    return options.at(Long.toString(pod.revision()));
  }

  private ObjectNode marked(ObjectNode pod, Deletes.Options options) {
    String uid = options.uid();
    if (!uid.isEmpty() && !uid.equals(Meta.uid(pod))) {
      throw conflict(
          pod,
          "the UID in the precondition (%s) does not match the UID in record (%s). The object might"
              + " have been deleted and then recreated",
          uid,
          Meta.uid(pod));
    }
    String version = options.resourceVersion();
    if (!version.isEmpty() && !version.equals(Meta.resourceVersion(pod))) {
      throw conflict(
          pod,
          "the ResourceVersion in the precondition (%s) does not match the ResourceVersion in"
              + " record (%s). The object might have been modified",
          version,
          Meta.resourceVersion(pod));
    }
    ObjectNode next = pod.deepCopy();
    ObjectNode status =
        next.get("status") instanceof ObjectNode known ? known : next.putObject("status");
    ArrayNode conditions =
        status.get("conditions") instanceof ArrayNode known ? known : status.putArray("conditions");
    ObjectNode target = null;
    for (JsonNode condition : conditions) {
      if (condition instanceof ObjectNode known
          && Meta.text(known.path("type")).equals("DisruptionTarget")) {
        target = known;
      }
    }
    if (target == null) {
      target = conditions.addObject().put("type", "DisruptionTarget");
    }
    if (!Meta.text(target.path("status")).equals("True")) {
      target.put("status", "True").put("lastTransitionTime", WireTime.seconds(clock.now()));
    }
    target.put("reason", "EvictionByEvictionAPI").put("message", "Eviction API: evicting");
    return next;
  }

  private static RuntimeException conflict(
      ObjectNode pod, String words, String wanted, String actual) {
    return Status.conflict("", "Pod", Meta.name(pod), words.formatted(wanted, actual))
        .asException();
  }
}
