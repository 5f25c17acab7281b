package dev.evenkeel.serve.kinds.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.schema.Field;
import dev.evenkeel.kernel.schema.Schema;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class CatalogTest {

  @Test
  void everyType_canBeRead() {
    for (String name : Catalog.typeNames()) {
      Schema.Struct struct = Objects.requireNonNull(Catalog.type(name));
      for (Field field : struct.fields().values()) {
        assertThat(field.name()).isNotEmpty();
      }
    }
  }
}
