package dev.evenkeel.serve;

import static dev.evenkeel.serve.ServerFixture.CONFIG_MAPS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.serve.api.ApiResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The section "Watch" of the API's semantics. */
final class WatchSemanticsTest {

  private final ServerFixture fixture = new ServerFixture();
  private final Client client = fixture.client;

  @AfterEach
  void close() {
    fixture.close();
  }

  private static List<String> types(List<JsonNode> events) {
    return events.stream().map(event -> event.path("type").asString()).toList();
  }

  private String version() {
    return client.get(CONFIG_MAPS).text("metadata", "resourceVersion");
  }

  @Test
  void aWatchFromAVersion_showsEachChangeAfterIt() {
    fixture.createConfigMaps(1);
    Client.Events events = client.watch(CONFIG_MAPS + "?watch=1&resourceVersion=" + version());
    client.createConfigMap("default", "a", "1");
    client.patch(CONFIG_MAPS + "/a", "merge-patch", "{\"data\":{\"v\":\"2\"}}");
    client.delete(CONFIG_MAPS + "/a");
    List<JsonNode> seen = events.pullAll();
    assertThat(types(seen)).containsExactly("ADDED", "MODIFIED", "DELETED");
    JsonNode deleted = seen.get(2).path("object");
    assertThat(deleted.path("data").path("v").asString()).isEqualTo("2");
    assertThat(deleted.path("metadata").path("resourceVersion").asString()).isEqualTo(version());
  }

  @Test
  void initialEvents_endWithABookmarkAlsoWhenThereAreNone() {
    String query =
        "?watch=true&sendInitialEvents=true&allowWatchBookmarks=true"
            + "&resourceVersionMatch=NotOlderThan";
    List<JsonNode> none = client.watch(CONFIG_MAPS + query).pullAll();
    assertThat(types(none)).containsExactly("BOOKMARK");
    fixture.createConfigMaps(2);
    Client.Events events = client.watch(CONFIG_MAPS + query);
    List<JsonNode> some = events.pullAll();
    assertThat(types(some)).containsExactly("ADDED", "ADDED", "BOOKMARK");
    JsonNode metadata = some.get(2).path("object").path("metadata");
    assertThat(metadata.path("annotations").path("k8s.io/initial-events-end").asString())
        .isEqualTo("true");
    assertThat(metadata.path("resourceVersion").asString()).isEqualTo(version());
    client.createConfigMap("default", "a", "1");
    assertThat(types(events.pullAll())).containsExactly("ADDED");
  }

  @Test
  void aWatchWithoutVersion_startsWithTheState() {
    fixture.createConfigMaps(2);
    assertThat(types(client.watch(CONFIG_MAPS + "?watch=true").pullAll()))
        .containsExactly("ADDED", "ADDED");
    assertThat(types(client.watch(CONFIG_MAPS + "?watch=true&resourceVersion=0").pullAll()))
        .containsExactly("ADDED", "ADDED");
  }

  @Test
  void watchesOfOneScope_areWokenInTheOrderInWhichTheyBeganToWait() {
    List<Integer> woken = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Client.Events events = client.watch(CONFIG_MAPS + "?watch=1&resourceVersion=" + version());
      events.pullAll();
      int number = i;
      events.stream().onReady(() -> woken.add(number));
    }
    client.createConfigMap("default", "a", "1");
    assertThat(woken).containsExactly(0, 1, 2, 3);
  }

  @Test
  void enteringAndLeavingASelector_areAddedAndDeleted() {
    client.createConfigMap("default", "a", "1");
    Client.Events events =
        client.watch(
            CONFIG_MAPS + "?watch=true&labelSelector=c%3Dred&resourceVersion=" + version());
    client.patch(CONFIG_MAPS + "/a", "merge-patch", "{\"metadata\":{\"labels\":{\"c\":\"red\"}}}");
    client.patch(CONFIG_MAPS + "/a", "merge-patch", "{\"data\":{\"v\":\"2\"}}");
    client.patch(CONFIG_MAPS + "/a", "merge-patch", "{\"metadata\":{\"labels\":{\"c\":\"blue\"}}}");
    client.patch(CONFIG_MAPS + "/a", "merge-patch", "{\"data\":{\"v\":\"3\"}}");
    List<JsonNode> seen = events.pullAll();
    assertThat(types(seen)).containsExactly("ADDED", "MODIFIED", "DELETED");
    assertThat(seen.get(2).path("object").path("metadata").path("labels").path("c").asString())
        .isEqualTo("red");
  }

  @Test
  void tables_tellTheirColumnsOnce() {
    fixture.createConfigMaps(2);
    Map<String, String> asTables = Map.of("accept", "application/json;as=Table;v=v1;g=meta.k8s.io");
    ApiResponse answer = client.raw("GET", CONFIG_MAPS + "?watch=true", asTables, new byte[0]);
    Client.Events events = client.eventsOf(answer);
    List<JsonNode> state = events.pullAll();
    client.createConfigMap("default", "a", "1");
    List<JsonNode> later = events.pullAll();
    assertThat(state.get(0).path("object").path("columnDefinitions")).isNotEmpty();
    assertThat(state.get(1).path("object").path("columnDefinitions").isNull()).isTrue();
    assertThat(later.get(0).path("object").path("columnDefinitions").isNull()).isTrue();
    assertThat(later.get(0).path("object").path("rows")).hasSize(1);
  }

  @Test
  void theStateOfAVersionFromTheFuture_isToldInTheStreamThatItDidNotCome() {
    Client.Events events =
        client.watch(
            CONFIG_MAPS
                + "?watch=true&sendInitialEvents=true&allowWatchBookmarks=true"
                + "&resourceVersionMatch=NotOlderThan&resourceVersion=1000000");
    List<JsonNode> seen = events.pullAll();
    assertThat(types(seen)).containsExactly("ERROR");
    assertThat(seen.getFirst().path("object").path("code").asInt()).isEqualTo(504);
    assertThat(events.isOver()).isTrue();
  }

  @Test
  void bookmarks_comeEveryMinuteAndBeforeTheEnd() {
    Client.Events events =
        client.watch(
            CONFIG_MAPS
                + "?watch=true&allowWatchBookmarks=true&timeoutSeconds=90&resourceVersion="
                + version());
    // Versions go on elsewhere; a bookmark carries them along.
    client.post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"more\"}}");
    fixture.env.runFor(Duration.ofSeconds(65));
    assertThat(types(events.pullAll())).containsExactly("BOOKMARK");
    fixture.env.runFor(Duration.ofSeconds(30));
    List<JsonNode> last = events.pull(1_000);
    assertThat(types(last)).containsExactly("BOOKMARK");
    assertThat(events.isOver()).isTrue();
    assertThat(last.get(0).path("object").path("metadata").path("resourceVersion").asString())
        .isEqualTo(version());
  }

  @Test
  void aWatcherThatWaits_isWokenOnceForABatch() {
    Client.Events events = client.watch(CONFIG_MAPS + "?watch=1&resourceVersion=" + version());
    Client.Events elsewhere =
        client.watch(
            "/api/v1/namespaces/kube-public/configmaps?watch=1&resourceVersion=" + version());
    var wakes = new AtomicInteger();
    var wakesElsewhere = new AtomicInteger();
    assertThat(events.pullAll()).isEmpty();
    assertThat(elsewhere.pullAll()).isEmpty();
    events.stream().onReady(wakes::incrementAndGet);
    elsewhere.stream().onReady(wakesElsewhere::incrementAndGet);
    fixture.createConfigMaps(5);
    assertThat(wakes).hasValue(1);
    assertThat(wakesElsewhere).hasValue(0);
    assertThat(types(events.pullAll())).hasSize(5);
  }

  @Test
  void tooOldAVersion_is410() {
    fixture.createConfigMaps(3);
    String old = version();
    for (int i = 0; i < 300; i++) {
      client.createConfigMap("default", "d" + i, "x");
    }
    fixture.env.runFor(Duration.ofSeconds(200));
    Client.Answer answer = client.get(CONFIG_MAPS + "?watch=true&resourceVersion=" + old);
    assertThat(answer.status()).isEqualTo(410);
    assertThat(answer.text("reason")).isEqualTo("Expired");
    assertThat(answer.text("message")).startsWith("too old resource version: " + old + " (");
  }

  @Test
  void drain_endsWatchesCleanly() {
    Client.Events events =
        client.watch(
            CONFIG_MAPS + "?watch=1&allowWatchBookmarks=true&resourceVersion=" + version());
    client.createConfigMap("default", "a", "1");
    fixture.server.drain();
    assertThat(types(events.pull(10_000))).containsExactly("ADDED", "BOOKMARK");
    assertThat(events.isOver()).isTrue();
  }

  @Test
  void anotherVersionOfTheApi_isWatchedInThatVersion() {
    String path = "/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers";
    Client.Events events = client.watch(path + "?watch=1");
    Client.Answer made =
        client.post(
            path,
            "{\"metadata\":{\"name\":\"h\"},\"spec\":{\"maxReplicas\":3,"
                + "\"targetCPUUtilizationPercentage\":70,"
                + "\"scaleTargetRef\":{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"name\":\"d\"}}}");
    assertThat(made.status()).as(made.toString()).isEqualTo(201);
    List<JsonNode> seen = events.pullAll();
    assertThat(types(seen)).containsExactly("ADDED");
    JsonNode object = seen.get(0).path("object");
    assertThat(object.path("apiVersion").asString()).isEqualTo("autoscaling/v1");
    assertThat(object.path("spec").path("targetCPUUtilizationPercentage").asInt()).isEqualTo(70);
    assertThat(
            client
                .get(path.replace("/v1/", "/v2/") + "/h")
                .body()
                .path("spec")
                .path("metrics")
                .get(0)
                .path("resource")
                .path("name")
                .asString())
        .isEqualTo("cpu");
  }
}
