package dev.evenkeel.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.serve.api.ApiResponse;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Answers for people. */
final class IndentationTest {

  private final ServerFixture fixture = new ServerFixture();
  private final Client client = fixture.client;

  @AfterEach
  void close() {
    fixture.close();
  }

  private String text(String path, String agent) {
    ApiResponse answer = client.raw("GET", path, Map.of("user-agent", agent), new byte[0]);
    var bytes = new ByteArrayOutputStream();
    switch (answer.content()) {
      case ApiResponse.Whole whole -> bytes.writeBytes(whole.bytes());
      case ApiResponse.Streamed streamed -> {
        // A few bytes at a time, so that pieces end in the middle of things.
        while (streamed.stream().pull((head, body, tail) -> add(bytes, head, body, tail), 1)
            == dev.evenkeel.serve.api.BodyStream.Pull.MORE) {}
      }
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private static void add(ByteArrayOutputStream bytes, byte[]... parts) {
    for (byte[] part : parts) {
      bytes.writeBytes(part);
    }
  }

  @Test
  void object_hasALineForEachValue() {
    client.createConfigMap("default", "a", "x: {\\\"y\\\", [1]}\\\\");
    String plain = text(ServerFixture.CONFIG_MAPS + "/a", "kubectl/v1.34.0");
    String pretty = text(ServerFixture.CONFIG_MAPS + "/a?pretty=true", "kubectl/v1.34.0");
    assertThat(plain).doesNotContain("\n  ");
    assertThat(pretty)
        .startsWith("{\n  \"apiVersion\": \"v1\",\n  \"kind\": \"ConfigMap\",\n  \"metadata\": {\n")
        .contains("\n  \"data\": {\n    \"v\": \"x: {\\\"y\\\", [1]}\\\\\"\n  }\n")
        .endsWith("\n}");
    assertThat(Json.parse(pretty.getBytes(StandardCharsets.UTF_8)))
        .isEqualTo(Json.parse(plain.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void list_isIndentedAsItPasses() {
    assertThat(text(ServerFixture.CONFIG_MAPS + "?pretty=1&labelSelector=no", "x"))
        .contains("\n  \"items\": []");
    fixture.createConfigMaps(3);
    String pretty = text(ServerFixture.CONFIG_MAPS + "?pretty=1", "x");
    assertThat(pretty).contains("\n  \"items\": [\n    {\n      ").contains("\n    },\n    {\n");
    assertThat(Json.parse(pretty.getBytes(StandardCharsets.UTF_8)).path("items")).hasSize(3);
  }

  @ParameterizedTest
  @CsvSource({
    "'', kubectl/v1.34.0, false",
    "'', curl/8.5.0, true",
    "'', Wget/1.21, true",
    "'', Mozilla/5.0 (X11), true",
    "?pretty=, curl/8.5.0, true",
    "?pretty=false, curl/8.5.0, false",
    "?pretty=0, curl/8.5.0, false",
    "?pretty=nonsense, curl/8.5.0, false",
    "?pretty=1, kubectl/v1.34.0, true",
    "?pretty=T, kubectl/v1.34.0, true",
  })
  void whoAsksForIt_andWhoIsLookedAt(String query, String agent, boolean pretty) {
    for (String path : new String[] {"/api/v1/namespaces/default", "/api/v1", "/api/v1/none"}) {
      assertThat(text(path + query, agent).contains("\n  ")).as(path).isEqualTo(pretty);
    }
  }

  @Test
  void watch_keepsItsLines() {
    client.createConfigMap("default", "a", "1");
    ApiResponse watch =
        client.raw(
            "GET",
            ServerFixture.CONFIG_MAPS + "?watch=1&pretty=true",
            Map.of("user-agent", "curl/8.5.0"),
            new byte[0]);
    var bytes = new ByteArrayOutputStream();
    var stream = ((ApiResponse.Streamed) watch.content()).stream();
    stream.pull((head, body, tail) -> add(bytes, head, body, tail), 10_000);
    stream.close();
    assertThat(bytes.toString(StandardCharsets.UTF_8)).contains("\"ADDED\"").doesNotContain("\n ");
  }
}
