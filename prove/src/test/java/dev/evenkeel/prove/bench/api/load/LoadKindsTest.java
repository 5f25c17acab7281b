package dev.evenkeel.prove.bench.api.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.serve.kinds.custom.CustomKind;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class LoadKindsTest {

  private final LoadKinds kinds = new LoadKinds("run", 120);

  @Test
  void definitions_areOfKindsThatCanBeServed() {
    Set<String> names = new HashSet<>();
    Set<String> groups = new HashSet<>();
    for (int i = 0; i < kinds.count(); i++) {
      byte[] bytes = kinds.definition(i);
      assertThat(bytes).hasSizeBetween(2_000, 5_000);
      ObjectNode definition = Json.parseObject(bytes);
      names.add(definition.at("/metadata/name").stringValue());
      groups.add(definition.at("/spec/group").stringValue());
      assertThat(kinds.definitionPath(i))
          .endsWith("/" + definition.at("/metadata/name").stringValue());
      assertThat(CustomKind.definitions(definition, CustomKind.names(definition.at("/spec/names"))))
          .singleElement()
          .satisfies(
              kind ->
                  assertThat("/apis/" + kind.gvk().apiVersion() + "/namespaces/n/" + kind.plural())
                      .isIn(
                          kinds.collectionPath(
                              Integer.parseInt(kind.gvk().kind().substring(6)), "n")));
    }
    assertThat(names).hasSize(kinds.count());
    assertThat(groups).hasSize(3).allMatch(group -> group.endsWith(kinds.domain()));
  }

  @Test
  void objects_areOfTheirKinds() {
    ObjectNode object = Json.parseObject(kinds.object(51));
    assertThat(object.path("apiVersion").stringValue()).isEqualTo(kinds.group(51) + "/v1");
    assertThat(object.path("kind").stringValue()).isEqualTo("Sample51");
  }
}
