package dev.evenkeel.kernel.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.evenkeel.kernel.json.Json;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What holds for any objects; the repetition's number is the seed. */
class ApplyPropertiesTest {

  private static final int RUNS = 100;
  private static final FieldSet NAMES =
      FieldSet.ofNames(
          List.of(
              List.of("apiVersion"),
              List.of("kind"),
              List.of("metadata"),
              List.of("metadata", "name")));

  private final Updater updater = new Updater(SampleKind.ONE_VERSION, SampleKind.V1);

  private Updater.Applied apply(
      Updater.Applied before, String who, ObjectNode config, boolean force) {
    return updater.apply(
        before.object().isEmpty() ? null : before.object(),
        config,
        before.managers(),
        Manager.applier(who, ""),
        force,
        "t");
  }

  private static Updater.Applied nothing() {
    return new Updater.Applied(JsonNodeFactory.instance.objectNode(), ManagedFields.NONE);
  }

  @RepeatedTest(RUNS)
  void applyingTwice_changesNothing(RepetitionInfo run) {
    var random = new SplittableRandom(run.getCurrentRepetition());
    Updater.Applied state = apply(nothing(), "other", SampleKind.random(random), true);
    ObjectNode config = SampleKind.random(random);
    Updater.Applied once = apply(state, "me", config, true);
    Updater.Applied twice = apply(once, "me", config, false);
    assertThat(twice.object()).isEqualTo(once.object());
    assertThat(twice.managers()).isEqualTo(once.managers());
  }

  @RepeatedTest(RUNS)
  void applyingToNothing_givesTheConfiguration(RepetitionInfo run) {
    ObjectNode config = SampleKind.random(new SplittableRandom(run.getCurrentRepetition()));
    Updater.Applied applied = apply(nothing(), "me", config, false);
    assertThat(applied.object()).isEqualTo(config);
    FieldSet all = ObjectFields.of(config, SampleKind.THING);
    applied
        .managers()
        .owned()
        .values()
        .forEach(owned -> assertThat(owned.fields()).isEqualTo(all.difference(NAMES)));
  }

  @RepeatedTest(RUNS)
  void aSoleApplier_alwaysGetsJustWhatItApplies(RepetitionInfo run) {
    var random = new SplittableRandom(run.getCurrentRepetition());
    Updater.Applied state = apply(nothing(), "me", SampleKind.random(random), false);
    ObjectNode config = SampleKind.random(random);
    ObjectNode after = apply(state, "me", config, false).object();
    FieldSet applied = ObjectFields.of(config, SampleKind.THING).leaves();
    FieldSet left = ObjectFields.of(after, SampleKind.THING);
    // Empty lists and maps may be left of what was emptied, or go with it; no field may.
    assertThat(left.leaves().difference(applied).paths())
        .allMatch(path -> isEmptyContainer(after, path));
    assertThat(applied.difference(left).paths()).allMatch(path -> isEmptyContainer(config, path));
  }

  private static boolean isEmptyContainer(ObjectNode object, FieldSet.Path path) {
    JsonNode here = object;
    for (PathElement element : path.elements()) {
      if (!(element instanceof PathElement.FieldName(String name))) {
        return false;
      }
      here = here.path(name);
    }
    return here.isContainer() && here.isEmpty();
  }

  @RepeatedTest(RUNS)
  void anotherApplier_conflictsJustWhereBothDiffer(RepetitionInfo run) {
    var random = new SplittableRandom(run.getCurrentRepetition());
    ObjectNode mine = SampleKind.random(random);
    ObjectNode theirs = SampleKind.random(random);
    Updater.Applied state = apply(nothing(), "me", mine, false);
    Comparison change =
        Comparison.of(mine, theirs, SampleKind.THING, JsonNodeFactory.instance.objectNode());
    Set<String> expected = new HashSet<>();
    ObjectFields.of(mine, SampleKind.THING)
        .difference(NAMES)
        .intersection(change.modified())
        .paths()
        .forEach(path -> expected.add(path.toString()));
    ConflictException conflict =
        catchThrowableOfType(ConflictException.class, () -> apply(state, "other", theirs, false));
    Set<String> found = new HashSet<>();
    if (conflict != null) {
      conflict.conflicts().forEach(one -> found.add(one.path().toString()));
    }
    assertThat(found).isEqualTo(expected);
    assertThat(apply(state, "other", theirs, true).managers().owned()).isNotEmpty();
  }

  @RepeatedTest(RUNS)
  void fields_surviveTheirJson(RepetitionInfo run) {
    ObjectNode thing = SampleKind.random(new SplittableRandom(run.getCurrentRepetition()));
    FieldSet fields = ObjectFields.of(thing, SampleKind.THING);
    assertThat(FieldSet.fromJson(Json.parse(Json.encode(fields.toJson())))).isEqualTo(fields);
  }

  @RepeatedTest(RUNS)
  void comparisons_findWhatEqualityFinds(RepetitionInfo run) {
    var random = new SplittableRandom(run.getCurrentRepetition());
    ObjectNode one = SampleKind.random(random);
    ObjectNode other = SampleKind.random(random);
    ObjectNode zero = JsonNodeFactory.instance.objectNode();
    assertThat(Comparison.of(one, one.deepCopy(), SampleKind.THING, zero).isEmpty()).isTrue();
    Comparison change = Comparison.of(one, other, SampleKind.THING, zero);
    Comparison back = Comparison.of(other, one, SampleKind.THING, zero);
    assertThat(change.added()).isEqualTo(back.removed());
    assertThat(change.modified()).isEqualTo(back.modified());
  }

  @RepeatedTest(RUNS)
  void newOwnership_isThatOfAnUpdateFromNothing(RepetitionInfo run) {
    ObjectNode thing = SampleKind.random(new SplittableRandom(run.getCurrentRepetition()));
    ObjectNode zero = SampleKind.json("{'metadata':{},'spec':{'inner':{}}}");
    for (Versions.Version version :
        List.of(
            SampleKind.V1,
            SampleKind.version(zero, FieldSet.ofNames(List.of(List.of("status")))))) {
      ManagedFields slow =
          new Updater(SampleKind.ONE_VERSION, version)
              .update(zero.objectNode(), thing, ManagedFields.NONE, "me", "", "t");
      JsonNode fast = NewOwnership.of(thing, version, "me", "t");
      assertThat(fast == null ? "[]" : text(fast)).isEqualTo(text(slow.toJson()));
    }
  }

  private static String text(JsonNode json) {
    return new String(Json.encode(json), java.nio.charset.StandardCharsets.UTF_8);
  }
}
