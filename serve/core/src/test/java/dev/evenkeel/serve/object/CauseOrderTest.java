package dev.evenkeel.serve.object;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.schema.FieldError;
import dev.evenkeel.kernel.schema.Schema;
import dev.evenkeel.serve.kinds.catalog.Catalog;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CauseOrderTest {

  private static final Schema.Struct POD =
      Objects.requireNonNull(Catalog.type("io.k8s.api.core.v1.Pod"));

  @Test
  void whatTheSchemaFound_isToldWhereItsFieldIsDeclared() {
    assertThat(
            order(
                1,
                3,
                "metadata.name",
                "spec.containers[0].image",
                "spec.containers[0].name",
                "spec.volumes[0].name",
                "spec.containers[0].ports"))
        .containsExactly(
            "metadata.name",
            "spec.volumes[0].name",
            "spec.containers[0].name",
            "spec.containers[0].image",
            "spec.containers[0].ports");
  }

  @Test
  void whatRulesFound_staysInTheirOrder() {
    assertThat(
            order(
                0, 1, "spec.hostname", "spec.securityContext.fsGroup", "spec.containers", "spec.x"))
        .containsExactly(
            "spec.securityContext.fsGroup", "spec.containers", "spec.hostname", "spec.x");
  }

  @Test
  void whatIsWrongInside_isToldBeforeTheWhole() {
    assertThat(order(0, 1, "spec.containers[0].name", "spec.containers[0]"))
        .containsExactly("spec.containers[0].name", "spec.containers[0]");
  }

  private static List<String> order(int from, int to, String... fields) {
    List<FieldError> errors =
        Stream.of(fields)
            .map(field -> new FieldError(FieldError.Reason.INVALID, field, "wrong"))
            .toList();
    return CauseOrder.of(errors, from, to, POD).stream().map(FieldError::field).toList();
  }
}
