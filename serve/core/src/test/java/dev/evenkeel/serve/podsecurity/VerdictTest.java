package dev.evenkeel.serve.podsecurity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class VerdictTest {

  private static final String HOST =
      "violate PodSecurity \"baseline:latest\": host namespaces (hostNetwork=true)";

  private static NamespacePolicy policy(String... labels) {
    Map<String, String> map = new java.util.HashMap<>();
    for (int i = 0; i < labels.length; i += 2) {
      map.put(NamespacePolicy.PREFIX + labels[i], labels[i + 1]);
    }
    return NamespacePolicy.of(map);
  }

  private final ObjectNode pod = Pods.of("'hostNetwork':true");

  @Test
  void refused_isNotWarnedToo() {
    Verdict verdict = Verdict.onPod(policy("enforce", "baseline", "warn", "restricted"), pod);
    assertThat(verdict.refusal())
        .isEqualTo("violates PodSecurity \"baseline:latest\": host namespaces (hostNetwork=true)");
    assertThat(verdict.warning()).isNull();
    assertThat(verdict.annotations())
        .isEqualTo(Map.of("pod-security.kubernetes.io/enforce-policy", "baseline:latest"));
  }

  @Test
  void template_isNeverRefused() {
    Verdict verdict = Verdict.onTemplate(policy("enforce", "baseline"), pod);
    assertThat(verdict.refusal()).isNull();
    assertThat(verdict.warning()).isEqualTo("would " + HOST);
    assertThat(verdict.annotations()).isEmpty();
    Verdict unwarned = Verdict.onTemplate(policy("enforce", "baseline", "warn", "privileged"), pod);
    assertThat(unwarned).isEqualTo(Verdict.SILENT);
  }

  @Test
  void audit_isToldWhatWouldBeRefused() {
    Verdict verdict = Verdict.onPod(policy("audit", "baseline"), pod);
    assertThat(verdict.refusal()).isNull();
    assertThat(verdict.warning()).isNull();
    assertThat(verdict.annotations())
        .isEqualTo(
            Map.of(
                "pod-security.kubernetes.io/audit-violations",
                "would " + HOST,
                "pod-security.kubernetes.io/enforce-policy",
                "privileged:latest"));
    assertThat(Verdict.onPod(policy("audit", "baseline"), Pods.of(""))).isEqualTo(Verdict.SILENT);
  }

  @Test
  void labelsThatMakeNoSense_areAsStrictAsCanBe_andToldToTheAudit() {
    Verdict verdict = Verdict.onPod(policy("enforce", "x", "warn", "y"), Pods.of(""));
    assertThat(verdict.refusal()).startsWith("violates PodSecurity \"restricted:latest\": allow");
    assertThat(verdict.annotations().get("pod-security.kubernetes.io/error"))
        .startsWith(
            "Failed to parse policy: [metadata.labels[pod-security.kubernetes.io/enforce]:");
    assertThat(Verdict.onTemplate(policy("enforce", "x"), pod).annotations())
        .containsOnlyKeys("pod-security.kubernetes.io/error");
  }
}
