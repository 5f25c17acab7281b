package dev.evenkeel.serve.kinds.policy;

import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.selector.LabelSelector;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What puts a policy into force.
 *
 * @param matching further limits to what the policy is about
 * @param parameters where the parameters are; null if it has none
 * @param actions what follows from a violation: {@code Deny}, {@code Warn}, {@code Audit}
 */
public record Binding(
    String name,
    String policyName,
    Matching matching,
    @Nullable Parameters parameters,
    Set<String> actions) {

  /**
   * Where parameters are.
   *
   * @param name of the one object; empty if a selector says which
   * @param namespace empty for that of the write
   * @param deniesWithout whether without parameters nothing passes
   */
  public record Parameters(
      String name, String namespace, @Nullable LabelSelector selector, boolean deniesWithout) {}

  public static Binding read(ObjectNode binding) {
    JsonNode spec = binding.path("spec");
    Set<String> actions = new HashSet<>();
    spec.path("validationActions").forEach(action -> actions.add(Meta.text(action)));
    return new Binding(
        Meta.name(binding),
        Meta.text(spec.path("policyName")),
        Matching.read(spec.path("matchResources")),
        parameters(spec.path("paramRef")),
        Set.copyOf(actions));
  }

  private static @Nullable Parameters parameters(JsonNode reference) {
    if (!reference.isObject()) {
      return null;
    }
    LabelSelector selector = null;
    if (reference.path("selector").isObject()) {
      try {
        selector = LabelSelector.fromJson(reference.path("selector"));
      } catch (ApiException e) {
        // The kind's rules have said so to whoever wrote it.
        selector = LabelSelector.NOTHING;
      }
    }
    return new Parameters(
        Meta.text(reference.path("name")),
        Meta.text(reference.path("namespace")),
        selector,
        !Meta.text(reference.path("parameterNotFoundAction")).equals("Allow"));
  }
}
