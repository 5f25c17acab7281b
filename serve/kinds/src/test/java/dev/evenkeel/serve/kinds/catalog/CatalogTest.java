package dev.evenkeel.serve.kinds.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.kernel.schema.Field;
import dev.evenkeel.kernel.schema.MergeStrategy;
import dev.evenkeel.kernel.schema.Schema;
import dev.evenkeel.serve.kinds.ResourceDefinition;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class CatalogTest {

  private static final Set<String> VERBS =
      Set.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");

  private static ResourceDefinition definition(String apiVersion, String kind) {
    return Catalog.builtIn().stream()
        .filter(d -> d.gvk().equals(Gvk.of(apiVersion, kind)))
        .findFirst()
        .orElseThrow();
  }

  private static Schema.Struct type(String name) {
    return Objects.requireNonNull(Catalog.type(name));
  }

  private static Field field(String type, String name) {
    return Objects.requireNonNull(type(type).field(name));
  }

  /** The definition in the words of {@code kinds.txt}. */
  private static String facts(ResourceDefinition definition) {
    var names = definition.names();
    List<String> subresources = new ArrayList<>();
    for (var subresource : definition.subresources()) {
      Gvk gvk = subresource.gvk();
      String verbs = String.join(",", new TreeSet<>(subresource.verbs()));
      subresources.add(
          subresource.name()
              + (gvk == null ? "" : ":" + gvk.apiVersion() + "/" + gvk.kind())
              + (verbs.equals("get,patch,update") || subresource.name().equals("finalize")
                  ? ""
                  : ":" + verbs));
    }
    return String.join(
        " ",
        definition.gvk().apiVersion(),
        definition.gvk().kind(),
        names.plural(),
        definition.namespaced() ? "namespaced" : "cluster",
        listed(names.shortNames()),
        listed(names.categories()),
        verbs(definition.verbs()),
        listed(subresources),
        definition.specHasGeneration() ? "yes" : "no");
  }

  private static String listed(List<String> words) {
    return words.isEmpty() ? "-" : String.join(",", words);
  }

  private static String verbs(Set<String> verbs) {
    if (verbs.equals(VERBS)) {
      return "all";
    }
    boolean allButCollection = verbs.size() == VERBS.size() - 1;
    return allButCollection && !verbs.contains("deletecollection")
        ? "all-but-deletecollection"
        : String.join(",", new TreeSet<>(verbs));
  }

  @Test
  void builtIn_isWhatTheFactsSay() throws IOException {
    try (InputStream in = CatalogTest.class.getResourceAsStream("/catalog/kinds.txt")) {
      String facts = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      assertThat(Catalog.builtIn().stream().map(CatalogTest::facts))
          .containsExactlyElementsOf(facts.lines().filter(line -> !line.startsWith("#")).toList());
    }
  }

  @Test
  void names_followFromTheKind() {
    var names = definition("v1", "Endpoints").names();
    assertThat(names.singular()).isEqualTo("endpoints");
    assertThat(names.listKind()).isEqualTo("EndpointsList");
    assertThat(definition("networking.k8s.io/v1", "Ingress").names().singular())
        .isEqualTo("ingress");
  }

  @Test
  void finalize_isOnlyUpdated() {
    var finalize = Objects.requireNonNull(definition("v1", "Namespace").subresource("finalize"));
    assertThat(finalize.verbs()).containsExactly("update");
  }

  @Test
  void versionsOfOneKind_shareTheirStorage() {
    ResourceDefinition event = definition("events.k8s.io/v1", "Event");
    assertThat(event.storage().group()).isEmpty();
    assertThat(event.storage().version()).isEqualTo(Gvk.of("v1", "Event"));
    assertThat(event.servesStoredVersion()).isFalse();
    assertThat(definition("v1", "Event").servesStoredVersion()).isTrue();
    assertThat(definition("autoscaling/v1", "HorizontalPodAutoscaler").storage().version())
        .isEqualTo(Gvk.of("autoscaling/v2", "HorizontalPodAutoscaler"));
    for (ResourceDefinition definition : Catalog.builtIn()) {
      assertThat(definition.storage().resource()).isEqualTo(definition.plural());
    }
  }

  @Test
  void selectableFields_areFoundInTheStoredObject() {
    assertThat(definition("v1", "Pod").selectableFields())
        .contains("spec.nodeName", "status.phase", "spec.hostNetwork");
    assertThat(Catalog.selectableFields(definition("v1", "Pod")))
        .contains(
            new SelectableField("spec.nodeName", List.of("spec.nodeName"), ""),
            new SelectableField("spec.hostNetwork", List.of("spec.hostNetwork"), "false"));
    assertThat(Catalog.selectableFields(definition("batch/v1", "Job")))
        .containsExactly(
            new SelectableField("status.successful", List.of("status.succeeded"), "0"));
    assertThat(Catalog.selectableFields(definition("events.k8s.io/v1", "Event")))
        .contains(new SelectableField("regarding.kind", List.of("involvedObject.kind"), ""));
  }

  @Test
  void selectableFields_existInTheStoredType() {
    for (ResourceDefinition definition : Catalog.builtIn()) {
      for (SelectableField selectable : Catalog.selectableFields(definition)) {
        for (String path : selectable.storedPaths()) {
          assertThat(path(definition.storage().version(), path))
              .as("%s %s", definition.gvk(), path)
              .isTrue();
        }
      }
    }
  }

  private static boolean path(Gvk gvk, String path) {
    Schema here = Objects.requireNonNull(Catalog.type(gvk));
    for (String step : path.split("\\.", -1)) {
      Field field = here instanceof Schema.Struct struct ? struct.field(step) : null;
      if (field == null) {
        return false;
      }
      here = field.schema();
    }
    return true;
  }

  @Test
  void everyType_canBeReadAndItsListsHaveTheirKeys() {
    assertThat(Catalog.typeNames()).hasSizeGreaterThan(400);
    for (String name : Catalog.typeNames()) {
      for (Field field : type(name).fields().values()) {
        if (field.schema() instanceof Schema.ListOf list) {
          keysExist(name, field, list);
        }
      }
    }
  }

  private static void keysExist(String type, Field field, Schema.ListOf list) {
    List<String> keys = new ArrayList<>(list.keys());
    String key = field.merge().key();
    if (key != null) {
      keys.add(key);
    }
    for (String name : keys) {
      assertThat(list.items()).isInstanceOf(Schema.Struct.class);
      assertThat(((Schema.Struct) list.items()).field(name))
          .as("%s.%s by %s", type, field.name(), name)
          .isNotNull();
    }
  }

  @Test
  void subresourcesAndOptions_haveTypesToo() {
    assertThat(Catalog.type(Gvk.of("autoscaling/v1", "Scale"))).isNotNull();
    assertThat(Catalog.type(Gvk.of("policy/v1", "Eviction"))).isNotNull();
    assertThat(Catalog.type(Gvk.of("authentication.k8s.io/v1", "TokenRequest"))).isNotNull();
    assertThat(Catalog.type(Gvk.of("meta.k8s.io/v1", "DeleteOptions"))).isNotNull();
    assertThat(Catalog.type(Gvk.of("apps/v1", "Nothing"))).isNull();
    assertThat(Catalog.type(Gvk.of("no.group/v1", "Scale"))).isNull();
  }

  @Test
  void fields_sayHowTheyMergeAndWhoOwnsThem() {
    Field ports = field("io.k8s.api.core.v1.Container", "ports");
    assertThat(ports.merge()).isEqualTo(new MergeStrategy(true, false, "containerPort"));
    assertThat(((Schema.ListOf) ports.schema()).keys())
        .containsExactly("containerPort", "protocol");
    assertThat(field("io.k8s.api.core.v1.PodSpec", "volumes").merge())
        .isEqualTo(new MergeStrategy(true, true, "name"));
    assertThat(field("io.k8s.api.apps.v1.DeploymentSpec", "strategy").merge())
        .isEqualTo(new MergeStrategy(false, true, null));
    assertThat(field("io.k8s.api.policy.v1.PodDisruptionBudgetSpec", "selector").merge())
        .isEqualTo(new MergeStrategy(false, false, null, true));
    assertThat(field("io.k8s.api.core.v1.ServiceSpec", "selector").atomic()).isTrue();
    assertThat(field("io.k8s.api.apps.v1.DeploymentSpec", "selector").atomic()).isTrue();
    assertThat(field("io.k8s.api.core.v1.PersistentVolumeSpec", "claimRef").atomic()).isFalse();
    assertThat(field("io.k8s.api.core.v1.ConfigMap", "data").atomic()).isFalse();
  }

  @Test
  void types_mayContainThemselves() {
    String props = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps";
    assertThat(field(props, "not").schema()).isSameAs(type(props));
    assertThat(((Schema.MapOf) field(props, "properties").schema()).values()).isSameAs(type(props));
    assertThat(type(props + "OrBool").admitsOthers()).isTrue();
    assertThat(type(props + "OrBool").field("properties")).isNotNull();
  }
}
