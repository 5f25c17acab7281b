package dev.evenkeel.serve.kinds.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.kernel.schema.Checks;
import dev.evenkeel.kernel.schema.FieldError;
import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.KindRules.NameRule;
import dev.evenkeel.serve.kinds.ResourceDefinition;
import dev.evenkeel.serve.kinds.cases.Case;
import dev.evenkeel.serve.kinds.cases.Damage;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class BuiltInRulesTest {

  private static final List<String> FILES =
      List.of(
          "pod-specs",
          "containers",
          "volumes",
          "placement",
          "pods",
          "workloads",
          "jobs",
          "network",
          "storage",
          "cluster",
          "access",
          "extension",
          "devices");

  @TestFactory
  Stream<DynamicTest> rules_doAsTheCasesSay() {
    return FILES.stream()
        .flatMap(file -> Case.in("/rules/" + file + ".yaml").stream())
        .map(RuleCase::new)
        .map(c -> DynamicTest.dynamicTest(c.title(), () -> holds(c)));
  }

  private static void holds(RuleCase c) {
    RuleCase.Outcome outcome = c.run();
    assertThat(outcome.errors()).containsExactlyInAnyOrderElementsOf(c.errors());
    c.becomes()
        .forEachEntry(
            (pointer, expected) -> {
              JsonNode actual = outcome.object().at(pointer);
              if (expected.isNull()) {
                assertThat(actual.isMissingNode()).as(pointer).isTrue();
              } else {
                assertThat(actual).as(pointer).isEqualTo(expected);
              }
            });
    if (c.written().content().has("warns")) {
      assertThat(outcome.warnings()).containsExactlyInAnyOrderElementsOf(c.warns());
    }
  }

  @TestFactory
  Stream<DynamicTest> bases_areSoundAndStaySo() {
    return RuleCase.bases().entrySet().stream()
        .map(base -> DynamicTest.dynamicTest(base.getKey(), () -> isSound(base.getValue())));
  }

  private static void isSound(ObjectNode base) {
    ObjectNode object = RuleCase.shaped(base.deepCopy());
    ResourceDefinition definition = RuleCase.definition(object);
    KindRules rules = definition.rules();
    assertThat(rules).isNotSameAs(KindRules.NONE);
    var problems = new Problems();
    RuleCase.defaults(object, definition);
    ObjectNode once = object.deepCopy();
    RuleCase.defaults(object, definition);
    assertThat(object).as("defaults applied twice").isEqualTo(once);
    rules.prepareForCreate(object);
    assertThat(RuleCase.shaped(object.deepCopy())).as("the shape it had").isEqualTo(object);
    Checks.validate(object, definition.schema(), problems);
    rules.validate(object, problems);
    rules.validateCreate(object, problems);
    ObjectNode same = object.deepCopy();
    rules.prepareForUpdate(same, object);
    rules.validate(same, problems);
    rules.validateUpdate(same, object, problems);
    rules.validateStatusUpdate(same, object, problems);
    assertThat(same).as("an update that changes nothing").isEqualTo(object);
    assertThat(problems.errors()).extracting(FieldError::toString).isEmpty();
  }

  @Test
  void rules_bearDamagedObjects() {
    var random = new SplittableRandom(23);
    for (ObjectNode base : RuleCase.bases().values()) {
      KindRules rules = BuiltInRules.of(Case.gvkOf(base));
      for (int i = 0; i < 300; i++) {
        ObjectNode damaged = Damage.of(base, random);
        ObjectNode old = random.nextBoolean() ? base.deepCopy() : Damage.of(base, random);
        var problems = new Problems();
        rules.applyDefaults(damaged);
        rules.prepareForCreate(damaged);
        rules.validate(damaged, problems);
        rules.validateCreate(damaged, problems);
        var _ = rules.warnings(damaged);
        rules.prepareForUpdate(damaged, old);
        rules.validateUpdate(damaged, old, problems);
        rules.validateStatusUpdate(damaged, old, problems);
        rules.validateSubresourceUpdate("approval", damaged, old, problems);
        rules.validateSubresourceUpdate("ephemeralcontainers", damaged, old, problems);
        assertThat(rules.deletionGraceSeconds(damaged)).isNotNegative();
      }
    }
  }

  @Test
  void of_anUnknownKindHasNoRules() {
    assertThat(BuiltInRules.of(new Gvk("example.com", "v1", "Widget"))).isSameAs(KindRules.NONE);
  }

  @ParameterizedTest
  @CsvSource({
    "v1, Namespace, DNS_LABEL",
    "v1, Service, DNS_1035_LABEL",
    "v1, Pod, DNS_SUBDOMAIN",
    "apps/v1, StatefulSet, DNS_LABEL",
    "rbac.authorization.k8s.io/v1, ClusterRole, PATH_SEGMENT",
    "rbac.authorization.k8s.io/v1, RoleBinding, PATH_SEGMENT",
  })
  void nameRule_isTheKindsOwn(String apiVersion, String kind, NameRule rule) {
    assertThat(BuiltInRules.of(Gvk.of(apiVersion, kind)).nameRule()).isEqualTo(rule);
  }

  @ParameterizedTest
  @CsvSource({
    "'{spec: {terminationGracePeriodSeconds: 30}}', 0",
    "'{spec: {nodeName: n1, terminationGracePeriodSeconds: 30}}', 30",
    "'{spec: {nodeName: n1, terminationGracePeriodSeconds: -1}}', 1",
    "'{spec: {nodeName: n1}}', 0",
    "'{spec: {nodeName: n1, terminationGracePeriodSeconds: 30}, status: {phase: Running}}', 30",
    "'{spec: {nodeName: n1, terminationGracePeriodSeconds: 30}, status: {phase: Failed}}', 0",
    "'{spec: {nodeName: n1, terminationGracePeriodSeconds: 30}, status: {phase: Succeeded}}', 0",
  })
  void deletionGraceSeconds_ofPodsIsForThoseThatRun(String pod, long seconds) {
    assertThat(BuiltInRules.of(Gvk.of("v1", "Pod")).deletionGraceSeconds(Case.object(pod)))
        .isEqualTo(seconds);
  }
}
