package dev.evenkeel.kernel.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GvkTest {

  @Test
  void of_splitsTheApiVersion() {
    assertThat(Gvk.of("v1", "Pod")).isEqualTo(new Gvk("", "v1", "Pod"));
    assertThat(Gvk.of("apps/v1", "Deployment")).isEqualTo(new Gvk("apps", "v1", "Deployment"));
    assertThat(Gvk.of("", "Pod")).isEqualTo(new Gvk("", "", "Pod"));
  }

  @Test
  void apiVersion_isWhatItWasMadeOf() {
    assertThat(Gvk.of("v1", "Pod").apiVersion()).isEqualTo("v1");
    assertThat(Gvk.of("rbac.authorization.k8s.io/v1", "Role").apiVersion())
        .isEqualTo("rbac.authorization.k8s.io/v1");
  }
}
