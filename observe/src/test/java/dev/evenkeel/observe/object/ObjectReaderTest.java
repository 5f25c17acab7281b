package dev.evenkeel.observe.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.json.JsonException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

final class ObjectReaderTest {

  private static final Kind<ObjectNode> PODS = Kind.untyped("v1", "Pod", "pods", true);

  private static final String POD =
      """
      {"apiVersion":"v1","kind":"Pod","metadata":{"managedFields":[{"a":"}]"}],"name":"a\\u002db",
       "namespace":"n","uid":"u-1","resourceVersion":"17","labels":{"app":"x","quote":"\\"\\\\"},
       "ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"r","uid":"r-1",
       "controller":true,"blockOwnerDeletion":true}]},"spec":{"nodeName":"n1","priority":5}}
      """;

  private static Cached<ObjectNode> read(String json, Trim trim) {
    byte[] bytes = ("xx" + json).getBytes(StandardCharsets.UTF_8);
    return new ObjectReader<>(PODS, trim).read(bytes, 2, bytes.length);
  }

  @Test
  void header_isRead() {
    Cached<ObjectNode> pod = read(POD, Trim.NONE);
    assertThat(pod.key()).isEqualTo("n/a-b");
    assertThat(pod.namespace()).isEqualTo("n");
    assertThat(pod.name()).isEqualTo("a-b");
    assertThat(pod.uid()).isEqualTo("u-1");
    assertThat(pod.version()).isEqualTo(17);
    assertThat(pod.labels()).isEqualTo(Map.of("app", "x", "quote", "\"\\"));
    assertThat(pod.owners())
        .containsExactly(new Owner("apps/v1", "ReplicaSet", "r", "r-1", true, true));
    assertThat(pod.text("spec", "nodeName")).isEqualTo("n1");
    assertThat(pod.text("spec", "priority")).isEqualTo("5");
    assertThat(pod.text("spec", "nodeName", "deeper")).isEmpty();
    assertThat(pod.text("spec")).isEmpty();
    assertThat(pod.tree()).isEqualTo(Json.parse(POD.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void managedFields_areDroppedAndTheRestIsKept() {
    ObjectNode expected = Json.parseObject(POD.getBytes(StandardCharsets.UTF_8));
    ((ObjectNode) expected.get("metadata")).remove("managedFields");
    assertThat(read(POD, Trim.MANAGED_FIELDS).value()).isEqualTo(expected);
  }

  @Test
  void itemsWithoutTheirKind_getIt() {
    Cached<ObjectNode> pod =
        read("{\"metadata\":{\"name\":\"a\",\"resourceVersion\":\"3\"}}", Trim.MANAGED_FIELDS);
    assertThat(pod.json().utf8())
        .isEqualTo(
            "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"a\","
                + "\"resourceVersion\":\"3\"}}");
  }

  @Test
  void equalLabelsAndOwners_areSharedByObjects() {
    byte[] bytes = POD.getBytes(StandardCharsets.UTF_8);
    var reader = new ObjectReader<>(PODS, Trim.NONE);
    Cached<ObjectNode> one = reader.read(bytes, 0, bytes.length);
    Cached<ObjectNode> other = reader.read(bytes, 0, bytes.length);
    assertThat(one.labels()).isSameAs(other.labels());
    assertThat(one.owners()).isSameAs(other.owners());
  }

  @Test
  void moreLabelSetsThanAreKept_areStillRight() {
    var reader = new ObjectReader<>(PODS, Trim.NONE);
    for (int i = 0; i < Interner.ENTRIES_MAX + 10; i++) {
      byte[] bytes =
          ("{\"metadata\":{\"name\":\"a\",\"resourceVersion\":\"1\",\"labels\":{\"i\":\""
                  + i
                  + "\"}}}")
              .getBytes(StandardCharsets.UTF_8);
      assertThat(reader.read(bytes, 0, bytes.length).labels())
          .containsEntry("i", Integer.toString(i));
    }
  }

  @Test
  void whatIsNoObjectWithNameAndVersion_isRefused() {
    for (String bad :
        List.of(
            "",
            "[]",
            "{",
            "{}",
            "{\"metadata\":{}}",
            "{\"metadata\":{\"name\":\"a\"}}",
            "{\"metadata\":{\"name\":\"a\",\"resourceVersion\":\"x1\"}}",
            "{\"metadata\":{\"name\":\"a\",\"resourceVersion\":\"1\"}",
            "{\"metadata\":{\"name\":\"a\",\"resourceVersion\":\"1")) {
      assertThatThrownBy(() -> read(bad, Trim.NONE)).as(bad).isInstanceOf(JsonException.class);
    }
  }

  @Test
  void fieldsThatAreNeeded_cannotBeDropped() {
    for (List<String> path :
        List.of(
            List.<String>of(),
            List.of("metadata"),
            List.of("kind"),
            List.of("metadata", "name"),
            List.of("metadata", "labels", "x"))) {
      assertThatThrownBy(() -> Trim.of(List.of(path)))
          .as(path.toString())
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  /** Random objects and random paths: what is left is what a tree without those fields is. */
  @Test
  void trim_leavesWhatATreeWithoutTheFieldsIs() {
    for (long seed = 0; seed < 3_000; seed++) {
      var random = new Random(seed);
      ObjectNode object = object(random, 0);
      ObjectNode metadata = object.putObject("metadata");
      metadata.setAll(object(random, 1));
      metadata.put("name", "n").put("resourceVersion", "1").put("namespace", "s");
      metadata.setAll(object(random, 1));
      object.setAll(object(random, 0));
      List<List<String>> paths = new ArrayList<>();
      for (int i = random.nextInt(4); i >= 0; i--) {
        List<String> path = new ArrayList<>();
        if (random.nextBoolean()) {
          path.add("metadata");
        }
        for (int j = random.nextInt(3); j >= 0; j--) {
          path.add("f" + random.nextInt(4));
        }
        paths.add(path);
      }
      ObjectNode expected = object.deepCopy();
      paths.forEach(path -> remove(expected, path));
      expected.put("apiVersion", "v1").put("kind", "Pod");
      String json = new String(Json.encode(object), StandardCharsets.UTF_8);
      String spaced = random.nextBoolean() ? json : json.replace(",", " ,\n ").replace(":", " : ");
      assertThat(read(spaced, Trim.of(paths)).tree()).as("seed %d", seed).isEqualTo(expected);
    }
  }

  private static void remove(ObjectNode object, List<String> path) {
    ObjectNode here = object;
    for (String step : path.subList(0, path.size() - 1)) {
      if (!(here.get(step) instanceof ObjectNode next)) {
        return;
      }
      here = next;
    }
    here.remove(path.getLast());
  }

  private static ObjectNode object(Random random, int depth) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    for (int i = random.nextInt(4); i > 0; i--) {
      String field = "f" + random.nextInt(4);
      switch (random.nextInt(depth > 2 ? 3 : 5)) {
        case 0 -> object.put(field, random.nextLong());
        case 1 -> object.put(field, "\"\\é" + random.nextInt());
        case 2 -> object.putNull(field);
        case 3 -> object.set(field, object(random, depth + 1));
        default -> object.putArray(field).add(object(random, depth + 1)).add(true);
      }
    }
    return object;
  }
}
