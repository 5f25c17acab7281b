package dev.evenkeel.serve.describe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.schema.Field;
import dev.evenkeel.kernel.schema.MergeStrategy;
import dev.evenkeel.kernel.schema.Schema;
import dev.evenkeel.serve.api.ApiResponse;
import dev.evenkeel.serve.kinds.Conversion;
import dev.evenkeel.serve.kinds.ResourceDefinition;
import dev.evenkeel.serve.kinds.catalog.Catalog;
import dev.evenkeel.serve.kinds.custom.CustomKind;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class OpenApiTest {

  private static final String PROTOBUF =
      "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";

  private final Described described = new Described();

  @AfterEach
  void close() {
    described.close();
  }

  @Test
  void everyReference_leadsToAType() {
    List<ObjectNode> documents = new ArrayList<>(thirdVersion());
    documents.add(described.json("/openapi/v2"));
    for (ObjectNode document : documents) {
      for (String reference : references(document)) {
        assertThat(reference).startsWith("#/");
        JsonNode here = document;
        for (String step : reference.substring(2).split("/", -1)) {
          here = here.path(step);
        }
        assertThat(here.isObject()).as(reference).isTrue();
      }
    }
  }

  @Test
  void everyVerb_hasItsOperation() {
    ObjectNode second = described.json("/openapi/v2");
    for (ResourceDefinition definition : Catalog.builtIn()) {
      Gvk gvk = definition.gvk();
      String root = gvk.group().isEmpty() ? "api/v1" : "apis/" + gvk.group() + "/" + gvk.version();
      ObjectNode third = described.json("/openapi/v3/" + root);
      for (JsonNode paths : List.of(third.path("paths"), second.path("paths"))) {
        String place =
            "/"
                + root
                + (definition.namespaced() ? "/namespaces/{namespace}/" : "/")
                + definition.plural();
        for (String verb : definition.verbs()) {
          boolean collection = Set.of("create", "list", "deletecollection").contains(verb);
          String path =
              verb.equals("watch")
                  ? place.replace(root, root + "/watch")
                  : collection ? place : place + "/{name}";
          assertOperation(paths, path, verb, gvk);
        }
        for (ResourceDefinition.Subresource subresource : definition.subresources()) {
          Gvk of = subresource.gvk() == null ? gvk : subresource.gvk();
          for (String verb : subresource.verbs()) {
            assertOperation(paths, place + "/{name}/" + subresource.name(), verb, of);
          }
        }
      }
    }
  }

  private static void assertOperation(JsonNode paths, String path, String verb, Gvk gvk) {
    String method =
        switch (verb) {
          case "create" -> "post";
          case "update" -> "put";
          case "deletecollection" -> "delete";
          case "list", "watch" -> "get";
          default -> verb;
        };
    JsonNode operation = paths.path(path).path(method);
    assertThat(operation.isObject()).as("%s %s", method, path).isTrue();
    assertThat(operation.path("x-kubernetes-group-version-kind"))
        .as(path)
        .isEqualTo(TypeWriter.kindReference(gvk));
    assertThat(operation.path("responses").path("200").path("description").stringValue())
        .isEqualTo("OK");
  }

  @Test
  void patch_saysThatFieldsAreValidated() {
    JsonNode parameters =
        described
            .json("/openapi/v3/apis/apps/v1")
            .path("paths")
            .path("/apis/apps/v1/namespaces/{namespace}/deployments/{name}")
            .path("patch")
            .path("parameters");
    List<String> names = new ArrayList<>();
    parameters.forEach(parameter -> names.add(parameter.path("name").stringValue()));
    assertThat(names).containsExactly("dryRun", "fieldManager", "fieldValidation", "force");
  }

  @Test
  void operations_haveNamesOfTheirOwn() {
    Set<String> names = new HashSet<>();
    for (JsonNode path : described.json("/openapi/v2").path("paths")) {
      for (String method : List.of("get", "put", "post", "delete", "patch")) {
        if (path.has(method)) {
          assertThat(names.add(path.path(method).path("operationId").stringValue())).isTrue();
        }
      }
    }
    assertThat(names)
        .contains(
            "listCoreV1PodForAllNamespaces",
            "deleteCoreV1CollectionNamespacedPod",
            "watchCoreV1NamespacedPodList",
            "patchAppsV1NamespacedDeploymentScale",
            "createCoreV1NamespacedServiceAccountToken",
            "readRbacAuthorizationV1ClusterRole",
            "getFlowcontrolApiserverV1APIResources");
  }

  @Test
  void types_tellHowTheirListsMerge() {
    JsonNode types = described.json("/openapi/v3/api/v1").path("components").path("schemas");
    JsonNode containers =
        types.path("io.k8s.api.core.v1.PodSpec").path("properties").path("containers");
    assertThat(containers)
        .isEqualTo(
            json(
                """
                {"type":"array","items":{"$ref":"#/components/schemas/io.k8s.api.core.v1.Container"},
                 "x-kubernetes-list-map-keys":["name"],"x-kubernetes-list-type":"map",
                 "x-kubernetes-patch-merge-key":"name","x-kubernetes-patch-strategy":"merge"}\
                """));
    JsonNode strategy =
        described
            .json("/openapi/v3/apis/apps/v1")
            .path("components")
            .path("schemas")
            .path("io.k8s.api.apps.v1.DeploymentSpec")
            .path("properties")
            .path("strategy");
    assertThat(strategy.path("x-kubernetes-patch-strategy").stringValue()).isEqualTo("retainKeys");
    assertThat(strategy.path("allOf").path(0).path("$ref").stringValue())
        .endsWith("io.k8s.api.apps.v1.DeploymentStrategy");
  }

  @Test
  void types_publishWhatKubernetesPublishes_andNotAllThatIsEnforced() {
    JsonNode types = described.json("/openapi/v3/api/v1").path("components").path("schemas");
    JsonNode container = property(types, "Container", "imagePullPolicy");
    assertThat(values(container.path("enum"))).containsExactly("Always", "IfNotPresent", "Never");
    JsonNode port = property(types, "ContainerPort", "protocol");
    assertThat(port.path("default").stringValue("")).isEqualTo("TCP");
    JsonNode modes = property(types, "PersistentVolumeClaimSpec", "accessModes");
    assertThat(values(modes.path("items").path("enum"))).contains("ReadWriteOncePod");
    JsonNode grace = property(types, "PodSpec", "terminationGracePeriodSeconds");
    assertThat(grace.has("default")).isFalse();
    JsonNode port1 = property(types, "GRPCAction", "port");
    assertThat(port1.has("minimum")).isFalse();
    JsonNode os = property(types, "PodOS", "name");
    assertThat(os.has("enum")).isFalse();
    assertThat(types.path("io.k8s.api.core.v1.AppArmorProfile").path("x-kubernetes-unions"))
        .isEqualTo(
            Json.parse(
                """
                [{"discriminator": "type",
                  "fields-to-discriminateBy": {"localhostProfile": "LocalhostProfile"}}]
                """
                    .getBytes(StandardCharsets.UTF_8)));
  }

  private static JsonNode property(JsonNode types, String type, String field) {
    return types.path("io.k8s.api.core.v1." + type).path("properties").path(field);
  }

  private static List<String> values(JsonNode list) {
    return list.valueStream().map(JsonNode::stringValue).toList();
  }

  @Test
  void groupsAndTheServersVersion_haveDocumentsOfTheirOwn() {
    JsonNode index = described.json("/openapi/v3").path("paths");
    assertThat(index.propertyNames()).contains("api", "apis", "apis/apps", "version");
    JsonNode group = described.json("/openapi/v3/apis/apps").path("paths");
    assertThat(group.propertyNames()).containsExactly("/apis/apps/");
    JsonNode paths = described.json("/openapi/v2").path("paths");
    assertThat(paths.propertyNames()).contains("/api/", "/apis/", "/apis/apps/", "/version/");
    assertThat(paths.has("/apis/authentication.k8s.io/v1/tokenreviews/{name}")).isFalse();
  }

  @Test
  void everyKind_isDescribedInWords() {
    JsonNode types = described.json("/openapi/v2").path("definitions");
    for (ResourceDefinition definition : Catalog.builtIn()) {
      assertThat(types.path(definition.schema().name()).path("description").stringValue())
          .as(definition.gvk().toString())
          .endsWith(".")
          .doesNotContain(" of " + definition.gvk().apiVersion());
    }
  }

  @Test
  void everyFieldOfOurOwnKinds_isDescribedInWords() {
    JsonNode types =
        described.json("/openapi/v3/apis/evenkeel.dev/v1alpha1").path("components").path("schemas");
    Set<String> ours = new TreeSet<>();
    types.forEachEntry(
        (name, type) -> {
          if (name.startsWith("dev.evenkeel.api.v1alpha1.") && !name.endsWith("List")) {
            ours.add(name.substring(name.lastIndexOf('.') + 1));
            type.path("properties")
                .forEachEntry(
                    (field, property) ->
                        assertThat(property.path("description").asString(""))
                            .as(name + "." + field)
                            .endsWith("."));
          }
        });
    assertThat(ours)
        .contains("PodGroupSpec", "PodGroupStatus", "SchedulingPolicyScope", "TenantQuotaSpec");
    assertThat(
            types
                .path("dev.evenkeel.api.v1alpha1.SchedulingPolicySpec")
                .path("properties")
                .path("scope")
                .path("description")
                .asString(""))
        .startsWith("Which pods it is for");
  }

  @Test
  void kind_isDescribedAtOnceWhenItIsAdded() {
    ObjectNode before = described.json("/openapi/v3");
    described.serve(List.of(custom()));
    ObjectNode after = described.json("/openapi/v3");
    String path = "apis/example.com/v1";
    assertThat(before.path("paths").has(path)).isFalse();
    assertThat(after.path("paths").has(path)).isTrue();
    assertThat(after.path("paths").path("api/v1")).isEqualTo(before.path("paths").path("api/v1"));
    JsonNode type =
        described
            .json("/openapi/v3/" + path)
            .path("components")
            .path("schemas")
            .path("com.example.v1.Boat");
    assertThat(type.path("x-kubernetes-group-version-kind").path(0).path("kind").stringValue())
        .isEqualTo("Boat");
    assertThat(type.path("properties").path("hull").path("properties").has("metres")).isTrue();
    assertThat(described.json("/openapi/v2").path("definitions").has("com.example.v1.BoatList"))
        .isTrue();
  }

  @Test
  void customKinds_areDescribedInBothVersions() {
    ObjectNode definition =
        (ObjectNode)
            Json.parse(
                """
                {"metadata":{"name":"ships.example.org","generation":1},
                 "spec":{"group":"example.org","scope":"Namespaced",
                 "names":{"plural":"ships","singular":"ship","kind":"Ship","listKind":"ShipList"},
                 "versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":
                 {"type":"object","description":"A ship.","properties":{"spec":{"type":"object","properties":{
                   "name":{"type":"string","maxLength":20,"minLength":1,"pattern":"^a","nullable":true,"default":"a"},
                   "tons":{"type":"integer","minimum":1,"exclusiveMinimum":true,"multipleOf":2},
                   "draft":{"x-kubernetes-int-or-string":true,"anyOf":[{"type":"integer"},{"type":"string"}]},
                   "crew":{"type":"array","maxItems":5,"items":{"type":"object","additionalProperties":{"type":"string"}}},
                   "cargo":{"type":"object","maxProperties":3,"x-kubernetes-preserve-unknown-fields":true}}}}}}}]}}
                """
                    .getBytes(StandardCharsets.UTF_8));
    described.serve(
        CustomKind.definitions(
            definition, CustomKind.names(definition.path("spec").path("names"))));
    JsonNode third =
        described
            .json("/openapi/v3/apis/example.org/v1")
            .at("/components/schemas/org.example.v1.Ship");
    assertThat(third.path("description").stringValue()).isEqualTo("A ship.");
    assertThat(third.at("/properties/spec/properties/draft").has("anyOf")).isTrue();
    assertThat(third.at("/properties/metadata/$ref").stringValue()).endsWith("ObjectMeta");
    JsonNode second = described.json("/openapi/v2").path("definitions").path("org.example.v1.Ship");
    assertThat(second.at("/properties/spec/properties/name").toString())
        .isEqualTo("{\"maxLength\":20,\"minLength\":1,\"pattern\":\"^a\"}");
    assertThat(second.at("/properties/spec/properties/draft").toString())
        .isEqualTo("{\"x-kubernetes-int-or-string\":true}");
    ApiResponse protobuf =
        described.get(
            "/openapi/v2",
            Map.of("accept", "application/com.github.proto-openapi.spec.v2.v1.0+protobuf"));
    assertThat(protobuf.status()).isEqualTo(200);
  }

  @Test
  void document_isTheSameWhetherMadeAnewOrFromParts() {
    try (var anew = new Described()) {
      for (String accept : List.of("application/json", PROTOBUF)) {
        described.bytes("/openapi/v2", Map.of("accept", accept));
      }
      for (String name : List.of("ships.example.org", "cars.example.org", "cats.example.com")) {
        described.define(name, defined(name));
        described.json("/openapi/v2");
      }
      described.define("dogs.example.com", defined("dogs.example.com"));
      described.json("/openapi/v2");
      described.define("cars.example.org", List.of());
      for (String name : List.of("dogs.example.com", "ships.example.org", "cats.example.com")) {
        anew.define(name, defined(name));
      }
      for (String accept : List.of("application/json", PROTOBUF)) {
        assertThat(described.bytes("/openapi/v2", Map.of("accept", accept)))
            .isEqualTo(anew.bytes("/openapi/v2", Map.of("accept", accept)));
      }
      ObjectNode json = described.json("/openapi/v2");
      assertThat(json.path("definitions").propertyNames())
          .contains("org.example.v1.Ships", "com.example.v1.Cats", "com.example.v1.DogsList")
          .doesNotContain("org.example.v1.Cars");
      assertThat(json.at("/definitions/" + TypeWriter.META + "DeleteOptions").toString())
          .contains("{\"group\":\"apps\",\"kind\":\"DeleteOptions\",\"version\":\"v1\"}")
          .containsOnlyOnce("\"example.org\"");
      assertProtobufSaysTheSame();
    }
  }

  /** A kind with the name of its definition's plural. */
  private static List<ResourceDefinition> defined(String name) {
    String plural = name.substring(0, name.indexOf('.'));
    String kind = OperationWords.capital(plural);
    String text =
        """
        {"metadata":{"name":"%s","generation":1},"spec":{"group":"%s","scope":"Namespaced",
         "names":{"plural":"%s","singular":"%s","kind":"%s","listKind":"%sList"},
         "versions":[{"name":"v1","served":true,"storage":true,"subresources":{"status":{}},
         "schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object","properties":{
         "size":{"type":"integer","minimum":1}}}}}}}]}}
        """
            .formatted(
                name, name.substring(name.indexOf('.') + 1), plural, plural + "x", kind, kind);
    var definition = (ObjectNode) Json.parse(text.getBytes(StandardCharsets.UTF_8));
    return CustomKind.definitions(
        definition, CustomKind.names(definition.path("spec").path("names")));
  }

  private static ResourceDefinition custom() {
    ResourceDefinition model = Catalog.builtIn().getFirst();
    var gvk = new Gvk("example.com", "v1", "Boat");
    var hull = new Schema.Struct("", true);
    hull.add(new Field("metres", Schema.Scalar.INT32, false, null, MergeStrategy.REPLACE));
    var boat = new Schema.Struct("com.example.v1.Boat", false);
    boat.add(new Field("hull", hull, true, null, MergeStrategy.REPLACE));
    return new ResourceDefinition(
        gvk,
        new ResourceDefinition.Names("boats", "boat", "BoatList", List.of(), List.of()),
        true,
        Set.of("get", "list", "patch"),
        List.of(),
        boat,
        model.rules(),
        model.table(),
        List.of(),
        new ResourceDefinition.Storage("example.com", "boats", gvk, Conversion.NONE),
        new ResourceDefinition.Traits(false, false, false));
  }

  @Test
  void hash_makesAnAddressThatIsGoodForever() {
    String address =
        described
            .json("/openapi/v3")
            .path("paths")
            .path("apis/batch/v1")
            .path("serverRelativeURL")
            .stringValue();
    ApiResponse good = described.get(address, Map.of());
    assertThat(Described.header(good, "Cache-Control")).contains("immutable");
    assertThat(address).endsWith("?hash=" + Described.header(good, "Etag").replace("\"", ""));
    ApiResponse old = described.get("/openapi/v3/apis/batch/v1?hash=OLD", Map.of());
    assertThat(old.status()).isEqualTo(301);
    assertThat(Described.header(old, "Location")).isEqualTo(address);
    ApiResponse without = described.get("/openapi/v3/apis/batch/v1", Map.of());
    assertThat(Described.header(without, "Cache-Control")).isEmpty();
  }

  @Test
  void tag_sparesSendingWhatTheClientHas() {
    for (String path : List.of("/openapi/v2", "/openapi/v3", "/openapi/v3/apis/apps/v1")) {
      String tag = Described.header(described.get(path, Map.of()), "Etag");
      assertThat(described.get(path, Map.of("if-none-match", tag)).status()).isEqualTo(304);
      assertThat(described.get(path, Map.of("if-none-match", "\"other\"")).status()).isEqualTo(200);
    }
  }

  @Test
  void gzip_isSentToThoseWhoTakeIt() throws IOException {
    var headers = Map.of("accept-encoding", "deflate, gzip");
    ApiResponse response = described.get("/openapi/v3/api/v1", headers);
    assertThat(Described.header(response, "Content-Encoding")).isEqualTo("gzip");
    byte[] compressed = ((ApiResponse.Whole) response.content()).bytes();
    byte[] plain = described.bytes("/openapi/v3/api/v1", Map.of("accept-encoding", "gzip;q=0"));
    assertThat(compressed.length).isLessThan(plain.length / 10);
    try (var in = new GZIPInputStream(new ByteArrayInputStream(compressed))) {
      assertThat(in.readAllBytes()).isEqualTo(plain);
    }
  }

  @Test
  void formsAndPathsThatAreNotThere_areRefused() {
    assertThat(described.code("/openapi/v3", Map.of("accept", PROTOBUF))).isEqualTo(406);
    assertThat(described.code("/openapi/v2", Map.of("accept", "text/html"))).isEqualTo(406);
    assertThat(described.code("/openapi/v2", Map.of("accept", "text/html, */*"))).isEqualTo(200);
    assertThat(described.code("/openapi/v3/apis/none/v1", Map.of())).isEqualTo(404);
    assertThat(described.code("/openapi/v2/more", Map.of())).isEqualTo(404);
    assertThat(described.code("/openapi/v1", Map.of())).isEqualTo(404);
  }

  @Test
  void protobuf_saysTheSameAsJson() {
    assertProtobufSaysTheSame();
  }

  private void assertProtobufSaysTheSame() {
    ObjectNode json = described.json("/openapi/v2");
    var message = Protobuf.read(described.bytes("/openapi/v2", Map.of("accept", PROTOBUF)));
    assertThat(message.text(1)).isEqualTo("2.0");
    assertThat(message.message(2).text(1)).isEqualTo("Evenkeel");
    assertThat(names(message.message(8).messages(2))).isEqualTo(keys(json.path("paths")));
    List<Protobuf> types = message.message(9).messages(1);
    assertThat(names(types)).isEqualTo(keys(json.path("definitions")));
    for (Protobuf type : types) {
      JsonNode same = json.path("definitions").path(type.text(1));
      Protobuf schema = type.message(2);
      List<Protobuf> properties =
          schema.has(25) ? schema.message(25).messages(1) : List.<Protobuf>of();
      assertThat(names(properties)).isEqualTo(keys(same.path("properties")));
      assertThat(schema.texts(19)).hasSize(same.path("required").size());
    }
  }

  private static List<String> names(List<Protobuf> pairs) {
    return pairs.stream().map(pair -> pair.text(1)).toList();
  }

  private static List<String> keys(JsonNode object) {
    return List.copyOf(object.propertyNames());
  }

  private List<ObjectNode> thirdVersion() {
    List<ObjectNode> documents = new ArrayList<>();
    described
        .json("/openapi/v3")
        .path("paths")
        .forEach(
            place -> documents.add(described.json(place.path("serverRelativeURL").stringValue())));
    assertThat(documents).hasSizeGreaterThan(15);
    return documents;
  }

  private static Set<String> references(JsonNode node) {
    Set<String> references = new TreeSet<>();
    collect(node, references);
    return references;
  }

  private static void collect(JsonNode node, Set<String> references) {
    if (node.path("$ref").isString()) {
      references.add(node.path("$ref").stringValue());
    }
    node.forEach(child -> collect(child, references));
  }

  private static JsonNode json(String text) {
    return Json.parse(text.getBytes(StandardCharsets.UTF_8));
  }
}
