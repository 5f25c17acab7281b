package dev.evenkeel.serve.podsecurity;

import dev.evenkeel.kernel.schema.FieldError;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What is to be said of a pod, or of what makes pods.
 *
 * @param refusal why it may not be, null if it may
 * @param warning what its sender should know, null if there is nothing. Whoever is refused is not
 *     warned too
 * @param annotations what the audit log should know, by key. It is empty unless something is wrong:
 *     a pod that keeps to the rules leaves no line
 */
public record Verdict(
    @Nullable String refusal, @Nullable String warning, Map<String, String> annotations) {

  /** Nothing at all. */
  public static final Verdict SILENT = new Verdict(null, null, Map.of());

  public Verdict {
    annotations = Map.copyOf(annotations);
  }

  public static Verdict onPod(NamespacePolicy policy, JsonNode pod) {
    return policy.isSilent() ? SILENT : of(policy, pod, true);
  }

  /** On the pods that something would make: these are refused themselves, when they come. */
  public static Verdict onTemplate(NamespacePolicy policy, JsonNode template) {
    return policy.isSilentOnTemplates() ? SILENT : of(policy, template, false);
  }

  private static Verdict of(NamespacePolicy policy, JsonNode pod, boolean enforces) {
    // The three are often the same.
    Map<LevelVersion, Findings> known = new HashMap<>();
    Findings enforced = enforces ? findings(known, policy.enforce(), pod) : Findings.NONE;
    Findings audited = findings(known, policy.audit(), pod);
    Map<String, String> annotations = new LinkedHashMap<>();
    if (!policy.errors().isEmpty()) {
      annotations.put(
          NamespacePolicy.PREFIX + "error", "Failed to parse policy: " + listed(policy.errors()));
    }
    if (!audited.isEmpty()) {
      annotations.put(
          NamespacePolicy.PREFIX + "audit-violations", wouldViolate(policy.audit(), audited));
    }
    if (enforces && (!enforced.isEmpty() || !annotations.isEmpty())) {
      annotations.put(NamespacePolicy.PREFIX + "enforce-policy", policy.enforce().toString());
    }
    if (!enforced.isEmpty()) {
      String refusal =
          "violates PodSecurity \"%s\": %s".formatted(policy.enforce(), enforced.details());
      return new Verdict(refusal, null, annotations);
    }
    Findings warned = findings(known, policy.warn(), pod);
    return new Verdict(
        null, warned.isEmpty() ? null : wouldViolate(policy.warn(), warned), annotations);
  }

  private static Findings findings(
      Map<LevelVersion, Findings> known, LevelVersion wanted, JsonNode pod) {
    return known.computeIfAbsent(wanted, _ -> Standards.check(wanted, pod));
  }

  private static String wouldViolate(LevelVersion wanted, Findings findings) {
    return "would violate PodSecurity \"%s\": %s".formatted(wanted, findings.details());
  }

  private static String listed(List<FieldError> errors) {
    String list = errors.stream().map(FieldError::toString).collect(Collectors.joining(", "));
    return errors.size() == 1 ? list : "[" + list + "]";
  }
}
