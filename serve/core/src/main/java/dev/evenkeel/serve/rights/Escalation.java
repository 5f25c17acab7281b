package dev.evenkeel.serve.rights;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.json.GoText;
import dev.evenkeel.serve.caller.Caller;
import dev.evenkeel.serve.request.Target;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Nobody grants what they do not hold: a role that is written must hold no more than its writer
 * does there, and so must the role of a binding, unless the writer may {@code escalate} the one or
 * {@code bind} the other.
 *
 * <p><b>Threading:</b> any.
 */
public final class Escalation {

  private static final List<Rule> FULL_AUTHORITY =
      List.of(
          new Rule(List.of("*"), List.of("*"), List.of("*"), List.of(), List.of()),
          new Rule(List.of("*"), List.of(), List.of(), List.of(), List.of("*")));

  /** What changes when an object is collected, which gives nobody anything. */
  private static final List<String> COLLECTORS_FIELDS =
      List.of("ownerReferences", "finalizers", "managedFields");

  private final Rights rights;

  public Escalation(Rights rights) {
    this.rights = rights;
  }

  /**
   * Refuses a write that would give somebody what the caller does not hold.
   *
   * @param old what it replaces; null if it is new
   * @throws dev.evenkeel.kernel.api.ApiException the refusal, in upstream's words
   */
  public void check(
      Caller caller, Target.Resource target, ObjectNode object, @Nullable ObjectNode old) {
    if (caller.isMaster() || !Rights.areGivenBy(target.group())) {
      return;
    }
    switch (target.plural()) {
      case "roles", "clusterroles" -> role(caller, target, object, old);
      case "rolebindings", "clusterrolebindings" -> binding(caller, target, object, old);
      default -> {}
    }
  }

  private void role(
      Caller caller, Target.Resource target, ObjectNode role, @Nullable ObjectNode old) {
    if (may(caller, "escalate", target.plural(), target.namespace(), target.name())
        || changesNothing(role, old)) {
      return;
    }
    refuseUnlessHeld(caller, target, role, Rule.of(role.path("rules")));
    boolean gathers = gathers(role) || (old != null && gathers(old));
    if (gathers && !lacking(caller, target, FULL_AUTHORITY).isEmpty()) {
      throw refused(target, role, "must have cluster-admin privileges to use the aggregationRule");
    }
  }

  private static boolean gathers(ObjectNode role) {
    return !Meta.at(role, "aggregationRule", "clusterRoleSelectors").isEmpty();
  }

  private void binding(
      Caller caller, Target.Resource target, ObjectNode binding, @Nullable ObjectNode old) {
    if (changesNothing(binding, old)) {
      return;
    }
    JsonNode reference = binding.path("roleRef");
    String name = Meta.text(reference.path("name"));
    String plural =
        switch (Meta.text(reference.path("kind"))) {
          case "ClusterRole" -> "clusterroles";
          case "Role" -> target.namespace().isEmpty() ? "" : "roles";
          default -> "";
        };
    if (plural.isEmpty()) {
      return; // what is wrong with it is said when it is validated
    }
    if (may(caller, "bind", plural, target.namespace(), name)) {
      return;
    }
    List<Rule> rules = rights.rulesOf(plural.equals("roles") ? target.namespace() : "", name);
    if (rules == null) {
      throw Status.notFound(target.group(), plural, name).asException();
    }
    refuseUnlessHeld(caller, target, binding, rules);
  }

  private boolean may(Caller caller, String verb, String plural, String namespace, String name) {
    return rights
        .decide(Attributes.ofResource(caller, verb, Rights.GROUP, plural, "", namespace, name))
        .isAllowed();
  }

  private List<Rule> lacking(Caller caller, Target.Resource target, List<Rule> wanted) {
    return Coverage.missing(rights.rules(caller, target.namespace()).rules(), wanted);
  }

  private void refuseUnlessHeld(
      Caller caller, Target.Resource target, ObjectNode object, List<Rule> wanted) {
    List<Rule> lacking = lacking(caller, target, wanted);
    if (!lacking.isEmpty()) {
      String fault = rights.rules(caller, target.namespace()).fault();
      throw refused(
          target,
          object,
          "user "
              + GoText.quoted(caller.name())
              + " (groups="
              + Rule.quoted(caller.groups())
              + ") is attempting to grant RBAC permissions not currently held:\n"
              + String.join("\n", Coverage.described(lacking))
              + (fault.isEmpty() ? "" : "; resolution errors: [" + fault + "]"));
    }
  }

  private static RuntimeException refused(Target.Resource target, ObjectNode object, String why) {
    return Status.forbidden(target.group(), target.plural(), Meta.name(object), why).asException();
  }

  private static boolean changesNothing(ObjectNode object, @Nullable ObjectNode old) {
    if (old == null) {
      return false;
    }
    ObjectNode copy = object.deepCopy();
    ObjectNode metadata = Meta.of(copy);
    for (String field : COLLECTORS_FIELDS) {
      JsonNode before = Meta.of(old).get(field);
      if (before == null) {
        metadata.remove(field);
      } else {
        metadata.set(field, before);
      }
    }
    return copy.equals(old);
  }
}
