package dev.evenkeel.serve.podsecurity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.schema.FieldError;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NamespacePolicyTest {

  /** From {@code enforce=baseline warn-version=v1.20}. */
  private static NamespacePolicy of(String labels) {
    Map<String, String> map = new HashMap<>(Map.of("kubernetes.io/metadata.name", "n"));
    for (String label : labels.isEmpty() ? new String[0] : labels.split(" ", -1)) {
      String[] parts = label.split("=", 2);
      map.put(NamespacePolicy.PREFIX + parts[0], parts[1]);
    }
    return NamespacePolicy.of(map);
  }

  @Test
  void withoutLabels_everythingIsPrivileged() {
    assertThat(of("")).isSameAs(NamespacePolicy.NONE);
    assertThat(of("").isSilent()).isTrue();
    assertThat(of("").enforce()).hasToString("privileged:latest");
  }

  @ParameterizedTest
  @CsvSource({
    "enforce=baseline, baseline:latest, privileged:latest, baseline:latest",
    "enforce=baseline enforce-version=v1.20, baseline:v1.20, privileged:latest, baseline:v1.20",
    "enforce=baseline warn-version=v1.20, baseline:latest, privileged:latest, baseline:v1.20",
    "enforce=baseline warn=privileged, baseline:latest, privileged:latest, privileged:latest",
    "enforce=baseline warn=restricted, baseline:latest, privileged:latest, restricted:latest",
    "enforce=privileged warn=baseline, privileged:latest, privileged:latest, baseline:latest",
    "audit=restricted audit-version=v1.0, privileged:latest, restricted:v1.0, privileged:latest",
    "enforce-version=v1.5, privileged:v1.5, privileged:latest, privileged:latest",
    "enforce=x, restricted:latest, privileged:latest, privileged:latest",
    "enforce=baseline enforce-version=x, baseline:latest, privileged:latest, baseline:latest",
    "audit=x warn=x, privileged:latest, privileged:latest, privileged:latest",
  })
  void labels_say(String labels, String enforce, String audit, String warn) {
    NamespacePolicy policy = of(labels);
    assertThat(policy.enforce()).hasToString(enforce);
    assertThat(policy.audit()).hasToString(audit);
    assertThat(policy.warn()).hasToString(warn);
    assertThat(policy.errors().isEmpty()).isEqualTo(!labels.contains("=x"));
  }

  @Test
  void nonsense_isToldByLabel_inUpstreamsOrder() {
    assertThat(of("warn-version=1.20 audit=Baseline enforce=bogus enforce-version=v1.020").errors())
        .extracting(FieldError::toString)
        .containsExactly(
            "metadata.labels[pod-security.kubernetes.io/enforce]: Invalid value: \"bogus\": must"
                + " be one of privileged, baseline, restricted",
            "metadata.labels[pod-security.kubernetes.io/enforce-version]: Invalid value:"
                + " \"v1.020\": must be \"latest\" or \"v1.x\"",
            "metadata.labels[pod-security.kubernetes.io/audit]: Invalid value: \"Baseline\": must"
                + " be one of privileged, baseline, restricted",
            "metadata.labels[pod-security.kubernetes.io/warn-version]: Invalid value: \"1.20\":"
                + " must be \"latest\" or \"v1.x\"");
    assertThat(of("warn=x").isSilent()).isFalse();
  }

  @Test
  void nonsenseThatWasThere_mayStay_andNoOtherMayCome() {
    assertThat(of("enforce=x audit=baseline").errorsUnlessIn(of("enforce=x"))).isEmpty();
    assertThat(of("enforce=y").errorsUnlessIn(of("enforce=x"))).hasSize(1);
    assertThat(of("enforce=x warn=x").errorsUnlessIn(of("enforce=x"))).hasSize(2);
    assertThat(of("enforce=x").errorsUnlessIn(NamespacePolicy.NONE)).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "'', enforce=baseline, true",
    "enforce=baseline, enforce=restricted, true",
    "enforce=restricted, enforce=baseline, false",
    "enforce=baseline, enforce=baseline, false",
    "enforce=baseline enforce-version=v1.20, enforce=baseline, true",
    "enforce=restricted enforce-version=v1.20, enforce=baseline, true",
    "enforce=baseline, enforce=privileged enforce-version=v1.3, false",
    "'', warn=restricted audit=restricted, false",
  })
  void podsAreLookedAtAgain_whenMoreIsEnforced(String before, String after, boolean expected) {
    assertThat(of(after).mayCatchPodsOf(of(before))).isEqualTo(expected);
  }
}
