package dev.evenkeel.serve.policy;

import dev.evenkeel.serve.admission.AdmissionPlugin;
import dev.evenkeel.serve.admission.AdmissionRequest;
import dev.evenkeel.serve.cel.CelLimits;
import dev.evenkeel.serve.cel.CelValue;
import dev.evenkeel.serve.kinds.ResourceDefinition;
import dev.evenkeel.serve.kinds.policy.Binding;
import dev.evenkeel.serve.kinds.policy.Policy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Holds writes against the policies that may be about them. */
final class ValidatingPolicies implements AdmissionPlugin {

  private static final String FAILURES = "validation.policy.admission.k8s.io/validation_failure";
  private static final int FAILURES_MAX = 50;
  private static final int ANNOTATION_CHARS_MAX = 10 * 1024;

  private final World world;
  private final List<InForce.Bound> policies;

  ValidatingPolicies(World world, List<InForce.Bound> policies) {
    this.world = world;
    this.policies = policies;
  }

  @Override
  public boolean mayTakeLong() {
    return true;
  }

  @Override
  public String name() {
    return "ValidatingAdmissionPolicy";
  }

  @Override
  public void validate(AdmissionRequest request) {
    var judgement = new Judgement(new Selection(world, request), request);
    policies.forEach(judgement::hold);
    judgement.end();
  }

  /**
   * @param binding null if the policy itself cannot be used
   */
  private record Denial(Policy policy, @Nullable Binding binding, String reason, String message) {
    String text() {
      return "ValidatingAdmissionPolicy '"
          + policy.name()
          + "'"
          + (binding == null ? "" : " with binding '" + binding.name() + "'")
          + " denied request: "
          + message;
    }
  }

  /** One write before all policies. */
  private static final class Judgement {
    private final Selection selection;
    private final AdmissionRequest request;
    private final List<Denial> denials = new ArrayList<>(0);
    private final ArrayNode failures = JsonNodeFactory.instance.arrayNode();

    Judgement(Selection selection, AdmissionRequest request) {
      this.selection = selection;
      this.request = request;
    }

    void hold(InForce.Bound bound) {
      Policy policy = bound.policy();
      ResourceDefinition kind = selection.version(policy);
      if (kind == null) {
        return;
      }
      if (!policy.failure().isEmpty()) {
        misconfigured(policy, null, "failed to configure policy: " + policy.failure());
        return;
      }
      Map<String, Set<String>> annotations = new LinkedHashMap<>();
      for (Binding binding : bound.bindings()) {
        if (!selection.isAbout(binding)) {
          continue;
        }
        try {
          for (ObjectNode parameters : selection.parameters(policy, binding)) {
            hold(policy, binding, selection.invocation(policy, kind, parameters), annotations);
          }
        } catch (Selection.Misconfigured e) {
          misconfigured(policy, binding, "failed to configure binding: " + e.text());
        }
      }
      annotations.forEach(
          (key, values) ->
              request.annotations().accept(policy.name() + "/" + key, String.join(", ", values)));
    }

    private void misconfigured(Policy policy, @Nullable Binding binding, String message) {
      if (!policy.ignoresFailures()) {
        denials.add(new Denial(policy, binding, "Invalid", message));
      }
    }

    private void hold(
        Policy policy,
        Binding binding,
        Invocation invocation,
        Map<String, Set<String>> annotations) {
      String refusal = invocation.refusalOfConditions();
      if (refusal != null) {
        if (!refusal.isEmpty()) {
          violated(policy, binding, 0, "Invalid", refusal);
        }
        return;
      }
      for (int i = 0; i < policy.validations().size(); i++) {
        if (!check(policy, binding, i, invocation)) {
          return;
        }
      }
      invocation.renewBudget();
      for (Policy.Annotation annotation : policy.auditAnnotations()) {
        annotate(policy, binding, annotation, invocation, annotations);
      }
    }

    /** Whether there is budget left for the next. */
    private boolean check(Policy policy, Binding binding, int index, Invocation invocation) {
      Policy.Check check = policy.validations().get(index);
      switch (invocation.evaluate(check.program())) {
        case Invocation.Outcome.Value(CelValue value) -> {
          if (!value.isTrue()) {
            violated(policy, binding, index, check.reason(), message(check, invocation));
          }
          return true;
        }
        case Invocation.Outcome.Failure(String message, boolean ends) -> {
          if (!policy.ignoresFailures()) {
            violated(policy, binding, index, "Invalid", message);
          }
          return !ends;
        }
      }
    }

    private static String message(Policy.Check check, Invocation invocation) {
      if (check.messageProgram() != null
          && invocation.evaluate(check.messageProgram())
              instanceof Invocation.Outcome.Value(CelValue value)) {
        String made = value.text();
        String text = made == null ? "" : made.strip();
        if (!text.isEmpty()
            && text.indexOf('\n') < 0
            && text.getBytes(StandardCharsets.UTF_8).length <= CelLimits.MESSAGE_BYTES_MAX) {
          return text;
        }
      }
      return check.message().isEmpty()
          ? "failed expression: " + check.program().expression().strip()
          : check.message();
    }

    private void violated(
        Policy policy, Binding binding, int index, String reason, String message) {
      if (binding.actions().contains("Deny")) {
        denials.add(new Denial(policy, binding, reason, message));
      }
      if (binding.actions().contains("Warn")) {
        request
            .warnings()
            .accept(
                "Validation failed for ValidatingAdmissionPolicy '"
                    + policy.name()
                    + "' with binding '"
                    + binding.name()
                    + "': "
                    + message);
      }
      if (binding.actions().contains("Audit") && failures.size() < FAILURES_MAX) {
        ObjectNode failure = failures.addObject();
        failure
            .put("message", message)
            .put("policy", policy.name())
            .put("binding", binding.name())
            .put("expressionIndex", index);
        ArrayNode actions = failure.putArray("validationActions");
        binding.actions().stream().sorted().forEach(actions::add);
      }
    }

    private void annotate(
        Policy policy,
        Binding binding,
        Policy.Annotation annotation,
        Invocation invocation,
        Map<String, Set<String>> annotations) {
      switch (invocation.evaluate(annotation.program())) {
        case Invocation.Outcome.Value(CelValue value) -> {
          String made = value.text();
          String text = made == null ? "" : made.strip();
          if (!text.isEmpty()) {
            annotations
                .computeIfAbsent(annotation.key(), _ -> new LinkedHashSet<>())
                .add(text.substring(0, Math.min(text.length(), ANNOTATION_CHARS_MAX)));
          }
        }
        case Invocation.Outcome.Failure(String message, boolean _) -> {
          if (!policy.ignoresFailures()) {
            denials.add(new Denial(policy, binding, "Invalid", message));
          }
        }
      }
    }

    void end() {
      if (!failures.isEmpty()) {
        request.annotations().accept(FAILURES, failures.toString());
      }
      if (!denials.isEmpty()) {
        Denial first = denials.getFirst();
        throw request.refused(code(first.reason()), first.reason(), first.text());
      }
    }

    private static int code(String reason) {
      return switch (reason) {
        case "Forbidden" -> 403;
        case "Unauthorized" -> 401;
        case "RequestEntityTooLarge" -> 413;
        default -> 422;
      };
    }
  }
}
