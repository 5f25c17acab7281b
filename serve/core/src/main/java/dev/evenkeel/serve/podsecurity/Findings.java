package dev.evenkeel.serve.podsecurity;

import java.util.List;
import java.util.stream.Collectors;

/** What all checks together found wrong with a pod. */
public record Findings(List<Violation> violations) {

  public static final Findings NONE = new Findings(List.of());

  public Findings {
    violations = List.copyOf(violations);
  }

  public boolean isEmpty() {
    return violations.isEmpty();
  }

  /** For several pods at once: the reasons alone. */
  public String reasons() {
    return violations.stream().map(Violation::reason).collect(Collectors.joining(", "));
  }

  /** For one pod: with the places. */
  public String details() {
    return violations.stream()
        .map(violation -> violation.reason() + " (" + violation.detail() + ")")
        .collect(Collectors.joining(", "));
  }
}
