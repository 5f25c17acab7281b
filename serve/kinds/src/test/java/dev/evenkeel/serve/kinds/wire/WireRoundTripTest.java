package dev.evenkeel.serve.kinds.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.kernel.schema.Schema;
import dev.evenkeel.serve.kinds.catalog.Catalog;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

/** What is written is read again. */
class WireRoundTripTest {

  private static final int SAMPLES = 20;

  private static final WireTypes TYPES = new WireTypes(new WireNumbers());

  static List<Gvk> kinds() {
    return Samples.kinds();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void encode_thenDecode_losesNothing(Gvk gvk) {
    var samples = new Samples(1);
    for (int i = 0; i < SAMPLES; i++) {
      ObjectNode full = samples.full(gvk);
      ObjectNode again = WireCodec.decode(WireCodec.encode(full), gvk);
      assertThat(Differences.between(again, full)).isEmpty();
    }
  }

  @Test
  void numbers_areWrittenForEveryFieldOfEveryKind() {
    Set<Schema.Struct> seen = new HashSet<>();
    for (Gvk gvk : kinds()) {
      check(Objects.requireNonNull(Catalog.type(gvk)), seen);
    }
    assertThat(seen).hasSizeGreaterThan(400);
  }

  private static void check(Schema schema, Set<Schema.Struct> seen) {
    switch (schema) {
      case Schema.ListOf list -> check(list.items(), seen);
      case Schema.MapOf map -> check(map.values(), seen);
      case Schema.Scalar _ -> {}
      case Schema.Struct struct -> {
        if (seen.add(struct) && !struct.keepsUnknown()) {
          struct.fields().values().forEach(field -> check(field.schema(), seen));
          if (!struct.admitsOthers()) {
            checkNumbers(struct);
          }
        }
      }
    }
  }

  private static void checkNumbers(Schema.Struct struct) {
    WireType type = Objects.requireNonNull(TYPES.find(struct), struct.name());
    for (String field : struct.fields().keySet()) {
      if (!Samples.saysWhatABodyIs(struct, field)) {
        byte[] name = field.getBytes(StandardCharsets.UTF_8);
        assertThat(type.place(name, 0, name.length)).as("%s.%s", struct.name(), field).isNotNull();
      }
    }
  }
}
