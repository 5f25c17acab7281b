package dev.evenkeel.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.serve.api.ApiResponse;
import dev.evenkeel.serve.api.BodyStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What dashboards for Kubernetes look for is there, and counts what happened. */
class MetricsTest {

  private static final String MAPS = "/api/v1/namespaces/default/configmaps";

  private final ServerFixture fixture = new ServerFixture();
  private final Client client = fixture.client;

  @AfterEach
  void close() {
    fixture.close();
  }

  /** The value of the series of that name which has all these labels. */
  private double metric(String name, String... labels) {
    List<String> found =
        page()
            .lines()
            .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
            .filter(line -> List.of(labels).stream().allMatch(line::contains))
            .toList();
    assertThat(found).as(name + List.of(labels)).hasSize(1);
    String line = found.getFirst();
    return Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
  }

  private String page() {
    return new String(
        ((ApiResponse.Whole) client.raw("GET", "/metrics", Map.of(), new byte[0]).content())
            .bytes(),
        StandardCharsets.UTF_8);
  }

  @Test
  void requests_areCountedAndTimedByKindAndOutcome() {
    fixture.createConfigMaps(3);
    assertThat(client.createConfigMap("default", "cm-none", "x").status()).isEqualTo(201);
    assertThat(client.createConfigMap("default", "cm-none", "x").status()).isEqualTo(409);
    assertThat(client.get(MAPS + "/none").status()).isEqualTo(404);
    String[] creates = {"verb=\"POST\"", "resource=\"configmaps\"", "scope=\"namespace\""};
    assertThat(metric("apiserver_request_total", with(creates, "code=\"201\""))).isEqualTo(4);
    assertThat(metric("apiserver_request_total", with(creates, "code=\"409\""))).isEqualTo(1);
    assertThat(metric("apiserver_request_duration_seconds_count", creates)).isEqualTo(5);
    assertThat(metric("apiserver_request_total", "verb=\"GET\"", "=\"configmaps\"", "code=\"404\""))
        .isEqualTo(1);
  }

  private static String[] with(String[] labels, String more) {
    String[] all = Arrays.copyOf(labels, labels.length + 1);
    all[labels.length] = more;
    return all;
  }

  @Test
  void list_isMeasuredWhenItsLastByteIsTaken() {
    fixture.createConfigMaps(3);
    ApiResponse list = client.raw("GET", MAPS, Map.of(), new byte[0]);
    String[] lists = {"verb=\"LIST\"", "resource=\"configmaps\""};
    assertThat(metric("apiserver_response_sizes_count", lists)).isZero();
    long bytes = 0;
    if (list.content() instanceof ApiResponse.Streamed streamed) {
      var size = new long[1];
      BodyStream.Pull pull = BodyStream.Pull.MORE;
      while (pull == BodyStream.Pull.MORE) {
        pull =
            streamed.stream()
                .pull((head, body, tail) -> size[0] += head.length + body.length + tail.length, 64);
      }
      assertThat(pull).isEqualTo(BodyStream.Pull.END);
      bytes = size[0];
    }
    assertThat(bytes).isPositive();
    assertThat(metric("apiserver_response_sizes_sum", lists)).isEqualTo((double) bytes);
    assertThat(metric("apiserver_request_duration_seconds_count", lists)).isEqualTo(1);
  }

  @Test
  void namesThatNothingIsServedUnder_makeNoSeries() {
    assertThat(client.get("/api/v1/namespaces/default/madeup").status()).isEqualTo(404);
    assertThat(client.get(MAPS + "/x/madeup").status()).isEqualTo(404);
    assertThat(page()).doesNotContain("madeup");
  }

  @Test
  void pluginsStoreAndObjects_areMeasured() {
    var _ =
        client.post(
            "/api/v1/namespaces/default/pods",
            "{\"metadata\":{\"name\":\"p\"},\"spec\":{\"containers\":[{\"name\":\"c\","
                + "\"image\":\"i\"}]}}");
    assertThat(
            metric(
                "apiserver_admission_controller_admission_duration_seconds_count",
                "name=\"ServiceAccount\"",
                "operation=\"CREATE\"",
                "rejected=\"false\"",
                "type=\"admit\""))
        .isEqualTo(1);
    assertThat(metric("etcd_request_duration_seconds_count", "operation=\"txn\"")).isPositive();
    assertThat(metric("apiserver_resource_objects", "group=\"\"", "resource=\"pods\""))
        .isEqualTo(1);
    assertThat(metric("apiserver_storage_objects", "resource=\"pods\"")).isEqualTo(1);
    assertThat(metric("kubernetes_build_info", "major=\"1\"", "minor=\"34\"")).isEqualTo(1);
    assertThat(metric("process_cpu_seconds_total")).isPositive();
  }
}
