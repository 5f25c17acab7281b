package dev.evenkeel.serve.policy;

import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.apply.Merge;
import dev.evenkeel.kernel.apply.TypeException;
import dev.evenkeel.kernel.patch.JsonPatch;
import dev.evenkeel.serve.admission.AdmissionPlugin;
import dev.evenkeel.serve.admission.AdmissionRequest;
import dev.evenkeel.serve.cel.CelValue;
import dev.evenkeel.serve.kinds.ResourceDefinition;
import dev.evenkeel.serve.kinds.policy.Binding;
import dev.evenkeel.serve.kinds.policy.Policy;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Has writes changed by the policies that may be about them. */
final class MutatingPolicies implements AdmissionPlugin {

  /** A patch that only applies to what it expects has not failed. */
  private static final String FAILED_TEST = "test failed";

  private final World world;
  private final List<InForce.Bound> policies;
  private final List<AdmissionPlugin> before;

  /**
   * @param before the plugins that were asked before, which look again at what policies changed: a
   *     container that a policy adds is to have what every container gets
   */
  MutatingPolicies(World world, List<InForce.Bound> policies, List<AdmissionPlugin> before) {
    this.world = world;
    this.policies = policies;
    this.before = before;
  }

  @Override
  public boolean mayTakeLong() {
    return true;
  }

  @Override
  public String name() {
    return "MutatingAdmissionPolicy";
  }

  @Override
  public void mutate(AdmissionRequest request) {
    if (request.object() != null && world.part(request, request.object()) == null) {
      new Mutating(request).all();
    }
  }

  @Override
  public void mutateAgain(AdmissionRequest request) {
    List<InForce.Bound> again =
        policies.stream().filter(bound -> bound.policy().isReinvoked()).toList();
    if (!again.isEmpty()) {
      new MutatingPolicies(world, again, List.of()).mutate(request);
    }
  }

  /** A policy, a binding and parameters that are about the write. */
  private record Step(
      Policy policy, Binding binding, ResourceDefinition kind, @Nullable ObjectNode parameters) {}

  private static final class Failed extends Exception {
    private static final long serialVersionUID = 1;

    Failed(String message) {
      super(message, null, false, false);
    }
  }

  /** One write on its way through all policies. */
  private final class Mutating {
    private final AdmissionRequest request;
    private final Selection selection;
    private final List<String> denials = new ArrayList<>(0);

    Mutating(AdmissionRequest request) {
      this.request = request;
      this.selection = new Selection(world, request);
    }

    void all() {
      List<Step> steps = new ArrayList<>();
      policies.forEach(bound -> select(bound, steps));
      List<Step> again = new ArrayList<>(0);
      List<Step> waiting = new ArrayList<>(0);
      boolean changed = false;
      for (Step step : steps) {
        if (take(step)) {
          // Who came before and wants to know of it looks once more.
          again.addAll(waiting);
          waiting.clear();
          changed = true;
        }
        if (step.policy().isReinvoked()) {
          waiting.add(step);
        }
      }
      if (changed && denials.isEmpty() && pluginsChange()) {
        again.addAll(waiting);
      }
      again.forEach(this::take);
      if (!denials.isEmpty()) {
        throw request.denied(denials.getFirst());
      }
    }

    private boolean pluginsChange() {
      if (before.isEmpty()) {
        return false;
      }
      ObjectNode made = request.wanted().deepCopy();
      before.forEach(plugin -> plugin.mutate(request));
      return !made.equals(request.wanted());
    }

    private void select(InForce.Bound bound, List<Step> steps) {
      Policy policy = bound.policy();
      ResourceDefinition kind = selection.version(policy);
      if (kind == null) {
        return;
      }
      if (!policy.failure().isEmpty()) {
        deny(policy, null, "failed to configure policy: " + policy.failure());
        return;
      }
      for (Binding binding : bound.bindings()) {
        if (!selection.isAbout(binding)) {
          continue;
        }
        try {
          for (ObjectNode parameters : selection.parameters(policy, binding)) {
            steps.add(new Step(policy, binding, kind, parameters));
          }
        } catch (Selection.Misconfigured e) {
          deny(policy, binding, "failed to configure binding: " + e.text());
        }
      }
    }

    private void deny(Policy policy, @Nullable Binding binding, String why) {
      if (!policy.ignoresFailures()) {
        denials.add(
            binding == null
                ? "policy \"" + policy.name() + "\" denied request: " + why
                : "policy '"
                    + policy.name()
                    + "' with binding '"
                    + binding.name()
                    + "' denied request: "
                    + why);
      }
    }

    /** Whether it changed the object. */
    private boolean take(Step step) {
      Invocation first = selection.invocation(step.policy(), step.kind(), step.parameters());
      String refusal = first.refusalOfConditions();
      if (refusal != null) {
        if (!refusal.isEmpty()) {
          deny(step.policy(), step.binding(), refusal);
        }
        return false;
      }
      boolean changed = false;
      for (Policy.Mutation mutation : step.policy().mutations()) {
        // Each sees what those before it made.
        Invocation invocation =
            changed ? selection.invocation(step.policy(), step.kind(), step.parameters()) : first;
        try {
          changed |= change(mutation, invocation);
        } catch (Failed e) {
          deny(step.policy(), step.binding(), String.valueOf(e.getMessage()));
        }
      }
      return changed;
    }

    private boolean change(Policy.Mutation mutation, Invocation invocation) throws Failed {
      JsonNode made =
          switch (invocation.evaluate(mutation.program())) {
            case Invocation.Outcome.Value(CelValue value) -> json(value);
            case Invocation.Outcome.Failure(String message, boolean _) -> throw new Failed(message);
          };
      ResourceDefinition spoken = request.definition();
      ResourceDefinition kind = invocation.kind();
      ObjectNode object = request.wanted();
      ObjectNode seen = world.converted(spoken, kind, object).deepCopy();
      ObjectNode next =
          switch (mutation.form()) {
            case CONFIGURATION -> merged(kind, seen, made);
            case PATCHES -> patched(seen, made);
          };
      if (next.equals(seen)) {
        return false;
      }
      checkPlace(seen, next);
      ObjectNode back = world.converted(kind, spoken, next).deepCopy();
      try {
        world.settle(spoken, back);
      } catch (ApiException e) {
        throw new Failed(e.status().message());
      }
      if (back.equals(object)) {
        return false;
      }
      object.removeAll();
      object.setAll(back);
      return true;
    }

    private static JsonNode json(CelValue value) throws Failed {
      try {
        return value.json();
      } catch (RuntimeException e) {
        throw new Failed("type mismatch: " + e.getMessage());
      }
    }

    private static ObjectNode merged(ResourceDefinition kind, ObjectNode seen, JsonNode made)
        throws Failed {
      if (!(made.deepCopy() instanceof ObjectNode configuration)) {
        throw new Failed("unsupported return type from ApplyConfiguration expression");
      }
      configuration.put("apiVersion", kind.gvk().apiVersion()).put("kind", kind.gvk().kind());
      try {
        return Merge.checked(seen, configuration, kind.schema());
      } catch (TypeException e) {
        throw new Failed("error applying patch: " + e.getMessage());
      }
    }

    private static ObjectNode patched(ObjectNode seen, JsonNode made) throws Failed {
      try {
        return JsonPatch.apply(made, seen);
      } catch (ApiException e) {
        String why = String.valueOf(e.getMessage());
        if (why.endsWith(FAILED_TEST)) {
          return seen;
        }
        throw new Failed("JSON Patch: " + why);
      }
    }

    /** What an object is called and is, is not a policy's to change. */
    private static void checkPlace(ObjectNode seen, ObjectNode next) throws Failed {
      if (!Meta.name(seen).equals(Meta.name(next))
          || !Meta.namespace(seen).equals(Meta.namespace(next))
          || !seen.path("apiVersion").equals(next.path("apiVersion"))
          || !seen.path("kind").equals(next.path("kind"))) {
        throw new Failed(
            "apiVersion, kind, metadata.name and metadata.namespace cannot be changed");
      }
    }
  }
}
