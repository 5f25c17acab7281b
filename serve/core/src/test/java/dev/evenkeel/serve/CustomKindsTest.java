package dev.evenkeel.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.json.Json;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Kinds that users define. */
final class CustomKindsTest {

  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  private static final String WIDGETS = "/apis/example.com/v1/namespaces/default/widgets";
  private static final String SCHEMA =
      """
      {"type":"object","properties":{
        "spec":{"type":"object","properties":{
          "size":{"type":"integer","minimum":0,"default":1},
          "colour":{"type":"string"},
          "parts":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"}}}}}},
        "status":{"type":"object","properties":{"ready":{"type":"integer"}}}}}
      """;

  private final ServerFixture fixture = new ServerFixture();
  private final Client client = fixture.client;

  @AfterEach
  void close() {
    fixture.close();
  }

  private static String definition(String plural, String kind, String versions) {
    return """
    {"metadata":{"name":"%1$s.example.com"},"spec":{"group":"example.com","scope":"Namespaced",
    "names":{"plural":"%1$s","kind":"%2$s"},"versions":[%3$s]}}
    """
        .formatted(plural, kind, versions);
  }

  private static String version(String name, boolean storage, String schema, String more) {
    return """
    {"name":"%s","served":true,"storage":%s,"schema":{"openAPIV3Schema":%s}%s}
    """
        .formatted(name, storage, schema, more);
  }

  private void define(String versions) {
    Client.Answer made = client.post(DEFINITIONS, definition("widgets", "Widget", versions));
    assertThat(made.status()).as("%s", made).isEqualTo(201);
    fixture.env.runFor(Duration.ofMillis(50));
  }

  private void defineWidgets() {
    define(version("v1", true, SCHEMA, ",\"subresources\":{\"status\":{}}"));
  }

  private static String widget(String name, String spec) {
    return "{\"apiVersion\":\"example.com/v1\",\"kind\":\"Widget\",\"metadata\":{\"name\":\""
        + name
        + "\"},\"spec\":"
        + spec
        + "}";
  }

  private JsonNode condition(String type) {
    for (JsonNode condition :
        client.get(DEFINITIONS + "/widgets.example.com").body().path("status").path("conditions")) {
      if (condition.path("type").asString().equals(type)) {
        return condition;
      }
    }
    return Json.parse("{}".getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void aDefinedKind_isServed_establishedAndDiscovered() {
    assertThat(client.get(WIDGETS).status()).isEqualTo(404);
    defineWidgets();
    assertThat(condition("Established").path("status").asString()).isEqualTo("True");
    assertThat(condition("NamesAccepted").path("reason").asString()).isEqualTo("NoConflicts");
    Client.Answer stored = client.get(DEFINITIONS + "/widgets.example.com");
    assertThat(stored.text("status", "storedVersions")).isEqualTo("[\"v1\"]");
    assertThat(stored.text("status", "acceptedNames", "listKind")).isEqualTo("WidgetList");
    assertThat(client.get("/apis/example.com/v1").text("resources")).contains("widgets/status");
    assertThat(client.get("/apis").text("groups")).contains("example.com/v1");
    assertThat(client.get(WIDGETS).text("kind")).isEqualTo("WidgetList");
  }

  @Test
  void anObject_isPruned_defaultedAndValidated() {
    defineWidgets();
    Client.Answer made = client.post(WIDGETS, widget("a", "{\"colour\":\"red\",\"unknown\":1}"));
    assertThat(made.status()).isEqualTo(201);
    assertThat(made.text("spec")).isEqualTo("{\"colour\":\"red\",\"size\":1}");
    assertThat(made.text("metadata", "generation")).isEqualTo("1");
    Client.Answer bad = client.post(WIDGETS, widget("b", "{\"size\":-1,\"colour\":2}"));
    assertThat(bad.status()).isEqualTo(422);
    assertThat(bad.text("message"))
        .isEqualTo(
            "Widget.example.com \"b\" is invalid: [spec.size: Invalid value: -1: spec.size in body"
                + " should be greater than or equal to 0, spec.colour: Invalid value: \"integer\":"
                + " spec.colour in body must be of type string: \"integer\"]");
    Client.Answer strict =
        client.post(WIDGETS + "?fieldValidation=Strict", widget("c", "{\"unknown\":1}"));
    assertThat(strict.status()).isEqualTo(400);
    assertThat(strict.text("message"))
        .isEqualTo(
            "Widget in version \"v1\" cannot be handled as a Widget: strict decoding error:"
                + " unknown field \"spec.unknown\"");
  }

  @Test
  void metadataOfAWrongType_isRefused() {
    defineWidgets();
    Client.Answer bad =
        client.post(WIDGETS, "{\"metadata\":{\"name\":\"a\",\"labels\":{\"x\":1}}}");
    assertThat(bad.status()).isEqualTo(400);
  }

  @Test
  void status_isItsOwnPart() {
    defineWidgets();
    client.post(
        WIDGETS, "{\"metadata\":{\"name\":\"a\"},\"spec\":{\"size\":2},\"status\":{\"ready\":7}}");
    assertThat(client.get(WIDGETS + "/a").body().has("status")).isFalse();
    Client.Answer patched =
        client.patch(
            WIDGETS + "/a/status",
            "merge-patch",
            "{\"spec\":{\"size\":9},\"status\":{\"ready\":1}}");
    assertThat(patched.text("spec", "size")).isEqualTo("2");
    assertThat(patched.text("status", "ready")).isEqualTo("1");
    assertThat(patched.text("metadata", "generation")).isEqualTo("1");
    assertThat(
            client
                .patch(WIDGETS + "/a/status", "merge-patch", "{\"status\":{\"ready\":\"x\"}}")
                .status())
        .isEqualTo(422);
    assertThat(
            client
                .patch(WIDGETS + "/a", "merge-patch", "{\"spec\":{\"size\":3}}")
                .text("metadata", "generation"))
        .isEqualTo("2");
  }

  @Test
  void aStrategicMergePatch_isNotForThem() {
    defineWidgets();
    client.post(WIDGETS, widget("a", "{}"));
    Client.Answer refused = client.patch(WIDGETS + "/a", "strategic-merge-patch", "{}");
    assertThat(refused.status()).isEqualTo(415);
  }

  @Test
  void severalVersions_areOneStore_eachByItsSchema() {
    String second =
        """
        {"type":"object","properties":{"spec":{"type":"object","properties":{
          "size":{"type":"integer"},"weight":{"type":"integer","default":5}}}}}
        """;
    define(version("v1", true, SCHEMA, "") + "," + version("v2", false, second, ""));
    client.post(WIDGETS, widget("a", "{\"colour\":\"red\",\"size\":2}"));
    Client.Answer other = client.get(WIDGETS.replace("/v1/", "/v2/") + "/a");
    assertThat(other.text("apiVersion")).isEqualTo("example.com/v2");
    assertThat(other.text("spec")).isEqualTo("{\"size\":2,\"weight\":5}");
    // Written through the second version, what only the first knows is gone.
    Client.Answer written =
        client.patch(
            WIDGETS.replace("/v1/", "/v2/") + "/a", "merge-patch", "{\"spec\":{\"size\":3}}");
    assertThat(written.status()).isEqualTo(200);
    assertThat(client.get(WIDGETS + "/a").text("spec")).isEqualTo("{\"size\":3}");
  }

  @Test
  void aDefaultAddedLater_isSeenWhenOldObjectsAreRead() {
    define(version("v1", true, SCHEMA.replace(",\"default\":1", ""), ""));
    client.post(WIDGETS, widget("a", "{}"));
    assertThat(client.get(WIDGETS + "/a").text("spec")).isEqualTo("{}");
    ObjectNode changed = client.get(DEFINITIONS + "/widgets.example.com").object().deepCopy();
    ((ObjectNode) changed.path("spec").path("versions").path(0).path("schema"))
        .set("openAPIV3Schema", Json.parse(SCHEMA.getBytes(StandardCharsets.UTF_8)));
    assertThat(client.put(DEFINITIONS + "/widgets.example.com", changed.toString()).status())
        .isEqualTo(200);
    fixture.env.runFor(Duration.ofMillis(50));
    assertThat(client.get(WIDGETS + "/a").text("spec")).isEqualTo("{\"size\":1}");
    assertThat(client.get(WIDGETS).body().path("items").path(0).path("spec").toString())
        .isEqualTo("{\"size\":1}");
  }

  @Test
  void aStricterSchema_doesNotStandInTheWayOfOtherChanges() {
    define(version("v1", true, SCHEMA, ""));
    client.post(WIDGETS, widget("a", "{\"colour\":\"red\"}"));
    ObjectNode changed = client.get(DEFINITIONS + "/widgets.example.com").object().deepCopy();
    ObjectNode colour =
        (ObjectNode)
            changed
                .path("spec")
                .path("versions")
                .path(0)
                .at("/schema/openAPIV3Schema/properties/spec/properties/colour");
    colour.put("pattern", "^blue$");
    assertThat(client.put(DEFINITIONS + "/widgets.example.com", changed.toString()).status())
        .isEqualTo(200);
    fixture.env.runFor(Duration.ofMillis(50));
    assertThat(client.patch(WIDGETS + "/a", "merge-patch", "{\"spec\":{\"size\":3}}").status())
        .isEqualTo(200);
    assertThat(
            client
                .patch(WIDGETS + "/a", "merge-patch", "{\"spec\":{\"colour\":\"green\"}}")
                .status())
        .isEqualTo(422);
  }

  @Test
  void aDefinitionThatIsDeleted_goesWithItsObjects_andCanComeBack() {
    defineWidgets();
    for (int i = 0; i < 150; i++) {
      client.post(WIDGETS, widget("w" + i, "{}"));
    }
    Client.Events events = client.watch(WIDGETS + "?watch=true");
    assertThat(client.delete(DEFINITIONS + "/widgets.example.com").status()).isEqualTo(200);
    fixture.env.runFor(Duration.ofSeconds(2));
    assertThat(client.get(DEFINITIONS + "/widgets.example.com").status()).isEqualTo(404);
    assertThat(client.get(WIDGETS).status()).isEqualTo(404);
    assertThat(client.get("/apis/example.com/v1").status()).isEqualTo(404);
    List<JsonNode> seen = events.pullAll();
    assertThat(seen.stream().filter(e -> e.path("type").asString().equals("DELETED")).count())
        .isEqualTo(150);
    assertThat(events.isOver()).isTrue();
    defineWidgets();
    assertThat(client.get(WIDGETS).body().path("items").size()).isZero();
    assertThat(client.post(WIDGETS, widget("w0", "{}")).status()).isEqualTo(201);
  }

  @Test
  void aDefinitionThatEnds_waitsForItsObjects_andTakesNoMore() {
    defineWidgets();
    client.post(
        WIDGETS,
        "{\"metadata\":{\"name\":\"held\",\"finalizers\":[\"example.com/hold\"]},\"spec\":{}}");
    client.delete(DEFINITIONS + "/widgets.example.com");
    fixture.env.runFor(Duration.ofSeconds(1));
    assertThat(condition("Terminating").path("reason").asString())
        .isEqualTo("InstanceDeletionInProgress");
    assertThat(client.post(WIDGETS, widget("late", "{}")).status()).isEqualTo(405);
    assertThat(client.get(WIDGETS + "/held").status()).isEqualTo(200);
    client.patch(WIDGETS + "/held", "merge-patch", "{\"metadata\":{\"finalizers\":null}}");
    fixture.env.runFor(Duration.ofSeconds(1));
    assertThat(client.get(DEFINITIONS + "/widgets.example.com").status()).isEqualTo(404);
  }

  @Test
  void aNameThatIsTaken_isNotAccepted_untilItIsFree() {
    defineWidgets();
    client.post(
        DEFINITIONS,
        definition("gadgets", "Widget", version("v1", true, SCHEMA, ""))
            .replace("\"kind\":\"Widget\"", "\"kind\":\"Widget\",\"listKind\":\"GadgetList\""));
    fixture.env.runFor(Duration.ofMillis(50));
    String conditions =
        client.get(DEFINITIONS + "/gadgets.example.com").text("status", "conditions");
    assertThat(conditions).contains("KindConflict").contains("NotAccepted");
    assertThat(client.get("/apis/example.com/v1/gadgets").status()).isEqualTo(404);
    client.delete(DEFINITIONS + "/widgets.example.com");
    fixture.env.runFor(Duration.ofSeconds(2));
    assertThat(client.get("/apis/example.com/v1/gadgets").status()).isEqualTo(200);
  }

  @Test
  void aDefinition_isItsCreatorsAlone_untilItsDeletionBegins() {
    Client.Answer made =
        client.post(DEFINITIONS, definition("widgets", "Widget", version("v1", true, SCHEMA, "")));
    assertThat(made.body().path("metadata").has("finalizers")).isFalse();
    assertThat(made.text("metadata", "managedFields")).doesNotContain("finalizers");
    assertThat(made.text("status", "acceptedNames")).isEqualTo("{\"kind\":\"\",\"plural\":\"\"}");
    fixture.env.runFor(Duration.ofMillis(50));
    client.post(
        WIDGETS,
        widget("held", "{}").replace("\"name\"", "\"finalizers\":[\"a.example/b\"],\"name\""));
    assertThat(client.delete(DEFINITIONS + "/widgets.example.com").text("metadata", "finalizers"))
        .isEqualTo("[\"customresourcecleanup.apiextensions.k8s.io\"]");
  }

  @Test
  void namesThatAreFree_areAccepted_thoughOthersAreNot() {
    defineWidgets();
    client.post(DEFINITIONS, definition("gadgets", "Widget", version("v1", true, SCHEMA, "")));
    fixture.env.runFor(Duration.ofMillis(50));
    JsonNode status = client.get(DEFINITIONS + "/gadgets.example.com").body().path("status");
    assertThat(status.path("acceptedNames").toString())
        .isEqualTo("{\"kind\":\"\",\"plural\":\"gadgets\"}");
    assertThat(status.path("conditions").path(0).path("reason").asString())
        .isEqualTo("ListKindConflict");
  }

  @Test
  void aNewStoredVersion_isRememberedAtOnce() {
    define(version("v1", true, SCHEMA, "") + "," + version("v2", false, SCHEMA, ""));
    Client.Answer changed =
        client.patch(
            DEFINITIONS + "/widgets.example.com",
            "json-patch",
            """
            [{"op":"replace","path":"/spec/versions/0/storage","value":false},
             {"op":"replace","path":"/spec/versions/1/storage","value":true}]
            """);
    assertThat(changed.text("status", "storedVersions")).isEqualTo("[\"v1\",\"v2\"]");
  }

  @Test
  void unknownFormats_areWarnedOf_once() {
    String versions =
        version("v1", true, SCHEMA.replace("\"minimum\":0", "\"format\":\"int32\""), "");
    Client.Answer made = client.post(DEFINITIONS, definition("widgets", "Widget", versions));
    assertThat(made.headers().toString()).contains("unrecognized format \\\"int32\\\"");
    Client.Answer changed =
        client.patch(
            DEFINITIONS + "/widgets.example.com",
            "merge-patch",
            "{\"spec\":{\"names\":{\"shortNames\":[\"w\"]}}}");
    assertThat(changed.headers().toString()).doesNotContain("unrecognized format");
  }

  @Test
  void whatIsScaled_mustBeWholeNumbers_whateverTheSchemaSays() {
    define(
        version(
            "v1",
            true,
            SCHEMA.replace("\"type\":\"integer\",\"minimum\":0", "\"type\":\"number\""),
            ",\"subresources\":{\"scale\":{\"specReplicasPath\":\".spec.size\","
                + "\"statusReplicasPath\":\".status.ready\"}}"));
    assertThat(client.post(WIDGETS, widget("a", "{\"size\":-1}")).text("message"))
        .contains(".spec.size: Invalid value: -1: should be a non-negative integer");
    assertThat(client.post(WIDGETS, widget("a", "{\"size\":1.5}")).text("message"))
        .contains(
            ".spec.size: Invalid value: 0: .spec.size accessor error: 1.5 is of the type float64,"
                + " expected int64");
  }

  @Test
  void rulesInCel_areNotAsked_aboutValuesOfTheWrongType() {
    define(version("v1", true, RULED, ""));
    Client.Answer bad = client.post(WIDGETS, widget("a", "{\"min\":\"x\",\"max\":200}"));
    assertThat(bad.status()).isEqualTo(422);
    assertThat(bad.text("message"))
        .endsWith(
            "<nil>: Invalid value: null: some validation rules were not checked because the object"
                + " was invalid; correct the existing errors to complete validation]")
        .doesNotContain("too much");
  }

  @Test
  void aDeprecatedVersion_saysSo_andWhatToUseInstead() {
    define(
        version("v1alpha1", false, SCHEMA, ",\"deprecated\":true")
            + ","
            + version("v1", true, SCHEMA, "")
            + ","
            + version("v2", false, SCHEMA, ""));
    assertThat(client.get(WIDGETS.replace("/v1/", "/v1alpha1/")).headers().toString())
        .contains("example.com/v1alpha1 Widget is deprecated; use example.com/v2 Widget");
    assertThat(client.get(WIDGETS).headers().toString()).doesNotContain("deprecated");
  }

  @Test
  void whatIsPublished_tellsOfObjectsInside_andOfWhatCanBeSelectedBy() {
    define(
        version(
            "v1",
            true,
            """
            {"type":"object","properties":{"spec":{"type":"object","properties":{
              "colour":{"type":"string"},
              "size":{"x-kubernetes-int-or-string":true},
              "any":{"type":"object","x-kubernetes-preserve-unknown-fields":true},
              "inner":{"type":"object","x-kubernetes-embedded-resource":true,
                "properties":{"spec":{"type":"object"}}}}}}}
            """,
            ",\"selectableFields\":[{\"jsonPath\":\".spec.colour\"}]"));
    JsonNode document = client.get("/openapi/v3/apis/example.com/v1").body();
    assertThat(document.path("paths").propertyNames())
        .containsExactlyInAnyOrder(
            "/apis/example.com/v1/widgets",
            "/apis/example.com/v1/namespaces/{namespace}/widgets",
            "/apis/example.com/v1/namespaces/{namespace}/widgets/{name}");
    JsonNode type = document.path("components").path("schemas").path("com.example.v1.Widget");
    assertThat(type.path("x-kubernetes-selectable-fields").toString())
        .isEqualTo("[{\"fieldPath\":\"spec.colour\"}]");
    JsonNode fields = type.path("properties").path("spec").path("properties");
    assertThat(fields.path("size").path("anyOf").toString())
        .isEqualTo("[{\"type\":\"integer\"},{\"type\":\"string\"}]");
    assertThat(fields.path("inner").path("required").toString())
        .isEqualTo("[\"kind\",\"apiVersion\"]");
    assertThat(fields.path("inner").path("properties").propertyNames())
        .contains("apiVersion", "kind", "metadata", "spec");
    JsonNode older =
        client
            .get("/openapi/v2")
            .body()
            .path("definitions")
            .path("com.example.v1.Widget")
            .path("properties")
            .path("spec")
            .path("properties");
    assertThat(older.path("any").has("type")).isFalse();
    assertThat(older.path("size").has("anyOf")).isFalse();
  }

  @Test
  void aKindThatKeepsEverything_isPublishedAsAnObject_toOldClients() {
    define(
        version(
            "v1", true, "{\"type\":\"object\",\"x-kubernetes-preserve-unknown-fields\":true}", ""));
    JsonNode type =
        client.get("/openapi/v2").body().path("definitions").path("com.example.v1.Widget");
    assertThat(type.path("type").asString()).isEqualTo("object");
    assertThat(type.has("properties")).isFalse();
  }

  @Test
  void scale_followsThePathsOfTheDefinition() {
    define(
        version(
            "v1",
            true,
            SCHEMA,
            ",\"subresources\":{\"status\":{},\"scale\":{\"specReplicasPath\":\".spec.size\","
                + "\"statusReplicasPath\":\".status.ready\"}}"));
    client.post(WIDGETS, widget("a", "{\"size\":2}"));
    assertThat(client.get(WIDGETS + "/a/scale").text("spec", "replicas")).isEqualTo("2");
    client.patch(WIDGETS + "/a/scale", "merge-patch", "{\"spec\":{\"replicas\":5}}");
    assertThat(client.get(WIDGETS + "/a").text("spec", "size")).isEqualTo("5");
  }

  @Test
  void columnsAndSelectableFields_areTheDefinitions() {
    define(
        version(
            "v1",
            true,
            SCHEMA,
            ",\"selectableFields\":[{\"jsonPath\":\".spec.colour\"}],\"additionalPrinterColumns\":"
                + "[{\"name\":\"Colour\",\"type\":\"string\",\"jsonPath\":\".spec.colour\"},"
                + "{\"name\":\"Parts\",\"type\":\"string\",\"jsonPath\":\".spec.parts[*].name\"}]"));
    client.post(
        WIDGETS, widget("a", "{\"colour\":\"red\",\"parts\":[{\"name\":\"x\"},{\"name\":\"y\"}]}"));
    client.post(WIDGETS, widget("b", "{\"colour\":\"blue\"}"));
    Client.Answer table =
        Client.answer(
            client.raw(
                "GET",
                WIDGETS,
                Map.of("accept", "application/json;as=Table;v=v1;g=meta.k8s.io"),
                new byte[0]));
    assertThat(table.body().path("columnDefinitions").findValuesAsString("name"))
        .containsExactly("Name", "Colour", "Parts");
    assertThat(table.body().path("rows").path(0).path("cells").toString())
        .isEqualTo("[\"a\",\"red\",\"x\"]");
    assertThat(
            client.get(WIDGETS + "?fieldSelector=spec.colour%3Dblue").body().path("items").size())
        .isEqualTo(1);
    assertThat(client.get(WIDGETS + "?fieldSelector=spec.size%3D1").status()).isEqualTo(400);
  }

  @Test
  void aRestart_servesWhatWasDefinedBefore() {
    defineWidgets();
    client.post(WIDGETS, widget("a", "{}"));
    try (ApiServer other = ApiServer.open(fixture.env, fixture.store, ServerSettings.DEFAULTS)) {
      fixture.env.runFor(Duration.ofMillis(50));
      assertThat(other.ready()).isCompleted();
      assertThat(new Client(fixture.env, other).get(WIDGETS + "/a").status()).isEqualTo(200);
    }
  }

  private static final String RULED =
      """
      {"type":"object","properties":{
        "spec":{"type":"object","x-kubernetes-validations":[
            {"rule":"self.min <= self.max","messageExpression":"'min %d is above %d'.format([self.min, self.max])"},
            {"rule":"self.max <= 100","fieldPath":".max","reason":"FieldValueForbidden","message":"too much"}],
          "properties":{
            "min":{"type":"integer"},"max":{"type":"integer"},
            "name":{"type":"string","maxLength":50,"x-kubernetes-validations":[
              {"rule":"self == oldSelf","message":"is immutable"}]},
            "parts":{"type":"array","maxItems":10,"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["n"],
              "items":{"type":"object","required":["n"],"x-kubernetes-validations":[
                  {"rule":"!has(oldSelf.v) || has(self.v)","message":"v stays once it is there"}],
                "properties":{"n":{"type":"string","maxLength":10},"v":{"type":"string","maxLength":10}}}}}}}}
      """;

  @Test
  void rulesInCel_holdForNewObjectsAndForChanges() {
    define(version("v1", true, RULED, ""));
    Client.Answer bad =
        client.post(WIDGETS, widget("a", "{\"min\":200,\"max\":101,\"name\":\"x\"}"));
    assertThat(bad.status()).isEqualTo(422);
    assertThat(bad.text("message"))
        .isEqualTo(
            "Widget.example.com \"a\" is invalid: [spec: Invalid value: \"object\": min 200 is"
                + " above 101, spec.max: Forbidden: too much]");
    assertThat(bad.text("details", "causes")).contains("FieldValueForbidden");
    assertThat(
            client
                .post(
                    WIDGETS,
                    widget(
                        "a",
                        "{\"min\":1,\"max\":2,\"name\":\"x\",\"parts\":[{\"n\":\"p\",\"v\":\"1\"}]}"))
                .status())
        .isEqualTo(201);
    Client.Answer renamed =
        client.patch(WIDGETS + "/a", "merge-patch", "{\"spec\":{\"name\":\"y\"}}");
    assertThat(renamed.text("message"))
        .isEqualTo(
            "Widget.example.com \"a\" is invalid: spec.name: Invalid value: \"string\": is"
                + " immutable");
    Client.Answer emptied =
        client.patch(
            WIDGETS + "/a", "merge-patch", "{\"spec\":{\"parts\":[{\"n\":\"q\"},{\"n\":\"p\"}]}}");
    assertThat(emptied.text("message"))
        .contains("spec.parts[1]: Invalid value: \"object\": v stays");
    assertThat(client.patch(WIDGETS + "/a", "merge-patch", "{\"spec\":{\"max\":3}}").status())
        .isEqualTo(200);
  }

  @Test
  void aRuleThatCannotBeCompiled_orCouldRunForEver_isRefused() {
    Client.Answer unknown =
        client.post(
            DEFINITIONS,
            definition(
                "widgets",
                "Widget",
                version("v1", true, RULED.replace("self.min <=", "self.mim <="), "")));
    assertThat(unknown.status()).isEqualTo(422);
    assertThat(unknown.text("message"))
        .contains("properties[spec].x-kubernetes-validations[0].rule: Invalid value")
        .contains("compilation failed")
        .contains("undefined field 'mim'");
    String endless =
        """
        {"type":"object","properties":{"spec":{"type":"object","properties":{
          "l":{"type":"array","items":{"type":"string"},"x-kubernetes-validations":[
            {"rule":"self.all(a, self.all(b, self.all(c, a == b || b == c)))"}]}}}}}
        """;
    Client.Answer costly =
        client.post(DEFINITIONS, definition("widgets", "Widget", version("v1", true, endless, "")));
    assertThat(costly.status()).isEqualTo(422);
    assertThat(costly.text("message"))
        .contains("estimated rule cost exceeds budget by factor of more than 100x");
  }

  @Test
  void aBadDefinition_isRefusedWithThePlace() {
    Client.Answer bad =
        client.post(
            DEFINITIONS,
            definition(
                "widgets",
                "Widget",
                version(
                    "v1",
                    true,
                    "{\"type\":\"object\",\"properties\":{\"spec\":{}}}",
                    ",\"additionalPrinterColumns\":[{\"name\":\"X\",\"type\":\"string\","
                        + "\"jsonPath\":\"spec\"}]")));
    assertThat(bad.status()).isEqualTo(422);
    assertThat(bad.text("message"))
        .contains(
            "spec.validation.openAPIV3Schema.properties[spec].type: Required value: must"
                + " not be empty for specified object fields")
        .contains("spec.additionalPrinterColumns[0].JSONPath: Invalid value");
    Client.Answer guarded =
        client.post(
            DEFINITIONS,
            definition("widgets", "Widget", version("v1", true, SCHEMA, ""))
                .replace("example.com", "apps.k8s.io"));
    assertThat(guarded.text("message")).contains("api-approved.kubernetes.io");
  }
}
