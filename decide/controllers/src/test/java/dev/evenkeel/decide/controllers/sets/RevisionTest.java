package dev.evenkeel.decide.controllers.sets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.json.Json;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Names of revisions are those that upstream gives, so that a set that moves here keeps them. */
final class RevisionTest {

  private static ObjectNode json(String text) {
    return Json.parseObject(text.getBytes(StandardCharsets.UTF_8));
  }

  private static final String TEMPLATE =
      """
      {"spec":{"containers":[{"name":"c","image":"i"}]},
       "metadata":{"creationTimestamp":null,"labels":{"a":"b"}}}
      """;

  @Test
  void data_replacesTheTemplate_withItsFieldsInOrder() {
    assertThat(new String(Json.encode(Revision.dataOf(json(TEMPLATE))), StandardCharsets.UTF_8))
        .isEqualTo(
            "{\"spec\":{\"template\":{\"$patch\":\"replace\",\"metadata\":{\"labels\":{\"a\":\"b\"}},"
                + "\"spec\":{\"containers\":[{\"image\":\"i\",\"name\":\"c\"}]}}}}");
  }

  @Test
  void hash_isUpstreams_andDependsOnCollisions() {
    ObjectNode data = Revision.dataOf(json(TEMPLATE));
    assertThat(Revision.hash(data, 0)).isEqualTo("6784855774");
    assertThat(Revision.hash(data, 1)).isEqualTo("6784855775");
  }

  @Test
  void shares_areNumbersOrPercentages() {
    ObjectNode shares = json("{\"n\":3,\"p\":\"30%\",\"x\":\"three\"}");
    assertThat(Share.of(shares.path("n"), 10, true)).isEqualTo(3);
    assertThat(Share.of(shares.path("p"), 5, true)).isEqualTo(2);
    assertThat(Share.of(shares.path("p"), 5, false)).isEqualTo(1);
    assertThat(Share.of(shares.path("x"), 5, true)).isZero();
    assertThat(Share.of(shares.path("none"), 5, true)).isZero();
  }

  @Test
  void ordinals_areAtTheEndOfNames() {
    assertThat(Identity.ordinal("db-0")).isZero();
    assertThat(Identity.ordinal("db-12")).isEqualTo(12);
    assertThat(Identity.parent("my-db-12")).isEqualTo("my-db");
    for (String other : new String[] {"db", "db-", "db-x", "db-01", "7", "db-1234567890"}) {
      assertThat(Identity.ordinal(other)).as(other).isEqualTo(-1);
      assertThat(Identity.parent(other)).isEmpty();
    }
  }
}
