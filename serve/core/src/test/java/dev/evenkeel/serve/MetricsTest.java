package dev.evenkeel.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.serve.api.ApiResponse;
import dev.evenkeel.serve.api.BodyStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
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
    assertThat(metric("etcd_request_duration_seconds_count", "operation=\"create\"", "=\"pods\""))
        .isEqualTo(1);
    assertThat(metric("apiserver_resource_objects", "group=\"\"", "resource=\"pods\""))
        .isEqualTo(1);
    assertThat(metric("apiserver_storage_objects", "resource=\"pods\"")).isEqualTo(1);
    assertThat(metric("kubernetes_build_info", "major=\"1\"", "minor=\"34\"")).isEqualTo(1);
    assertThat(metric("process_cpu_seconds_total")).isPositive();
  }

  @Test
  void watch_isCountedWhileItIsOpen_andItsDeliveryIsTimed() {
    fixture.createConfigMaps(1);
    var stream =
        ((ApiResponse.Streamed)
                client.raw("GET", MAPS + "?watch=true", Map.of(), new byte[0]).content())
            .stream();
    String[] maps = {"group=\"\"", "resource=\"configmaps\""};
    String[] open = with(maps, "verb=\"WATCH\"");
    assertThat(metric("apiserver_longrunning_requests", open)).isEqualTo(1);
    pullAll(stream);
    assertThat(page())
        .as("what was there before is not delivered late")
        .doesNotContain("evenkeel_watch_delivery_duration_seconds_count");
    assertThat(client.createConfigMap("default", "cm-1", "x").status()).isEqualTo(201);
    assertThat(client.createConfigMap("default", "cm-2", "x").status()).isEqualTo(201);
    fixture.env.runFor(Duration.ofMillis(300));
    pullAll(stream);
    assertThat(metric("apiserver_watch_events_total", maps)).isEqualTo(3);
    String delivery = "evenkeel_watch_delivery_duration_seconds";
    assertThat(metric(delivery + "_count", maps)).as("one pull").isEqualTo(1);
    assertThat(metric(delivery + "_sum", maps)).as("of the oldest").isBetween(0.3, 0.5);
    pullAll(stream);
    assertThat(metric(delivery + "_count", maps)).as("nothing was taken").isEqualTo(1);
    stream.close();
    stream.close();
    assertThat(metric("apiserver_longrunning_requests", open)).isZero();
  }

  private static void pullAll(BodyStream stream) {
    BodyStream.Pull pull = BodyStream.Pull.MORE;
    while (pull == BodyStream.Pull.MORE) {
      pull = stream.pull((_, _, _) -> {}, 64_000);
    }
  }

  @Test
  void commits_areTimedByOperationAndKind() {
    fixture.createConfigMaps(2);
    assertThat(client.delete(MAPS + "/c000").status()).isEqualTo(200);
    String name = "etcd_request_duration_seconds_count";
    String[] maps = {"group=\"\"", "resource=\"configmaps\""};
    assertThat(metric(name, with(maps, "operation=\"create\""))).isEqualTo(2);
    assertThat(metric(name, with(maps, "operation=\"delete\""))).isEqualTo(1);
  }

  @Test
  void kindsThatAreNotServed_makeNoSeries() {
    for (int i = 0; i < 3; i++) {
      assertThat(client.get("/apis/made.up" + i + "/v1/things").status()).isEqualTo(404);
    }
    assertThat(page()).doesNotContain("made.up");
  }
}
