package dev.evenkeel.decide.schedule.run;

import dev.evenkeel.decide.lead.Term;
import dev.evenkeel.decide.schedule.policy.SchedulingPolicy;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.observe.cache.Change;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.transport.Client;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes on policies which version of them pods are placed by, when that changes.
 *
 * <p><b>Threading:</b> of the scheduler's loop.
 */
final class PolicyTeller {

  private final StatusWriter writer;
  private final Map<String, Cached<ObjectNode>> policies = new HashMap<>();
  private final Set<String> changed = new HashSet<>();

  /**
   * @param call has {@link #tell} called
   */
  PolicyTeller(Loop loop, Client client, Teller teller, Runnable call) {
    this.writer =
        new StatusWriter(
            Follower.POLICIES,
            loop,
            client,
            teller,
            name -> {
              changed.add(name);
              call.run();
            });
  }

  void see(Change<ObjectNode> change) {
    Cached<ObjectNode> after = change.after();
    String name = change.newest().name();
    if (after == null) {
      policies.remove(name);
      changed.remove(name);
      writer.forget(name);
    } else {
      policies.put(name, after);
      changed.add(name);
    }
  }

  /** Tells those that changed. */
  void tell(Term term) {
    if (changed.isEmpty()) {
      return;
    }
    List<String> names = List.copyOf(changed);
    changed.clear();
    for (String name : names) {
      Cached<ObjectNode> object = policies.get(name);
      if (object != null && writer.isShown(name, object.version())) {
        ObjectNode status = status(object.tree());
        if (!isSaidBy(object.tree().path("status"), status)) {
          ObjectNode patch = JsonNodeFactory.instance.objectNode();
          patch.set("status", status);
          writer.write(term, name, patch);
        }
      }
    }
  }

  private static ObjectNode status(ObjectNode object) {
    SchedulingPolicy policy = SchedulingPolicy.of(object);
    boolean inForce = policy.isActive() && policy.canaryPercent() > 0;
    String reason = !policy.isActive() ? "Inactive" : inForce ? "InForce" : "NoShare";
    return JsonNodeFactory.instance
        .objectNode()
        .put("observedGeneration", object.path("metadata").path("generation").asLong(0))
        .put("observedVersion", policy.policyVersion())
        .put("active", inForce)
        .put("reason", reason);
  }

  private static boolean isSaidBy(JsonNode before, ObjectNode status) {
    return before.path("observedGeneration").asLong(0)
            == status.path("observedGeneration").asLong(0)
        && Meta.text(before.path("observedVersion"))
            .equals(Meta.text(status.path("observedVersion")))
        && before.path("active").asBoolean(false) == status.path("active").asBoolean(false)
        && Meta.text(before.path("reason")).equals(Meta.text(status.path("reason")));
  }
}
