package dev.evenkeel.serve.pod;

import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.api.WireTime;
import dev.evenkeel.kernel.env.Clock;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.selector.LabelSelector;
import dev.evenkeel.kernel.tree.SortedTree;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.cache.Scope;
import dev.evenkeel.serve.cache.Snapshot;
import dev.evenkeel.serve.read.Reads;
import dev.evenkeel.serve.resource.ResourceTable;
import dev.evenkeel.serve.resource.Served;
import dev.evenkeel.serve.write.Authority;
import dev.evenkeel.serve.write.Writes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** How many pods may be taken away: finds the budget of a pod, and charges it. */
public final class DisruptionBudgets {

  private static final String CAUSE = "DisruptionBudget";
  private static final String VIOLATION =
      "Cannot evict pod as it would violate the pod's disruption budget.";

  /** Evictions that the budget's controller has not seen yet; upstream's limit. */
  private static final int DISRUPTED_PODS_MAX = 2_000;

  private static final int RETRY_SECONDS = 10;

  private final ResourceTable resources;
  private final Authority authority;
  private final Reads reads;
  private final Clock clock;

  public DisruptionBudgets(ResourceTable resources, Authority authority, Reads reads, Clock clock) {
    this.resources = resources;
    this.authority = authority;
    this.reads = reads;
    this.clock = clock;
  }

  private Served served() {
    return resources.at("policy", "v1", "poddisruptionbudgets");
  }

  /** The budgets that select the pod. */
  CompletableFuture<List<ObjectNode>> of(ObjectNode pod) {
    Served budgets = served();
    return budgets
        .cache()
        .ready()
        .thenCompose(_ -> reads.newest(budgets))
        .thenApply(snapshot -> matching(budgets, snapshot, pod));
  }

  private static List<ObjectNode> matching(Served budgets, Snapshot snapshot, ObjectNode pod) {
    Scope scope = Scope.of(Meta.namespace(pod));
    List<ObjectNode> found = new ArrayList<>();
    SortedTree.Walk<CachedObject> walk = snapshot.tree().from(scope.firstKey());
    CachedObject object;
    while ((object = walk.next()) != null && !scope.isPast(object)) {
      ObjectNode budget = Json.parseObject(budgets.shown(object));
      if (selects(budget, pod)) {
        found.add(budget);
      }
    }
    return found;
  }

  private static boolean selects(ObjectNode budget, ObjectNode pod) {
    try {
      return LabelSelector.fromJson(budget.path("spec").path("selector")).matches(Meta.labels(pod));
    } catch (ApiException e) {
      return false; // a selector that says nothing selects nothing
    }
  }

  /**
   * Whether a pod that is not ready may go without being charged: because the budget does not mind,
   * or because those that are ready are enough.
   */
  static boolean letsUnreadyGo(ObjectNode budget) {
    if (Meta.text(budget.path("spec").path("unhealthyPodEvictionPolicy")).equals("AlwaysAllow")) {
      return true;
    }
    long desired = count(budget, "desiredHealthy");
    return desired > 0 && count(budget, "currentHealthy") >= desired;
  }

  /** Takes one disruption off the budget, on the condition that it has one. */
  CompletableFuture<Authority.Outcome> charge(ObjectNode budget, String pod, boolean dryRun) {
    Served budgets = served();
    return authority.write(
        budgets,
        budgets.key(Meta.namespace(budget), Meta.name(budget)),
        dryRun,
        List.of(),
        current -> {
          if (current == null) {
            return new Authority.Decision.Keep(); // a budget that is gone limits nothing
          }
          ObjectNode next = Json.parseObject(budgets.shown(current));
          check(next);
          take(next, pod);
          return new Authority.Decision.Put(Writes.stored(budgets, next), next);
        });
  }

  private static void check(ObjectNode budget) {
    String name = Meta.name(budget);
    if (count(budget, "observedGeneration")
        < budget.path("metadata").path("generation").asLong(0)) {
      throw unsettled(name);
    }
    if (count(budget, "disruptionsAllowed") < 0) {
      throw forbidden(name, "pdb disruptions allowed is negative");
    }
    if (budget.path("status").path("disruptedPods").size() > DISRUPTED_PODS_MAX) {
      throw forbidden(
          name, "DisruptedPods map too big - too many evictions not confirmed by PDB controller");
    }
    if (count(budget, "disruptionsAllowed") == 0) {
      throw tooMany(
          "The disruption budget %s needs %d healthy pods and has %d currently"
              .formatted(name, count(budget, "desiredHealthy"), count(budget, "currentHealthy")),
          0);
    }
  }

  private static ApiException forbidden(String name, String why) {
    return Status.forbidden("policy", "poddisruptionbudget", name, why).asException();
  }

  /** The budget's numbers are not those of its spec, or of its pods. */
  static ApiException unsettled(String name) {
    return tooMany(
        "The disruption budget " + name + " is still being processed by the server.",
        RETRY_SECONDS);
  }

  private static ApiException tooMany(String cause, int retryAfterSeconds) {
    return new Status(
            429,
            "TooManyRequests",
            VIOLATION,
            new Status.Details(
                "", "", "", "", List.of(new Status.Cause(CAUSE, cause, "")), retryAfterSeconds),
            null)
        .asException();
  }

  private void take(ObjectNode budget, String pod) {
    String now = WireTime.seconds(clock.now());
    ObjectNode status = (ObjectNode) budget.path("status");
    long left = count(budget, "disruptionsAllowed") - 1;
    status.put("disruptionsAllowed", left);
    if (left == 0) {
      noneLeft(status, now);
    }
    // Tells the budget's controller not to count on this pod any more.
    ObjectNode disrupted =
        status.get("disruptedPods") instanceof ObjectNode known
            ? known
            : status.putObject("disruptedPods");
    disrupted.put(pod, now);
  }

  private static void noneLeft(ObjectNode status, String now) {
    ArrayNode conditions =
        status.get("conditions") instanceof ArrayNode known ? known : status.putArray("conditions");
    ObjectNode allowed = null;
    for (JsonNode condition : conditions) {
      if (condition instanceof ObjectNode known
          && Meta.text(known.path("type")).equals("DisruptionAllowed")) {
        allowed = known;
      }
    }
    if (allowed == null) {
      allowed = conditions.addObject().put("type", "DisruptionAllowed");
    }
    if (!Meta.text(allowed.path("status")).equals("False")) {
      allowed.put("status", "False").put("lastTransitionTime", now);
    }
    allowed
        .put("reason", "InsufficientPods")
        .put("message", "")
        .put("observedGeneration", status.path("observedGeneration").asLong(0));
  }

  private static long count(ObjectNode budget, String field) {
    return budget.path("status").path(field).asLong(0);
  }
}
