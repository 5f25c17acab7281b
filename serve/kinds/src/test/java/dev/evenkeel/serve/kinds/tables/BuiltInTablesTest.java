package dev.evenkeel.serve.kinds.tables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.serve.kinds.TablePrinter;
import dev.evenkeel.serve.kinds.cases.Case;
import dev.evenkeel.serve.kinds.cases.Damage;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class BuiltInTablesTest {

  private static final Instant NOW = Instant.parse("2026-01-10T12:00:00Z");

  private static final List<String> FILES =
      List.of("pods", "workloads", "network", "cluster", "storage", "access");

  @TestFactory
  Stream<DynamicTest> cells_areAsUsersKnowThem() {
    return cases()
        .map(
            c ->
                DynamicTest.dynamicTest(
                    c.gvk().kind() + ": " + c.title(),
                    () -> assertThat(shown(c.object())).isEqualTo(c.texts("cells"))));
  }

  @TestFactory
  Stream<DynamicTest> columns_areAsUsersKnowThem() {
    return Case.in("/tables/columns.yaml").stream()
        .flatMap(
            c ->
                c.content()
                    .propertyStream()
                    .map(
                        kind ->
                            DynamicTest.dynamicTest(
                                kind.getKey(),
                                () ->
                                    assertThat(heads(gvk(kind.getKey())))
                                        .isEqualTo(kind.getValue().asString()))));
  }

  @Test
  void cells_ofDamagedObjectsAreStillOnePerColumn() {
    var random = new SplittableRandom(7);
    cases()
        .forEach(
            c -> {
              TablePrinter printer = BuiltInTables.of(c.gvk());
              for (int i = 0; i < 300; i++) {
                ObjectNode damaged = Damage.of(c.object(), random);
                assertThat(printer.cells(damaged, NOW))
                    .hasSameSizeAs(printer.columns())
                    .doesNotContainNull();
              }
            });
  }

  @Test
  void of_anUnknownKindShowsNameAndAge() {
    assertThat(heads(new Gvk("example.com", "v1", "Widget"))).isEqualTo("Name, Age");
    assertThat(shown(Case.object("{apiVersion: example.com/v1, kind: Widget}")))
        .isEqualTo(List.of("", "<unknown>"));
  }

  private static Stream<Case> cases() {
    return FILES.stream().flatMap(file -> Case.in("/tables/" + file + ".yaml").stream());
  }

  private static List<String> shown(ObjectNode object) {
    return BuiltInTables.of(Case.gvkOf(object)).cells(object, NOW).stream()
        .map(JsonNode::asString)
        .toList();
  }

  private static Gvk gvk(String text) {
    int end = text.lastIndexOf('/');
    return Gvk.of(text.substring(0, end), text.substring(end + 1));
  }

  /** Names, with {@code +} before those of wide output only. */
  private static String heads(Gvk gvk) {
    return String.join(
        ", ",
        BuiltInTables.of(gvk).columns().stream()
            .map(column -> (column.priority() > 0 ? "+" : "") + column.name())
            .toList());
  }
}
