package dev.evenkeel.serve;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class FlowSchemaTest {

  private static final String GROUP = "/apis/flowcontrol.apiserver.k8s.io/v1/";
  private static final String SCHEMAS = GROUP + "flowschemas";
  private static final String LEVELS = GROUP + "prioritylevelconfigurations";

  private final ServerFixture fixture = new ServerFixture();
  private final Client client = fixture.client;

  @AfterEach
  void close() {
    fixture.close();
  }

  private JsonNode dangling(String name) {
    fixture.settle();
    return client.get(SCHEMAS + "/" + name).body().path("status").path("conditions").path(0);
  }

  @Test
  void defaultSchemas_nameLevelsThatAreThere() {
    fixture.settle();
    JsonNode schemas = client.get(SCHEMAS).body().path("items");
    assertThat(schemas).hasSize(11);
    assertThat(client.get(LEVELS).body().path("items")).hasSize(8);
    for (JsonNode schema : schemas) {
      assertThat(schema.at("/status/conditions/0/status").asString())
          .as(schema.at("/metadata/name").asString())
          .isEqualTo("False");
    }
  }

  @Test
  void schemaDangles_whileItsLevelIsNotThere() {
    var made =
        client.post(
            SCHEMAS,
            "{\"metadata\":{\"name\":\"batch\"},\"spec\":{\"matchingPrecedence\":50,"
                + "\"priorityLevelConfiguration\":{\"name\":\"slow\"}}}");
    assertThat(made.status()).as("%s", made).isEqualTo(201);
    assertThat(dangling("batch").path("status").asString()).isEqualTo("True");
    assertThat(dangling("batch").path("reason").asString()).isEqualTo("NotFound");
    var level =
        client.post(
            LEVELS,
            "{\"metadata\":{\"name\":\"slow\"},\"spec\":{\"type\":\"Limited\",\"limited\":"
                + "{\"nominalConcurrencyShares\":1,\"limitResponse\":{\"type\":\"Reject\"}}}}");
    assertThat(level.status()).as("%s", level).isEqualTo(201);
    assertThat(dangling("batch").path("status").asString()).isEqualTo("False");
    client.delete(LEVELS + "/slow");
    assertThat(dangling("batch").path("status").asString()).isEqualTo("True");
  }
}
