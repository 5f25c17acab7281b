package dev.evenkeel.serve;

import static dev.evenkeel.serve.ServerFixture.CONFIG_MAPS;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The table "Reads" of the API's semantics, line by line. */
final class ReadSemanticsTest {

  private final ServerFixture fixture = new ServerFixture();
  private final Client client = fixture.client;

  @AfterEach
  void close() {
    fixture.close();
  }

  private static List<String> names(JsonNode list) {
    List<String> names = new ArrayList<>();
    list.path("items").forEach(item -> names.add(item.path("metadata").path("name").asString()));
    return names;
  }

  private long version() {
    return Long.parseLong(client.get(CONFIG_MAPS).text("metadata", "resourceVersion"));
  }

  @Test
  void list_isNewestAndInOrder() {
    fixture.createConfigMaps(5);
    Client.Answer list = client.get(CONFIG_MAPS);
    assertThat(list.status()).isEqualTo(200);
    assertThat(list.text("kind")).isEqualTo("ConfigMapList");
    assertThat(names(list.body())).containsExactly("c000", "c001", "c002", "c003", "c004");
  }

  @Test
  void chunks_showTheStateOfTheFirst() {
    fixture.createConfigMaps(7);
    Client.Answer first = client.get(CONFIG_MAPS + "?limit=3");
    assertThat(names(first.body())).containsExactly("c000", "c001", "c002");
    assertThat(first.text("metadata", "remainingItemCount")).isEqualTo("4");
    client.createConfigMap("default", "c0025", "late");
    client.delete(CONFIG_MAPS + "/c006");
    Client.Answer second =
        client.get(CONFIG_MAPS + "?limit=3&continue=" + first.text("metadata", "continue"));
    assertThat(names(second.body())).containsExactly("c003", "c004", "c005");
    assertThat(second.text("metadata", "resourceVersion"))
        .isEqualTo(first.text("metadata", "resourceVersion"));
    Client.Answer third =
        client.get(CONFIG_MAPS + "?limit=3&continue=" + second.text("metadata", "continue"));
    assertThat(names(third.body())).containsExactly("c006");
    assertThat(third.body().path("metadata").has("continue")).isFalse();
  }

  /** Whether more follows is told from what is there, not from what matches: as upstream. */
  @Test
  void aFullChunk_goesOnWhateverComesNext() {
    fixture.createConfigMaps(3);
    String one = "&fieldSelector=metadata.name%3Dc001";
    String other = "&fieldSelector=metadata.name!%3Dc002";
    Client.Answer full = client.get(CONFIG_MAPS + "?limit=2" + other);
    assertThat(names(full.body())).containsExactly("c000", "c001");
    String token = full.text("metadata", "continue");
    assertThat(token).isNotEmpty();
    Client.Answer last = client.get(CONFIG_MAPS + "?limit=2" + other + "&continue=" + token);
    assertThat(names(last.body())).isEmpty();
    assertThat(last.body().path("metadata").has("continue")).isFalse();
    Client.Answer single = client.get(CONFIG_MAPS + "?limit=1" + one);
    assertThat(names(single.body())).containsExactly("c001");
    assertThat(single.body().path("metadata").has("continue")).isFalse();
  }

  @Test
  void aChunkWhoseStateIsGone_is410WithATokenThatGoesOn() {
    fixture.createConfigMaps(150);
    Client.Answer first = client.get(CONFIG_MAPS + "?limit=2");
    String token = first.text("metadata", "continue");
    // Out of the cache's memory of earlier states, and out of the store's.
    for (int i = 0; i < 1_100; i++) {
      client.createConfigMap("kube-public", "n" + i, "x");
    }
    fixture.env.runFor(Duration.ofMinutes(11));
    Client.Answer expired = client.get(CONFIG_MAPS + "?limit=2&continue=" + token);
    assertThat(expired.status()).isEqualTo(410);
    assertThat(expired.text("reason")).isEqualTo("Expired");
    String next = expired.text("metadata", "continue");
    assertThat(new String(Base64.getUrlDecoder().decode(next), StandardCharsets.UTF_8))
        .contains("\"rv\":-1");
    Client.Answer onwards = client.get(CONFIG_MAPS + "?limit=2&continue=" + next);
    assertThat(names(onwards.body())).containsExactly("c002", "c003");
  }

  @Test
  void anExactVersion_isShownFromTheWindowAndFromTheStore() {
    fixture.createConfigMaps(2);
    long then = version();
    for (int i = 0; i < 1_200; i++) {
      client.createConfigMap("default", "d" + i, "x");
    }
    String exact = "?resourceVersionMatch=Exact&resourceVersion=";
    assertThat(names(client.get(CONFIG_MAPS + exact + then).body()))
        .containsExactly("c000", "c001");
    assertThat(names(client.get(CONFIG_MAPS + exact + (then + 1)).body())).hasSize(3);
    assertThat(names(client.get(CONFIG_MAPS + exact + (then + 1_190)).body())).hasSize(1_192);
  }

  @Test
  void aVersionFromTheFuture_timesOutWithItsCause() {
    Client.Answer answer = client.get(CONFIG_MAPS + "?resourceVersion=1000000");
    assertThat(answer.status()).isEqualTo(504);
    assertThat(answer.text("reason")).isEqualTo("Timeout");
    assertThat(answer.text("message")).contains("Too large resource version: 1000000, current: ");
    assertThat(answer.text("details", "causes")).contains("ResourceVersionTooLarge");
  }

  @Test
  void versionZero_ignoresTheLimit() {
    fixture.createConfigMaps(3);
    assertThat(names(client.get(CONFIG_MAPS + "?resourceVersion=0&limit=1").body())).hasSize(3);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "resourceVersionMatch=Exact",
        "resourceVersionMatch=Exact&resourceVersion=0",
        "resourceVersionMatch=Sometimes&resourceVersion=5",
        "sendInitialEvents=true",
        "watch=true&sendInitialEvents=true",
        "watch=true&resourceVersionMatch=NotOlderThan",
        "watch=true&sendInitialEvents=true&resourceVersionMatch=Exact&allowWatchBookmarks=true",
      })
  void contradictoryOptions_areRefused(String query) {
    Client.Answer answer = client.get(CONFIG_MAPS + "?" + query);
    assertThat(answer.status()).as(answer.toString()).isEqualTo(422);
  }

  @ParameterizedTest
  @CsvSource(
      value = {
        "continue=abc|400",
        "continue=eyJ2IjoidjEifQ|400",
        "limit=x|400",
        "resourceVersion=abc|400",
        "resourceVersion=-5|400",
        "labelSelector=a in (|400",
        "fieldSelector=spec.nothing=1|400",
        "fieldSelector=nonsense|400",
      },
      delimiter = '|')
  void nonsense_isABadRequest(String query, int status) {
    Client.Answer answer =
        client.get(CONFIG_MAPS + "?" + query.replace(" ", "%20").replace("=1", "%3D1"));
    assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
    assertThat(answer.text("kind")).isEqualTo("Status");
  }

  @Test
  void selectors_select() {
    for (String color : List.of("red", "blue")) {
      client.post(
          CONFIG_MAPS,
          "{\"metadata\":{\"name\":\"%s\",\"labels\":{\"color\":\"%s\"}}}".formatted(color, color));
    }
    assertThat(names(client.get(CONFIG_MAPS + "?labelSelector=color%3Dred").body()))
        .containsExactly("red");
    assertThat(names(client.get(CONFIG_MAPS + "?fieldSelector=metadata.name%3Dblue").body()))
        .containsExactly("blue");
    assertThat(names(client.get("/api/v1/configmaps?labelSelector=color").body()))
        .containsExactly("blue", "red");
  }

  @Test
  void tables_haveRowsAndColumns() {
    fixture.createConfigMaps(2);
    Client.Answer table =
        Client.answer(
            client.raw(
                "GET",
                CONFIG_MAPS,
                Map.of("accept", "application/json;as=Table;v=v1;g=meta.k8s.io,application/json"),
                new byte[0]));
    assertThat(table.text("kind")).isEqualTo("Table");
    assertThat(table.body().path("rows")).hasSize(2);
    assertThat(table.body().path("rows").get(0).path("cells").get(0).asString()).isEqualTo("c000");
    assertThat(table.body().path("rows").get(0).path("object").path("kind").asString())
        .isEqualTo("PartialObjectMetadata");
    assertThat(table.body().path("columnDefinitions").get(0).path("name").asString())
        .isEqualTo("Name");
  }

  @Test
  void metadataOnly_leavesOutTheRest() {
    fixture.createConfigMaps(1);
    Client.Answer list =
        Client.answer(
            client.raw(
                "GET",
                CONFIG_MAPS,
                Map.of(
                    "accept", "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io"),
                new byte[0]));
    assertThat(list.text("kind")).isEqualTo("PartialObjectMetadataList");
    assertThat(list.body().path("items").get(0).has("data")).isFalse();
    assertThat(list.body().path("items").get(0).path("metadata").path("name").asString())
        .isEqualTo("c000");
  }

  @Test
  void annotationThatIsAFieldOfOldSpecs_isNotInMetadataAlone() {
    String sets = "/apis/apps/v1/namespaces/default/daemonsets";
    client.post(
        sets,
        "{\"metadata\":{\"name\":\"d\"},\"spec\":{\"selector\":{\"matchLabels\":{\"a\":\"b\"}},\"template\":{\"metadata\":{\"labels\":{\"a\":\"b\"}},\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}}}");
    assertThat(client.get(sets + "/d").text("metadata", "annotations"))
        .contains("deprecated.daemonset.template.generation");
    Client.Answer partial =
        Client.answer(
            client.raw(
                "GET",
                sets + "/d",
                Map.of("accept", "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io"),
                new byte[0]));
    assertThat(partial.text("metadata", "name")).isEqualTo("d");
    assertThat(partial.body().path("metadata").has("annotations")).isFalse();
  }

  @Test
  void whatIsNotThere_is404() {
    assertThat(client.get(CONFIG_MAPS + "/none").text("message"))
        .isEqualTo("configmaps \"none\" not found");
    assertThat(client.get("/apis/apps/v1/namespaces/default/deployments/none").text("message"))
        .isEqualTo("deployments.apps \"none\" not found");
    assertThat(client.get("/api/v1/nothings").text("message"))
        .isEqualTo("the server could not find the requested resource");
    assertThat(client.get("/apis/none.io/v1").status()).isEqualTo(404);
  }

  @Test
  void anUnknownForm_is406() {
    var response = client.raw("GET", CONFIG_MAPS, Map.of("accept", "text/html"), new byte[0]);
    assertThat(response.status()).isEqualTo(406);
  }

  @Test
  void wrongMethods_are405() {
    assertThat(client.call("POST", "/api/v1/configmaps", "application/json", "{}").status())
        .isEqualTo(405);
    assertThat(client.call("TRACE", CONFIG_MAPS, "application/json", "").status()).isEqualTo(405);
    assertThat(client.call("PUT", CONFIG_MAPS, "application/json", "{}").status()).isEqualTo(405);
  }
}
