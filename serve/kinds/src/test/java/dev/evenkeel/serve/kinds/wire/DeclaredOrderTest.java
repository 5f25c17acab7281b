package dev.evenkeel.serve.kinds.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.schema.Schema;
import dev.evenkeel.serve.kinds.catalog.Catalog;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeclaredOrderTest {

  private static final Schema.Struct POD =
      Objects.requireNonNull(Catalog.type("io.k8s.api.core.v1.Pod"));

  @ParameterizedTest
  @CsvSource({
    "spec.containers[0].name, spec.containers[0].image",
    "spec.containers[0].image, spec.containers[1].name",
    "spec.containers[2].image, spec.containers[10].name",
    "spec.volumes[0].hostPath.path, spec.volumes[0].hostPath.type",
    "spec.containers[0].livenessProbe.httpGet.port, spec.containers[0].livenessProbe.periodSeconds",
    "metadata.labels[a.b/c], spec"
  })
  void fields_standAsTheirTypeDeclaresThem(String first, String second) {
    assertThat(DeclaredOrder.isBefore(POD, first, second)).isTrue();
    assertThat(DeclaredOrder.isBefore(POD, second, first)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "spec.containers, spec.containers[0].name",
    "spec.containers, spec.containers",
    "metadata.labels[b], metadata.labels[a]",
    "spec.nope, spec.containers",
    "spec[nope].a, spec[nope].b",
    "spec.containers[99999999999], spec.containers[0]",
    "spec.containers[, spec.containers[0]",
    "'', spec"
  })
  void whatHasNoOrder_isBeforeNothing(String some, String other) {
    assertThat(DeclaredOrder.isBefore(POD, some, other)).isFalse();
    assertThat(DeclaredOrder.isBefore(POD, other, some)).isFalse();
  }
}
