package dev.evenkeel.decide.schedule.policy;

import dev.evenkeel.decide.schedule.model.StatusCondition;
import dev.evenkeel.kernel.api.Meta;
import java.time.Instant;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a policy's object says of it.
 *
 * @param generation of the object that it is about
 * @param version what the authors call the state that it is about
 * @param message for people
 */
public record PolicyStatus(long generation, String version, Reason reason, String message) {

  /** Why pods are placed by a policy, or are not. */
  public enum Reason {
    IN_FORCE("InForce"),
    INACTIVE("Inactive"),
    NO_SHARE("NoShare"),
    SHADOWED("Shadowed");

    private final String shown;

    Reason(String shown) {
      this.shown = shown;
    }
  }

  private static final String CONDITION = "InForce";

  /** So many of those that win are named. */
  private static final int NAMED_MAX = 8;

  /**
   * @param object the policy's
   * @param book what other policies there are
   */
  public static PolicyStatus of(ObjectNode object, PolicyBook book) {
    SchedulingPolicy policy = SchedulingPolicy.of(object);
    if (!policy.isActive()) {
      return of(object, policy, Reason.INACTIVE, "It is not active.");
    }
    if (policy.canaryPercent() == 0) {
      return of(
          object, policy, Reason.NO_SHARE, "Its share of the pods in its scope is 0 percent.");
    }
    Set<String> winners = book.shadowing(policy);
    return winners.isEmpty()
        ? of(object, policy, Reason.IN_FORCE, "Pods in its scope and share are placed by it.")
        : of(object, policy, Reason.SHADOWED, shadowed(winners));
  }

  private static PolicyStatus of(
      ObjectNode object, SchedulingPolicy policy, Reason reason, String message) {
    long generation = object.path("metadata").path("generation").asLong(0);
    return new PolicyStatus(generation, policy.policyVersion(), reason, message);
  }

  private static String shadowed(Set<String> winners) {
    boolean one = winners.size() == 1;
    int rest = winners.size() - NAMED_MAX;
    return "%s %s%s %s for all pods in its scope and share: of equally specific ones the first by name does."
        .formatted(
            one ? "Policy" : "Policies",
            winners.stream()
                .limit(NAMED_MAX)
                .map(name -> '"' + name + '"')
                .collect(Collectors.joining(", ")),
            rest > 0 ? " and " + rest + " more" : "",
            one ? "counts" : "count");
  }

  private boolean inForce() {
    return reason == Reason.IN_FORCE;
  }

  /** Whether the object says all this already. */
  public boolean isSaidBy(ObjectNode object) {
    JsonNode status = object.path("status");
    return status.path("observedGeneration").asLong(0) == generation
        && Meta.text(status.path("observedVersion")).equals(version)
        && status.path("active").asBoolean(false) == inForce()
        && Meta.text(status.path("reason")).equals(reason.shown)
        && condition().isSaidBy(status);
  }

  private StatusCondition condition() {
    return new StatusCondition(CONDITION, inForce(), reason.shown, message, generation);
  }

  /** A merge patch that has the object say so, and leaves conditions of others alone. */
  public ObjectNode patch(ObjectNode object, Instant now) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    ObjectNode status = patch.putObject("status");
    status
        .put("observedGeneration", generation)
        .put("observedVersion", version)
        .put("active", inForce())
        .put("reason", reason.shown);
    condition().addTo(status, object.path("status"), now);
    return patch;
  }
}
