package dev.evenkeel.serve.kinds.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.schema.Checks;
import dev.evenkeel.kernel.schema.Field;
import dev.evenkeel.kernel.schema.FieldError;
import dev.evenkeel.kernel.schema.Limits;
import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.kernel.schema.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Breaks every limit of every field of every type, and keeps to it. */
class LimitsTest {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private record Breach(String value, JsonNode node, FieldError.Reason reason) {}

  @Test
  void everyLimit_refusesWhatBreaksIt() {
    int limits = 0;
    for (String name : Catalog.typeNames()) {
      Schema.Struct struct = Objects.requireNonNull(Catalog.type(name));
      for (Field field : struct.fields().values()) {
        for (Breach breach : breaches(field)) {
          limits++;
          assertThat(errors(struct, field, breach.node))
              .as("%s.%s: %s", name, field.name(), breach.value)
              .contains(breach.reason);
        }
        if (field.limits().required()) {
          limits++;
          assertThat(errors(struct, field, null))
              .as("%s.%s: absent", name, field.name())
              .contains(FieldError.Reason.REQUIRED);
        }
      }
    }
    assertThat(limits).isGreaterThan(300);
  }

  @Test
  void everyDefault_keepsToTheLimitsOrMakesTheFieldRequired() {
    for (String name : Catalog.typeNames()) {
      Schema.Struct struct = Objects.requireNonNull(Catalog.type(name));
      for (Field field : struct.fields().values()) {
        JsonNode value = field.defaultValue();
        // A zero that is no valid value is how a required number is missed.
        if (value != null && !(value.isNumber() && value.longValue() == 0)) {
          assertThat(errors(struct, field, value)).as("%s.%s", name, field.name()).isEmpty();
        }
      }
    }
  }

  private static List<Breach> breaches(Field field) {
    Limits limits = field.limits();
    List<Breach> breaches = new ArrayList<>();
    if (!limits.choices().isEmpty()) {
      breaches.add(
          new Breach("choice", text(field, "no such choice"), FieldError.Reason.NOT_SUPPORTED));
    }
    if (limits.format() != null) {
      breaches.add(new Breach("format", text(field, "\u0001!=/ä/"), FieldError.Reason.INVALID));
    }
    if (limits.keys() != null) {
      breaches.add(
          new Breach("key", NODES.objectNode().put("\u0001!=/ä/", ""), FieldError.Reason.INVALID));
    }
    Long min = limits.min();
    if (min != null && !(field.zeroIsAbsent() && min == 1)) {
      breaches.add(new Breach("min", NODES.numberNode(min - 1), FieldError.Reason.INVALID));
    }
    Long max = limits.max();
    if (max != null) {
      breaches.add(new Breach("max", NODES.numberNode(max + 1), FieldError.Reason.INVALID));
    }
    if (limits.positive() != null) {
      breaches.add(new Breach("positive", NODES.numberNode(0L), FieldError.Reason.INVALID));
    }
    if (limits.lengthMax() > 0) {
      ArrayNode list = NODES.arrayNode();
      for (int i = 0; i <= limits.lengthMax(); i++) {
        list.addObject();
      }
      breaches.add(new Breach("length", list, FieldError.Reason.TOO_MANY));
    }
    return breaches;
  }

  private static JsonNode text(Field field, String value) {
    return switch (field.schema()) {
      case Schema.ListOf _ -> NODES.arrayNode().add(value);
      case Schema.MapOf _ -> NODES.objectNode().put("key", value);
      default -> NODES.stringNode(value);
    };
  }

  /** What is said about that one field. */
  private static List<FieldError.Reason> errors(
      Schema.Struct struct, Field field, @org.jspecify.annotations.Nullable JsonNode value) {
    ObjectNode object = NODES.objectNode();
    if (value != null) {
      object.set(field.name(), value.deepCopy());
    }
    var problems = new Problems();
    Checks.validate(object, struct, problems);
    return problems.errors().stream()
        .filter(e -> e.field().equals(field.name()) || e.field().startsWith(field.name() + "["))
        .map(FieldError::reason)
        .toList();
  }
}
