package dev.evenkeel.serve.policy;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.serve.admission.AdmissionRequest;
import dev.evenkeel.serve.cel.CelAuthorizer;
import dev.evenkeel.serve.cel.CelBudget;
import dev.evenkeel.serve.cel.CelLimits;
import dev.evenkeel.serve.cel.CelProgram;
import dev.evenkeel.serve.cel.CelResult;
import dev.evenkeel.serve.cel.CelValue;
import dev.evenkeel.serve.cel.CelVariables;
import dev.evenkeel.serve.kinds.ResourceDefinition;
import dev.evenkeel.serve.kinds.policy.Asked;
import dev.evenkeel.serve.kinds.policy.Policy;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * One policy, one write, one object of parameters: what its expressions see.
 *
 * <p><b>Threading:</b> owned by the request.
 */
final class Invocation {

  private final World world;
  private final Policy policy;
  private final AdmissionRequest request;
  private final Asked asked;
  private final ResourceDefinition kind;
  private final CelVariables values = new CelVariables();
  private CelBudget budget = CelBudget.ofRequest();

  /**
   * @param asked the write as rules see it
   * @param kind the version that the policy asked for
   * @param parameters null for none
   * @param namespace that the object is in; null if in none
   */
  Invocation(
      World world,
      Policy policy,
      AdmissionRequest request,
      Asked asked,
      ResourceDefinition kind,
      @Nullable ObjectNode parameters,
      @Nullable ObjectNode namespace) {
    this.world = world;
    this.policy = policy;
    this.request = request;
    this.asked = asked;
    this.kind = kind;
    values.set("object", seen(request.object()));
    values.set("oldObject", seen(request.old()));
    values.set("request", requestTree());
    values.set("params", parameters);
    values.set("namespaceObject", namespace == null ? null : namespaceTree(namespace));
    CelAuthorizer authorizer = world.authorizer(request.user());
    values.authorizer("authorizer", authorizer);
    values.resourceCheck("authorizer.requestResource", authorizer, question());
    for (Policy.Variable variable : policy.variables()) {
      values.setField(
          "variables", variable.name(), () -> variable.program().evaluate(values, budget));
    }
  }

  private @Nullable ObjectNode seen(@Nullable ObjectNode object) {
    if (object == null) {
      return null;
    }
    ObjectNode part = world.part(request, object);
    return part == null ? world.converted(request.definition(), kind, object) : part;
  }

  ResourceDefinition kind() {
    return kind;
  }

  /** What went wrong, or what was made. */
  sealed interface Outcome {

    record Value(CelValue value) implements Outcome {}

    /**
     * @param ends whether nothing more can be evaluated
     */
    record Failure(String message, boolean ends) implements Outcome {}
  }

  Outcome evaluate(CelProgram program) {
    return outcome(program, program.evaluate(values, budget));
  }

  /** What is still to be evaluated may cost as much as if nothing had been so far. */
  void renewBudget() {
    budget = CelBudget.ofRequest();
  }

  private static Outcome outcome(CelProgram program, CelResult result) {
    return switch (result) {
      case CelResult.Made made -> new Outcome.Value(made.value());
      case CelResult.Failed failed -> failure(program, failed.message());
      case CelResult.Exceeded exceeded ->
          exceeded.ofBudget()
              ? new Outcome.Failure(exceeded.message(), true)
              : failure(program, exceeded.message());
    };
  }

  private static Outcome failure(CelProgram program, String why) {
    return new Outcome.Failure(
        "expression '" + program.expression() + "' resulted in error: " + why, false);
  }

  /**
   * Whether the policy is about this write.
   *
   * @return null if it is; empty if it is not; else why that cannot be said
   */
  @Nullable String refusalOfConditions() {
    if (policy.matchConditions().isEmpty()) {
      return null;
    }
    var own = new CelBudget(CelLimits.MATCH_CONDITIONS_COST_MAX);
    List<String> failures = new ArrayList<>(0);
    for (Policy.Condition condition : policy.matchConditions()) {
      CelProgram program = condition.program();
      switch (outcome(program, program.evaluate(values, own))) {
        case Outcome.Value(CelValue value) -> {
          if (!value.isTrue()) {
            return "";
          }
        }
        case Outcome.Failure(String message, boolean ends) -> {
          if (ends) {
            return policy.ignoresFailures() ? "" : message;
          }
          failures.add(message);
        }
      }
    }
    if (failures.isEmpty()) {
      return null;
    }
    if (policy.ignoresFailures()) {
      return "";
    }
    return failures.size() == 1 ? failures.getFirst() : "[" + String.join(", ", failures) + "]";
  }

  // ---- what is seen

  private CelAuthorizer.Question question() {
    return new CelAuthorizer.Question(
        null,
        "",
        "",
        request.definition().group(),
        request.definition().gvk().version(),
        request.definition().plural(),
        request.subresource(),
        asked.namespace(),
        asked.name(),
        "",
        "");
  }

  private ObjectNode requestTree() {
    ObjectNode tree = JsonNodeFactory.instance.objectNode();
    Gvk spoken = world.partKind(request);
    boolean whole = spoken.equals(request.definition().gvk());
    kindTree(tree.putObject("kind"), whole ? kind.gvk() : spoken);
    resourceTree(tree.putObject("resource"), kind);
    kindTree(tree.putObject("requestKind"), spoken);
    resourceTree(tree.putObject("requestResource"), request.definition());
    unlessEmpty(tree, "subResource", request.subresource());
    unlessEmpty(tree, "requestSubResource", request.subresource());
    unlessEmpty(tree, "name", asked.name());
    unlessEmpty(tree, "namespace", asked.namespace());
    tree.put("operation", request.operation().name());
    ObjectNode user = tree.putObject("userInfo");
    unlessEmpty(user, "username", request.user().name());
    unlessEmpty(user, "uid", request.user().uid());
    if (!request.user().groups().isEmpty()) {
      ArrayNode groups = user.putArray("groups");
      request.user().groups().forEach(groups::add);
    }
    if (!request.user().extra().isEmpty()) {
      ObjectNode extra = user.putObject("extra");
      request.user().extra().forEach((key, texts) -> texts.forEach(extra.putArray(key)::add));
    }
    tree.put("dryRun", request.dryRun());
    tree.set("options", request.options());
    return tree;
  }

  private static void kindTree(ObjectNode tree, Gvk gvk) {
    tree.put("group", gvk.group()).put("version", gvk.version()).put("kind", gvk.kind());
  }

  private static void resourceTree(ObjectNode tree, ResourceDefinition definition) {
    tree.put("group", definition.group())
        .put("version", definition.gvk().version())
        .put("resource", definition.plural());
  }

  private static void unlessEmpty(ObjectNode tree, String field, String text) {
    if (!text.isEmpty()) {
      tree.put(field, text);
    }
  }

  private static final List<String> NAMESPACE_METADATA =
      List.of(
          "name",
          "generateName",
          "labels",
          "annotations",
          "creationTimestamp",
          "deletionGracePeriodSeconds",
          "deletionTimestamp",
          "generation",
          "resourceVersion",
          "finalizers");

  private static ObjectNode namespaceTree(ObjectNode namespace) {
    ObjectNode tree = JsonNodeFactory.instance.objectNode();
    ObjectNode metadata = tree.putObject("metadata");
    JsonNode given = namespace.path("metadata");
    for (String field : NAMESPACE_METADATA) {
      if (given.has(field)) {
        metadata.set(field, given.get(field));
      }
    }
    metadata.set("UID", given.path("uid"));
    for (String section : List.of("spec", "status")) {
      if (namespace.has(section)) {
        tree.set(section, namespace.get(section));
      }
    }
    return tree;
  }
}
