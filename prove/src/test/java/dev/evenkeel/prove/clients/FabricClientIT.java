package dev.evenkeel.prove.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ConfigMapList;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What fabric8's client asks for, but for watches: {@link FabricWatchIT} has those. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FabricClientIT {

  private RunningServer server;
  private KubernetesClient client;

  @BeforeAll
  void start(@TempDir Path folder) throws IOException {
    server = RunningServer.start(folder);
    client = FabricClients.of(server);
  }

  @AfterAll
  void stop() {
    client.close();
    server.close();
  }

  private static ConfigMap configMap(String name, Map<String, String> data) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace("default")
        .addToLabels("set", "fabric")
        .endMetadata()
        .withData(data)
        .build();
  }

  private Resource<ConfigMap> named(String name) {
    return client.configMaps().inNamespace("default").withName(name);
  }

  @Test
  void clientFromTheKubeconfig_isLetInByItsCertificate() {
    try (KubernetesClient other = FabricClients.withCertificate(server)) {
      assertThat(other.namespaces().withName("default").get()).isNotNull();
      assertThat(other.getKubernetesVersion().getMajor()).isEqualTo("1");
    }
  }

  @Test
  void createGetUpdateEditDelete_goRound() {
    ConfigMap made = client.resource(configMap("round", Map.of("a", "1"))).create();
    assertThat(made.getMetadata().getUid()).isNotEmpty();
    assertThat(made.getMetadata().getResourceVersion()).isNotEmpty();

    ConfigMap changed =
        client
            .resource(new ConfigMapBuilder(made).addToData("b", "2").build())
            .lockResourceVersion()
            .update();
    assertThat(changed.getData()).containsEntry("b", "2");
    assertThat(changed.getMetadata().getUid()).isEqualTo(made.getMetadata().getUid());
    assertThatThrownBy(
            () ->
                client
                    .resource(new ConfigMapBuilder(made).addToData("c", "3").build())
                    .lockResourceVersion()
                    .update())
        .isInstanceOfSatisfying(
            KubernetesClientException.class, e -> assertThat(e.getCode()).isEqualTo(409));

    ConfigMap edited =
        named("round").edit(current -> new ConfigMapBuilder(current).addToData("d", "4").build());
    assertThat(edited.getData()).containsOnlyKeys("a", "b", "d");
    assertThat(named("round").get()).isEqualTo(edited);

    assertThat(named("round").delete()).hasSize(1);
    assertThat(named("round").get()).isNull();
    assertThat(named("round").delete()).isEmpty();
  }

  @Test
  @SuppressWarnings("deprecation") // what many still call
  void createOrReplace_createsThenReplaces() {
    ConfigMap first = client.resource(configMap("either", Map.of("a", "1"))).createOrReplace();
    ConfigMap second = client.resource(configMap("either", Map.of("b", "2"))).createOrReplace();
    assertThat(second.getMetadata().getUid()).isEqualTo(first.getMetadata().getUid());
    assertThat(second.getData()).isEqualTo(Map.of("b", "2"));
    ConfigMap third =
        client
            .resource(configMap("either", Map.of("c", "3")))
            .createOr(NonDeletingOperation::update);
    assertThat(third.getData()).isEqualTo(Map.of("c", "3"));
  }

  @Test
  void createTwice_alreadyExists() {
    client.resource(configMap("twice", Map.of())).create();
    assertThatThrownBy(() -> client.resource(configMap("twice", Map.of())).create())
        .isInstanceOfSatisfying(
            KubernetesClientException.class,
            e -> {
              assertThat(e.getCode()).isEqualTo(409);
              assertThat(e.getStatus().getReason()).isEqualTo("AlreadyExists");
              assertThat(e.getStatus().getMessage())
                  .isEqualTo("configmaps \"twice\" already exists");
            });
  }

  @Test
  void patches_ofThreeTypes() {
    client.resource(configMap("patched", Map.of("a", "1"))).create();
    assertThat(
            named("patched")
                .patch(
                    PatchContext.of(PatchType.JSON),
                    "[{\"op\":\"add\",\"path\":\"/data/b\",\"value\":\"2\"}]")
                .getData())
        .isEqualTo(Map.of("a", "1", "b", "2"));
    assertThat(
            named("patched")
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"data\":{\"a\":null,\"c\":\"3\"}}")
                .getData())
        .isEqualTo(Map.of("b", "2", "c", "3"));
    assertThat(
            named("patched")
                .patch(
                    PatchContext.of(PatchType.STRATEGIC_MERGE),
                    "{\"metadata\":{\"labels\":{\"more\":\"yes\"}},\"data\":{\"d\":\"4\"}}")
                .getMetadata()
                .getLabels())
        .isEqualTo(Map.of("set", "fabric", "more", "yes"));
    assertThatThrownBy(
            () ->
                named("patched")
                    .patch(
                        PatchContext.of(PatchType.JSON),
                        "[{\"op\":\"test\",\"path\":\"/data/b\",\"value\":\"other\"}]"))
        .isInstanceOfSatisfying(
            KubernetesClientException.class, e -> assertThat(e.getCode()).isEqualTo(422));
  }

  @Test
  void strategicMergePatch_mergesContainersByName() {
    client.resource(deployment("merged", 1)).create();
    Deployment patched =
        client
            .apps()
            .deployments()
            .inNamespace("default")
            .withName("merged")
            .patch(
                PatchContext.of(PatchType.STRATEGIC_MERGE),
                "{\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":\"side\",\"image\":\"side:1\"}]}}}}");
    assertThat(patched.getSpec().getTemplate().getSpec().getContainers())
        .extracting("name")
        .containsExactlyInAnyOrder("main", "side");
    assertThat(patched.getMetadata().getGeneration()).isEqualTo(2);
  }

  @Test
  void dryRun_answersAndChangesNothing() {
    ConfigMap answer = client.resource(configMap("dry", Map.of("a", "1"))).dryRun().create();
    assertThat(answer.getMetadata().getUid()).isNotEmpty();
    assertThat(named("dry").get()).isNull();
    client.resource(configMap("dry", Map.of("a", "1"))).create();
    client.resource(configMap("dry", Map.of("a", "2"))).dryRun().update();
    assertThat(named("dry").get().getData()).isEqualTo(Map.of("a", "1"));
    client.resource(configMap("dry", Map.of())).dryRun().delete();
    assertThat(named("dry").get()).isNotNull();
  }

  @Test
  void delete_withGraceAndPropagation() {
    Pod made = client.resource(pod("graceful")).create();
    Resource<Pod> pod = client.pods().inNamespace("default").withName("graceful");
    // Nobody runs it, so it goes at once; one that a node runs waits for that node.
    assertThat(made.getSpec().getTerminationGracePeriodSeconds()).isEqualTo(30);
    pod.withGracePeriod(0).delete();
    assertThat(pod.get()).isNull();

    client.resource(deployment("cascade", 1)).create();
    assertThat(
            client
                .apps()
                .deployments()
                .inNamespace("default")
                .withName("cascade")
                .withPropagationPolicy(DeletionPropagation.BACKGROUND)
                .delete())
        .hasSize(1);
  }

  @Test
  void finalizer_holdsAnObjectUntilItIsTakenAway() {
    client
        .resource(
            new ConfigMapBuilder(configMap("held", Map.of()))
                .editMetadata()
                .addToFinalizers("example.com/hold")
                .endMetadata()
                .build())
        .create();
    named("held").delete();
    ConfigMap held = named("held").get();
    assertThat(held.getMetadata().getDeletionTimestamp()).isNotEmpty();
    named("held")
        .edit(
            current ->
                new ConfigMapBuilder(current)
                    .editMetadata()
                    .withFinalizers(List.of())
                    .endMetadata()
                    .build());
    assertThat(named("held").get()).isNull();
  }

  @Test
  void labelsAndFields_filter() {
    for (String tier : List.of("front", "back")) {
      ConfigMap made = configMap("tier-" + tier, Map.of());
      made.getMetadata().getLabels().put("tier", tier);
      client.resource(made).create();
    }
    var all = client.configMaps().inNamespace("default");
    assertThat(names(all.withLabel("tier", "front").list())).containsExactly("tier-front");
    assertThat(names(all.withLabelIn("tier", "front", "back").list()))
        .containsExactlyInAnyOrder("tier-front", "tier-back");
    assertThat(names(all.withLabel("tier").withoutLabel("tier", "front").list()))
        .containsExactly("tier-back");
    assertThat(names(all.withLabelSelector("tier notin (front),tier").list()))
        .containsExactly("tier-back");
    assertThat(names(all.withField("metadata.name", "tier-back").list()))
        .containsExactly("tier-back");
    assertThat(names(client.configMaps().inAnyNamespace().withLabel("tier", "back").list()))
        .containsExactly("tier-back");
  }

  private static List<String> names(ConfigMapList list) {
    return list.getItems().stream().map(item -> item.getMetadata().getName()).toList();
  }

  @Test
  void statusAndScale_areWrittenApart() {
    client.resource(deployment("scaled", 1)).create();
    var scaled = client.apps().deployments().inNamespace("default").withName("scaled");
    Deployment withStatus =
        scaled.editStatus(
            current ->
                new DeploymentBuilder(current)
                    .editSpec()
                    .withReplicas(7)
                    .endSpec()
                    .withNewStatus()
                    .withReplicas(1)
                    .withObservedGeneration(1L)
                    .endStatus()
                    .build());
    assertThat(withStatus.getStatus().getReplicas()).isEqualTo(1);
    assertThat(withStatus.getSpec().getReplicas()).isEqualTo(1);
    assertThat(withStatus.getMetadata().getGeneration()).isEqualTo(1);

    assertThat(scaled.scale(3).getSpec().getReplicas()).isEqualTo(3);
    assertThat(scaled.scale().getSpec().getReplicas()).isEqualTo(3);
    assertThat(scaled.scale().getStatus().getReplicas()).isEqualTo(1);
    assertThat(scaled.get().getMetadata().getGeneration()).isEqualTo(2);
    assertThat(scaled.get().getStatus().getReplicas()).isEqualTo(1);
  }

  @Test
  void listInPages_seesEachObjectOnceAtOneVersion() {
    for (int i = 0; i < 25; i++) {
      ConfigMap made = configMap("page-" + i, Map.of());
      made.getMetadata().getLabels().put("paged", "yes");
      client.resource(made).create();
    }
    List<String> seen = new ArrayList<>();
    List<String> versions = new ArrayList<>();
    String next = null;
    do {
      ConfigMapList page =
          client
              .configMaps()
              .inNamespace("default")
              .withLabel("paged")
              .list(new ListOptionsBuilder().withLimit(7L).withContinue(next).build());
      seen.addAll(names(page));
      versions.add(page.getMetadata().getResourceVersion());
      next = page.getMetadata().getContinue();
      client.resource(configMap("meanwhile-" + versions.size(), Map.of())).create();
    } while (next != null && !next.isEmpty());
    assertThat(seen).hasSize(25).doesNotHaveDuplicates();
    assertThat(versions).hasSize(4).containsOnly(versions.getFirst());
  }

  @Test
  void resourceList_isMadeAndDeletedAsOne() {
    List<HasMetadata> objects =
        List.of(
            configMap("listed", Map.of("a", "1")),
            new SecretBuilder()
                .withNewMetadata()
                .withName("listed")
                .withNamespace("default")
                .endMetadata()
                .addToStringData("word", "open")
                .build(),
            deployment("listed", 0));
    List<HasMetadata> made = client.resourceList(objects).create();
    assertThat(made).hasSize(3).allMatch(object -> object.getMetadata().getUid() != null);
    assertThat(client.secrets().inNamespace("default").withName("listed").get().getData())
        .isEqualTo(Map.of("word", "b3Blbg=="));
    client.resourceList(objects).delete();
    assertThat(named("listed").get()).isNull();
  }

  @Test
  void genericResources_workWithoutATypeOfTheirOwn() {
    var context =
        new io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext.Builder()
            .withVersion("v1")
            .withKind("ConfigMap")
            .withPlural("configmaps")
            .withNamespaced(true)
            .build();
    client.resource(configMap("generic", Map.of("a", "1"))).create();
    var found =
        client.genericKubernetesResources(context).inNamespace("default").withName("generic").get();
    assertThat((Map<?, ?>) found.get("data")).isEqualTo(Map.of("a", "1"));
  }

  private static Pod pod(String name) {
    return new PodBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace("default")
        .endMetadata()
        .withNewSpec()
        .addNewContainer()
        .withName("main")
        .withImage("main:1")
        .endContainer()
        .endSpec()
        .build();
  }

  static Deployment deployment(String name, int replicas) {
    return new DeploymentBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace("default")
        .endMetadata()
        .withNewSpec()
        .withReplicas(replicas)
        .withNewSelector()
        .addToMatchLabels("app", name)
        .endSelector()
        .withNewTemplate()
        .withNewMetadata()
        .addToLabels("app", name)
        .endMetadata()
        .withSpec(pod(name).getSpec())
        .endTemplate()
        .endSpec()
        .build();
  }

  @Test
  void serverSideApply_ownsConflictsAndForces() {
    ConfigMap wanted = configMap("applied", Map.of("a", "1"));
    ConfigMap made = client.resource(wanted).fieldManager("one").serverSideApply();
    assertThat(made.getData()).containsEntry("a", "1");
    assertThat(made.getMetadata().getManagedFields())
        .singleElement()
        .satisfies(
            entry -> {
              assertThat(entry.getManager()).isEqualTo("one");
              assertThat(entry.getOperation()).isEqualTo("Apply");
            });
    ConfigMap again = client.resource(wanted).fieldManager("one").serverSideApply();
    assertThat(again.getMetadata().getResourceVersion())
        .isEqualTo(made.getMetadata().getResourceVersion());
    ConfigMap other = configMap("applied", Map.of("a", "2"));
    assertThatThrownBy(() -> client.resource(other).fieldManager("two").serverSideApply())
        .isInstanceOfSatisfying(
            KubernetesClientException.class,
            e -> {
              assertThat(e.getCode()).isEqualTo(409);
              assertThat(e.getStatus().getDetails().getCauses().getFirst().getField())
                  .isEqualTo(".data.a");
            });
    assertThat(
            client.resource(other).fieldManager("two").forceConflicts().serverSideApply().getData())
        .containsEntry("a", "2");
  }
}
