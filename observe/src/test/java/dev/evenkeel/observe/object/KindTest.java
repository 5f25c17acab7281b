package dev.evenkeel.observe.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.kernel.define.CustomKind;
import dev.evenkeel.kernel.json.JsonException;
import dev.evenkeel.kernel.quantity.Quantity;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class KindTest {

  @CustomKind(group = "example.com", version = "v1")
  record Backup(Spec spec, @Nullable Status status) {
    record Spec(
        String schedule,
        Duration keep,
        Quantity size,
        Optional<String> note,
        int copies,
        List<String> paths,
        Map<String, String> more) {}

    record Status(Instant last, Phase phase) {}

    enum Phase {
      IDLE,
      RUNNING
    }
  }

  private static Cached<Backup> read(String spec, String status) {
    byte[] json =
        ("{\"metadata\":{\"name\":\"b\",\"namespace\":\"n\",\"resourceVersion\":\"4\"},\"spec\":"
                + spec
                + ",\"status\":"
                + status
                + ",\"unknown\":{}}")
            .getBytes(StandardCharsets.UTF_8);
    return new ObjectReader<>(Kind.custom(Backup.class), Trim.NONE).read(json, 0, json.length);
  }

  @Test
  void aRecord_isFilledFromItsFieldsAndTheBytesKeepTheRest() {
    Cached<Backup> backup =
        read(
            "{\"schedule\":\"@daily\",\"keep\":\"1h30m0.5s\",\"size\":\"1Gi\",\"paths\":[\"/a\"],"
                + "\"more\":{\"a\":\"b\"},\"later\":1}",
            "{\"last\":\"2026-01-01T00:00:00Z\",\"phase\":\"RUNNING\"}");
    assertThat(backup.value())
        .isEqualTo(
            new Backup(
                new Backup.Spec(
                    "@daily",
                    Duration.ofMinutes(90).plusMillis(500),
                    Quantity.parse("1Gi"),
                    Optional.empty(),
                    0,
                    List.of("/a"),
                    Map.of("a", "b")),
                new Backup.Status(Instant.parse("2026-01-01T00:00:00Z"), Backup.Phase.RUNNING)));
    assertThat(backup.tree().path("spec").path("later").asInt()).isEqualTo(1);
  }

  @Test
  void whatDoesNotFit_namesTheObjectAndTheField() {
    assertThatThrownBy(() -> read("{\"copies\":\"many\"}", "null").value())
        .isInstanceOf(JsonException.class)
        .hasMessageContaining("n/b@4")
        .hasMessageContaining("copies");
    assertThatThrownBy(() -> read("{\"keep\":\"soon\"}", "null").value())
        .isInstanceOf(JsonException.class)
        .hasMessageContaining("'soon' is no duration such as 1h30m");
  }

  @Test
  void aKind_knowsItsPaths() {
    Kind<Backup> backups = Kind.custom(Backup.class);
    assertThat(backups.collectionPath("")).isEqualTo("/apis/example.com/v1/backups");
    assertThat(backups.objectPath("n", "b"))
        .isEqualTo("/apis/example.com/v1/namespaces/n/backups/b");
    assertThat(backups).hasToString("backups.example.com").isEqualTo(Kind.custom(Backup.class));
    var roles = Kind.untyped("rbac.authorization.k8s.io/v1", "ClusterRole", "clusterroles", false);
    assertThat(roles.objectPath("", "system:x/y"))
        .isEqualTo("/apis/rbac.authorization.k8s.io/v1/clusterroles/system:x%2Fy");
    assertThatThrownBy(() -> roles.collectionPath("n"))
        .hasMessage("clusterroles are not in namespaces");
    assertThatThrownBy(() -> backups.objectPath("", "b"))
        .hasMessage("one of the backups is named by namespace and name");
  }

  @Test
  void durations_areReadAsGoWritesThem() {
    assertThat(Durations.parse("0")).isZero();
    assertThat(Durations.parse("-1.5h")).isEqualTo(Duration.ofMinutes(-90));
    assertThat(Durations.parse("2m3s4ms5us6ns"))
        .isEqualTo(Duration.ofSeconds(123).plusNanos(4_005_006));
    for (String bad : List.of("", "5", "h", "1h2", "1x", "PT1H")) {
      assertThatThrownBy(() -> Durations.parse(bad)).as(bad).isInstanceOf(JsonException.class);
    }
  }
}
