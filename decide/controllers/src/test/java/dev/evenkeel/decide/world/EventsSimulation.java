package dev.evenkeel.decide.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.decide.plan.PlannedEvent;
import dev.evenkeel.decide.run.Controller;
import dev.evenkeel.decide.run.EventRecorder;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kind;
import dev.evenkeel.observe.object.Kinds;
import dev.evenkeel.observe.object.ObjectReader;
import dev.evenkeel.observe.object.Trim;
import dev.evenkeel.observe.transport.Answer;
import dev.evenkeel.observe.transport.Client;
import dev.evenkeel.observe.transport.Request;
import dev.evenkeel.observe.transport.Transport;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** What users are told, on the real server. */
final class EventsSimulation {

  private static final Kind<ObjectNode> EVENTS = Kind.untyped("v1", "Event", "events", true);

  /** Tells the text that a map holds, each time it changes. */
  private static Controller<ObjectNode> teller() {
    return Controller.of(
        "teller",
        Kinds.CONFIG_MAPS,
        (map, _) ->
            Plan.empty()
                .tell(
                    PlannedEvent.Type.NORMAL,
                    "Said",
                    map.tree().path("data").path("say").asString("")));
  }

  private static World world() {
    return new World(1, 0, List.of(teller()));
  }

  private static void say(World world, String text, int time) {
    world.patch(
        Kinds.CONFIG_MAPS, "a", "{\"data\":{\"say\":\"" + text + "\",\"time\":\"" + time + "\"}}");
    world.env.runFor(Duration.ofSeconds(1));
  }

  private static ObjectNode create(World world) {
    return world.create(
        Kinds.CONFIG_MAPS,
        "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\"},\"data\":{\"say\":\"hello\"}}");
  }

  @Test
  void whatIsToldAgain_isCounted() {
    try (var world = world()) {
      ObjectNode map = create(world);
      world.env.runFor(Duration.ofSeconds(1));
      for (int i = 0; i < 5; i++) {
        say(world, "hello", i);
      }
      List<ObjectNode> events = world.list(EVENTS);
      assertThat(events).hasSize(1);
      ObjectNode event = events.getFirst();
      assertThat(event.path("count").asInt()).isEqualTo(6);
      assertThat(event.path("reason").asString()).isEqualTo("Said");
      assertThat(event.path("message").asString()).isEqualTo("hello");
      assertThat(event.path("source").path("component").asString()).isEqualTo("teller-controller");
      assertThat(event.path("involvedObject").path("uid"))
          .isEqualTo(map.path("metadata").path("uid"));
      assertThat(event.path("lastTimestamp").asString())
          .isGreaterThan(event.path("firstTimestamp").asString());
      assertThat(world.told()).isEqualTo(new EventRecorder.Figures(6, 6, 0));
    }
  }

  @Test
  void manyTexts_becomeOneEvent_andWhoTellsTooMuchIsHeardLess() {
    try (var world = world()) {
      create(world);
      for (int i = 0; i < 60; i++) {
        say(world, "text " + i, i);
      }
      List<ObjectNode> events = world.list(EVENTS);
      assertThat(events).hasSize(11);
      List<ObjectNode> combined =
          events.stream()
              .filter(it -> it.path("message").asString().startsWith("(combined from similar"))
              .toList();
      assertThat(combined).hasSize(1);
      assertThat(combined.getFirst().path("count").asInt()).isBetween(10, 16);
      assertThat(world.told().dropped()).isBetween(30L, 40L);
      assertThat(world.told().written()).isEqualTo(world.told().told() - world.told().dropped());
    }
  }

  @Test
  void aBurst_isWrittenToTheEnd_andWhatIsBeyondTheLimitIsCounted() {
    try (var world = world()) {
      byte[] json = Json.encode(create(world));
      Cached<ObjectNode> map =
          new ObjectReader<>(Kinds.CONFIG_MAPS, Trim.NONE).read(json, 0, json.length);
      try (var events = new EventRecorder(world.env, world.user)) {
        tellAtOnce(events, map, 3_000);
        world.env.runFor(Duration.ofMinutes(1));
        assertThat(events.figures()).isEqualTo(new EventRecorder.Figures(3_000, 3_000, 0));
      }
      try (var events = new EventRecorder(world.env, new Client(new Silence()))) {
        tellAtOnce(events, map, 20_010);
        world.env.runFor(Duration.ofSeconds(1));
        assertThat(events.figures()).isEqualTo(new EventRecorder.Figures(20_010, 0, 8));
      }
    }
  }

  /** Each by another component: what one component tells of an object is bounded. */
  private static void tellAtOnce(EventRecorder events, Cached<ObjectNode> about, int count) {
    for (int i = 0; i < count; i++) {
      events.tell(
          about, "teller-" + i, new PlannedEvent(PlannedEvent.Type.NORMAL, "Said", "hello"));
    }
  }

  @Test
  void answersThatNeverCome_keepNobodyFromTelling() {
    try (var world = world()) {
      byte[] json = Json.encode(create(world));
      Cached<ObjectNode> map =
          new ObjectReader<>(Kinds.CONFIG_MAPS, Trim.NONE).read(json, 0, json.length);
      var silence = new Silence();
      try (var events = new EventRecorder(world.env, new Client(silence))) {
        tellAtOnce(events, map, 5);
        world.env.runFor(Duration.ofSeconds(59));
        assertThat(silence.asked).isEqualTo(2);
        world.env.runFor(Duration.ofSeconds(2));
        tellAtOnce(events, map, 6);
        world.env.runFor(Duration.ofSeconds(1));
        assertThat(silence.asked).isEqualTo(4);
      }
    }
  }

  @Test
  void whatCannotBeSent_isCounted_andKeepsNobodyFromTelling() {
    try (var world = world()) {
      byte[] json = Json.encode(create(world));
      Cached<ObjectNode> map =
          new ObjectReader<>(Kinds.CONFIG_MAPS, Trim.NONE).read(json, 0, json.length);
      Transport broken =
          new Transport() {
            @Override
            public CompletableFuture<Answer> send(Request request) {
              throw new IllegalStateException("no way out");
            }

            @Override
            public void close() {}
          };
      try (var events = new EventRecorder(world.env, new Client(broken))) {
        tellAtOnce(events, map, 5);
        world.env.runFor(Duration.ofSeconds(1));
        assertThat(events.figures()).isEqualTo(new EventRecorder.Figures(5, 0, 5));
      }
    }
  }

  /** Takes requests and never answers. */
  private static final class Silence implements Transport {
    private int asked;

    @Override
    public CompletableFuture<Answer> send(Request request) {
      asked++;
      return new CompletableFuture<>();
    }

    @Override
    public void close() {}
  }

  @Test
  void objectWithALongName_isToldOf() {
    try (var world = world()) {
      world.create(
          Kinds.CONFIG_MAPS,
          "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"%s\"},\"data\":{\"say\":\"hello\"}}"
              .formatted("a".repeat(252)));
      world.env.runFor(Duration.ofSeconds(1));
      assertThat(world.told()).isEqualTo(new EventRecorder.Figures(1, 1, 0));
    }
  }

  @Test
  void aCreateThatIsRefused_isToldAsAWarning() {
    Controller<ObjectNode> maker =
        Controller.of(
            "maker",
            Kinds.CONFIG_MAPS,
            (map, _) ->
                Plan.empty()
                    .create(
                        Kinds.PODS,
                        World.json(
                            "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"BAD"
                                + " NAME\","
                                + "\"namespace\":\"default\"},\"spec\":{\"containers\":[{\"name\":\"c\","
                                + "\"image\":\"i\"}]}}"),
                        "it is wanted")
                    .telling("SuccessfulCreate", "Created pod: {}"));
    try (var world = new World(1, 0, List.of(maker))) {
      create(world);
      world.env.runFor(Duration.ofSeconds(1));
      ObjectNode event = world.list(EVENTS).getFirst();
      assertThat(event.path("type").asString()).isEqualTo("Warning");
      assertThat(event.path("reason").asString()).isEqualTo("FailedCreate");
      assertThat(event.path("message").asString()).contains("BAD NAME");
    }
  }
}
