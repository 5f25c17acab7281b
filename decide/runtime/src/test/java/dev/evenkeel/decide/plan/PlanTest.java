package dev.evenkeel.decide.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.observe.cache.Index;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kind;
import dev.evenkeel.observe.object.ObjectReader;
import dev.evenkeel.observe.object.Trim;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class PlanTest {

  private static final Kind<ObjectNode> KIND = Kind.untyped("x.dev/v1", "Thing", "things", true);

  /** A view of nothing but the time. */
  private record Now(Instant now) implements View {
    @Override
    public <T> @Nullable Cached<T> find(Kind<T> kind, String namespace, String name) {
      return null;
    }

    @Override
    public <T> List<Cached<T>> list(Kind<T> kind, String namespace) {
      return List.of();
    }

    @Override
    public <T> List<Cached<T>> by(Kind<T> kind, Index<T> index, String key) {
      return List.of();
    }

    @Override
    public <T> List<Cached<T>> owned(Cached<?> owner, Kind<T> kind) {
      return List.of();
    }

    @Override
    public <T> @Nullable Answer<T> asked(Kind<T> kind, String namespace, String name) {
      return null;
    }

    @Override
    public @Nullable ObjectNode effect(String actuator, String thing) {
      return null;
    }

    @Override
    public @Nullable Refusal refusal() {
      return null;
    }
  }

  private static final View VIEW = new Now(Instant.parse("2026-01-01T00:00:07.9Z"));

  private static Cached<ObjectNode> thing(int generation, String status) {
    byte[] json =
        """
        {"metadata":{"name":"a","namespace":"n","uid":"u","resourceVersion":"5","generation":%d},
         "status":%s}
        """
            .formatted(generation, status)
            .getBytes(StandardCharsets.UTF_8);
    return new ObjectReader<>(KIND, Trim.NONE).read(json, 0, json.length);
  }

  private static ObjectNode json(String text) {
    return Json.parseObject(text.getBytes(StandardCharsets.UTF_8));
  }

  private static JsonNode only(Plan plan) {
    assertThat(plan.actions()).hasSize(1);
    return ((Action.Patch) plan.actions().getFirst()).change();
  }

  @Test
  void condition_isSaidWithTimeAndGeneration() {
    Plan plan =
        Plan.empty()
            .condition(VIEW, thing(3, "{}"), Condition.isTrue("Ready", "Fine", "all is well"));
    assertThat(only(plan))
        .isEqualTo(
            json(
                """
                {"status":{"conditions":[{"type":"Ready","status":"True","reason":"Fine",
                 "message":"all is well","lastTransitionTime":"2026-01-01T00:00:07Z",
                 "observedGeneration":3}]}}
                """));
  }

  private static final String READY =
      """
      {"conditions":[{"type":"Other","status":"False","custom":1},
       {"type":"Ready","status":"True","reason":"Fine","message":"all is well",
        "lastTransitionTime":"2025-01-01T00:00:00Z","observedGeneration":3}]}
      """;

  @Test
  void condition_thatIsSaidAlready_isNoAction() {
    Cached<?> thing = thing(3, READY);
    Plan plan =
        Plan.empty().condition(VIEW, thing, Condition.isTrue("Ready", "Fine", "all is well"));
    assertThat(plan.actions()).isEmpty();
  }

  @Test
  void condition_ofANewGeneration_keepsItsTime() {
    Cached<?> thing = thing(4, READY);
    Plan plan =
        Plan.empty().condition(VIEW, thing, Condition.isTrue("Ready", "Fine", "all is well"));
    JsonNode said = only(plan).path("status").path("conditions");
    assertThat(said).hasSize(2);
    assertThat(said.path(0))
        .isEqualTo(json("{\"type\":\"Other\",\"status\":\"False\",\"custom\":1}"));
    assertThat(said.path(1).path("observedGeneration").asInt(0)).isEqualTo(4);
    assertThat(said.path(1).path("lastTransitionTime").asString(""))
        .isEqualTo("2025-01-01T00:00:00Z");
  }

  @Test
  void condition_thatTurns_hasANewTime() {
    Plan plan =
        Plan.empty().condition(VIEW, thing(3, READY), Condition.isFalse("Ready", "Bad", "oh"));
    assertThat(only(plan).path("status").path("conditions").path(1).path("lastTransitionTime"))
        .isEqualTo(json("{\"t\":\"2026-01-01T00:00:07Z\"}").path("t"));
  }

  @Test
  void statusAndConditions_areOneWrite_whateverIsSaidFirst() {
    Cached<?> thing = thing(3, "{\"n\":1}");
    Condition ready = Condition.isTrue("Ready", "Fine", "");
    Plan first = Plan.empty().status(thing, json("{\"n\":2}"), "two").condition(VIEW, thing, ready);
    Plan last = Plan.empty().condition(VIEW, thing, ready).status(thing, json("{\"n\":2}"), "two");
    assertThat(first.actions()).isEqualTo(last.actions());
    assertThat(only(first).path("status").path("n").asInt(0)).isEqualTo(2);
    assertThat(only(first).path("status").path("conditions")).hasSize(1);
  }

  @Test
  void deadline_turnsWhatDoesNotHold_andLeavesWhatDoes() {
    Cached<?> thing = thing(3, "{}");
    Plan late =
        Plan.empty()
            .condition(VIEW, thing, Condition.unknown("Ready", "Trying", "2 of 3"))
            .overdue(VIEW, thing, "Ready", "too late");
    assertThat(late.condition(thing, "Ready"))
        .isEqualTo(Condition.isFalse("Ready", "DeadlineExceeded", "too late: 2 of 3"));
    Plan fine =
        Plan.empty()
            .condition(VIEW, thing, Condition.isTrue("Ready", "Fine", ""))
            .overdue(VIEW, thing, "Ready", "too late");
    assertThat(fine.condition(thing, "Ready")).isEqualTo(Condition.isTrue("Ready", "Fine", ""));
  }
}
