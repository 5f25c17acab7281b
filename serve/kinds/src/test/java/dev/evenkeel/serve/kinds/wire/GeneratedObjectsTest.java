package dev.evenkeel.serve.kinds.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.patch.StrategicMergePatch;
import dev.evenkeel.kernel.schema.Defaults;
import dev.evenkeel.kernel.schema.Shape;
import dev.evenkeel.serve.kinds.ResourceDefinition;
import dev.evenkeel.serve.kinds.catalog.Catalog;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What holds of every object of every kind, held against objects by chance. */
class GeneratedObjectsTest {

  private static final int SAMPLES = 20;

  static List<ResourceDefinition> kinds() {
    return Catalog.builtIn();
  }

  /** An object in which some fields are set: a full one with branches cut off by chance. */
  private static ObjectNode some(Samples samples, Gvk gvk, SplittableRandom random) {
    ObjectNode object = samples.full(gvk);
    thin(object, random, 0);
    return object;
  }

  /** Items of lists keep what tells them apart. */
  private static void thin(JsonNode node, SplittableRandom random, int depth) {
    if (node instanceof ObjectNode object) {
      if (depth > 1) {
        List.copyOf(object.propertyNames()).stream()
            .filter(_ -> random.nextInt(3) == 0)
            .forEach(object::remove);
      }
      object.forEach(child -> thin(child, random, depth + 1));
    } else if (node instanceof ArrayNode list) {
      tellApart(list);
      for (JsonNode item : list) {
        item.forEach(child -> thin(child, random, depth + 1));
      }
    }
  }

  /** Leaves out items that could be taken for an earlier one, whatever tells them apart. */
  private static void tellApart(ArrayNode list) {
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < list.size(); i++) {
      Set<String> words = new HashSet<>();
      JsonNode item = list.get(i);
      if (item.isValueNode()) {
        words.add(item.toString());
      }
      for (Map.Entry<String, JsonNode> field : item.properties()) {
        if (field.getValue().isValueNode() && !field.getValue().isBoolean()) {
          words.add(field.toString());
        }
      }
      if (words.stream().anyMatch(seen::contains)) {
        list.remove(i--);
      } else {
        seen.addAll(words);
      }
    }
  }

  private static void applyDefaults(ObjectNode object, ResourceDefinition kind) {
    Defaults.apply(object, kind.schema());
    kind.rules().applyDefaults(object);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void defaulting_twice_isDefaultingOnce(ResourceDefinition kind) {
    var samples = new Samples(2);
    var random = new SplittableRandom(2);
    for (int i = 0; i < SAMPLES; i++) {
      ObjectNode once = some(samples, kind.gvk(), random);
      applyDefaults(once, kind);
      ObjectNode twice = once.deepCopy();
      applyDefaults(twice, kind);
      assertThat(Differences.between(twice, once)).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void shaping_dropsNothingThatIsKnown(ResourceDefinition kind) {
    var samples = new Samples(3);
    var random = new SplittableRandom(3);
    for (int i = 0; i < SAMPLES; i++) {
      ObjectNode object = some(samples, kind.gvk(), random);
      ObjectNode shaped = object.deepCopy();
      Shape.Report report = Shape.ofApplied(shaped, kind.schema());
      assertThat(report.unknownFields()).isEmpty();
      assertThat(report.typeErrors()).isEmpty();
      assertThat(Differences.between(shaped, object)).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void text_inEitherFormat_losesNothing(ResourceDefinition kind) {
    var samples = new Samples(4);
    var random = new SplittableRandom(4);
    for (int i = 0; i < SAMPLES; i++) {
      ObjectNode object = some(samples, kind.gvk(), random);
      for (Json.Format format : Json.Format.values()) {
        JsonNode again = Json.decode(Json.encode(object, format), format).tree();
        assertThat(Differences.between(again, object)).as("%s", format).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void strategicMerge_ofAnObjectWithItself_changesNothing(ResourceDefinition kind) {
    var samples = new Samples(5);
    var random = new SplittableRandom(5);
    for (int i = 0; i < SAMPLES; i++) {
      ObjectNode object = some(samples, kind.gvk(), random);
      ObjectNode same = StrategicMergePatch.apply(object.deepCopy(), object, kind.schema());
      assertThat(Differences.between(same, object)).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void strategicMerge_twice_isMergingOnce(ResourceDefinition kind) {
    var samples = new Samples(6);
    var random = new SplittableRandom(6);
    for (int i = 0; i < SAMPLES; i++) {
      ObjectNode object = some(samples, kind.gvk(), random);
      ObjectNode patch = some(samples, kind.gvk(), random);
      ObjectNode once = StrategicMergePatch.apply(patch, object, kind.schema());
      ObjectNode twice = StrategicMergePatch.apply(patch, once, kind.schema());
      assertThat(Differences.between(twice, once)).isEmpty();
    }
  }
}
