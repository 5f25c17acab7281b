package dev.evenkeel.operate.look;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.explain.record.Decision;
import dev.evenkeel.explain.record.DecisionJson;
import dev.evenkeel.kernel.json.Json;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class LookTest {

  private static final Decision DECISION =
      new Decision(
          "1f",
          "replicaset",
          new Decision.Subject("apps/v1", "ReplicaSet", "shop", "web", "u-1", 2, 40),
          Instant.parse("2026-05-01T12:00:00.123Z"),
          Duration.ofMillis(34),
          new Decision.Waking(
              List.of(new Decision.Reason("OWNED", "Pod/web-1 gone")),
              1,
              2,
              Duration.ofMillis(5),
              Duration.ZERO,
              Duration.ofSeconds(2),
              Duration.ZERO),
          List.of(new Decision.Read("pods", "owner=u-1", 41, 1, false)),
          null,
          List.of(
              new Decision.ActionRecord(
                  "create",
                  "pods shop/web-2",
                  "replica 2 of 2 is missing",
                  "",
                  Decision.ActionRecord.Result.REFUSED,
                  0,
                  "quota")),
          new Decision.Outcome(Decision.Outcome.Kind.FAILED, "quota"),
          new Decision.Next(Instant.parse("2026-05-01T12:00:10Z"), "to try again"));

  @Test
  void decision_readsFromTheWakeUpToWhatCameOfIt() {
    assertThat(DecisionsCommand.text(DecisionJson.of(DECISION)))
        .isEqualTo(
            """
            12:00:00.123  replicaset/web in shop  failed after 34ms  (replicaset, 1f)
              woken   Pod/web-1 gone
                      waited 5ms, backed off 2.0s, attempt 2
              read    pods owner=u-1: 1 at version 41
              create  pods shop/web-2: replica 2 of 2 is missing; refused (quota)
              so      quota
              next    2026-05-01T12:00:10Z: to try again
            """);
  }

  private static final KindWords WORDS =
      KindWords.of(
          json(
              """
              {"items":[{"metadata":{},"versions":[{"version":"v1","resources":[
                {"resource":"pods","responseKind":{"kind":"Pod"},"singularResource":"pod",
                 "verbs":["get","list"],"shortNames":["po"]},
                {"resource":"bindings","responseKind":{"kind":"Binding"},
                 "singularResource":"binding","verbs":["create"]}]}]}]}
              """),
          json(
              """
              {"items":[
                {"metadata":{"name":"apps"},"versions":[{"version":"v1","resources":[
                  {"resource":"deployments","responseKind":{"kind":"Deployment"},
                   "singularResource":"deployment","verbs":["list"],"shortNames":["deploy"]}]}]},
                {"metadata":{"name":"example.com"},"versions":[{"version":"v1","resources":[
                  {"resource":"pods","responseKind":{"kind":"Peapod"},"singularResource":"peapod",
                   "verbs":["list"]}]}]}]}
              """));

  private static JsonNode json(String text) {
    return Json.parse(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void kinds_areNamedAsForKubectl() {
    for (String word : List.of("po", "pod", "pods", "Pod", "PODS")) {
      assertThat(WORDS.kind(word)).as(word).isEqualTo("Pod");
    }
    for (String word :
        List.of("deploy", "Deployment", "deployments", "deploy.apps", "deployments.v1.apps")) {
      assertThat(WORDS.kind(word)).as(word).isEqualTo("Deployment");
    }
    assertThat(WORDS.kind("pods.example.com")).isEqualTo("Peapod");
  }

  @Test
  void kindThatIsNotThere_isToldWhatIs() {
    for (String word : List.of("widget", "deployments.batch", "podss", "p")) {
      assertThat(WORDS.kind(word)).as(word).isNull();
    }
    assertThat(WORDS.unknown("widget"))
        .isEqualTo(
            "there is no kind 'widget' on this server; ask about one of deployments (deploy), pods,"
                + " pods (po)");
  }

  @Test
  void lateViews_sayWhatIsWaitedFor() {
    var late =
        Json.parse(
            """
            [{"controller":"replicaset","namespace":"default","name":"web","seconds":12,
              "waits":"waiting for version 12 of pods, seen 10, for 12 s"},
             {"controller":"scheduler","seconds":3,"waits":"waiting for version 9 of nodes, seen 8, for 3 s"}]
            """
                .getBytes(StandardCharsets.UTF_8));
    assertThat(QueuesCommand.late(late, ""))
        .isEqualTo(
            """

            CONTROLLER  KEY          LATE VIEW
            replicaset  default/web  waiting for version 12 of pods, seen 10, for 12 s
            scheduler   all          waiting for version 9 of nodes, seen 8, for 3 s
            """);
    assertThat(QueuesCommand.late(late, "scheduler")).doesNotContain("replicaset");
    assertThat(QueuesCommand.late(late, "job")).isEmpty();
  }

  @Test
  void leases_sayWhoLeads() {
    assertThat(
            QueuesCommand.leases(
                Json.parse(
                    """
                    [{"name":"kube-system/a","holder":"one_1","here":true,"term":3},
                     {"name":"kube-system/b","holder":"two_2","here":false},
                     {"name":"kube-system/c","holder":"","here":false}]
                    """
                        .getBytes(StandardCharsets.UTF_8))))
        .isEqualTo(
            """
            LEASE          HOLDER  HERE   TERM
            kube-system/a  one_1   leads  3
            kube-system/b  two_2   waits  -
            kube-system/c  -       waits  -

            """);
    assertThat(QueuesCommand.leases(Json.parse("[]".getBytes(StandardCharsets.UTF_8)))).isEmpty();
  }

  @Test
  void events_sayWhatBecameOfThem() {
    assertThat(
            QueuesCommand.events(
                Json.parse(
                    "{\"told\":7,\"written\":5,\"dropped\":2}".getBytes(StandardCharsets.UTF_8))))
        .isEqualTo("\nevents: 7 told, 5 written, 2 dropped\n");
  }

  @Test
  void columns_areAsWideAsTheyHaveToBe() {
    assertThat(Output.table(List.of(List.of("A", "LONG", "C"), List.of("one", "2", "3"))))
        .isEqualTo("A    LONG  C\none  2     3\n");
  }

  @Test
  void durations_areShort() {
    assertThat(List.of(0.0, 0.25, 12.4, 3_400.0, 600_000.0).stream().map(Output::millis))
        .containsExactly("0", "0.3ms", "12ms", "3.4s", "10m");
  }
}
