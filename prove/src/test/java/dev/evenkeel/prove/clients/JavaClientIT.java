package dev.evenkeel.prove.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import com.google.gson.reflect.TypeToken;
import io.kubernetes.client.custom.V1Patch;
import io.kubernetes.client.extended.leaderelection.LeaderElectionConfig;
import io.kubernetes.client.extended.leaderelection.LeaderElector;
import io.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.AppsV1Api;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ConfigMapList;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentSpec;
import io.kubernetes.client.openapi.models.V1LabelSelector;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.openapi.models.V1Scale;
import io.kubernetes.client.util.CallGeneratorParams;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import io.kubernetes.client.util.PatchUtils;
import io.kubernetes.client.util.Watch;
import io.kubernetes.client.util.credentials.AccessTokenAuthentication;
import io.kubernetes.client.util.generic.GenericKubernetesApi;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesApi;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the Kubernetes project's own Java client asks for. */
@SuppressWarnings("NullAway") // its models allow null for every field, whatever a server must send
class JavaClientIT {

  private RunningServer server;
  private ApiClient client;
  private CoreV1Api core;

  @BeforeEach
  void start(@TempDir Path folder) throws IOException {
    server = RunningServer.start(folder);
    client =
        new ClientBuilder()
            .setBasePath(server.url())
            .setCertificateAuthority(
                server.credentials().authorityPem().getBytes(StandardCharsets.US_ASCII))
            .setAuthentication(new AccessTokenAuthentication(server.credentials().adminToken()))
            .setReadTimeout(Duration.ZERO)
            .build();
    core = new CoreV1Api(client);
  }

  @AfterEach
  void stop() {
    client.getHttpClient().dispatcher().executorService().shutdown();
    client.getHttpClient().connectionPool().evictAll();
    server.close();
  }

  private static V1ConfigMap configMap(String name, String value) {
    return new V1ConfigMap()
        .metadata(
            new V1ObjectMeta().name(name).namespace("default").labels(Map.of("watched", "yes")))
        .data(Map.of("value", value));
  }

  @Test
  void clientFromTheKubeconfig_isLetInByItsCertificate() throws Exception {
    try (Reader reader = Files.newBufferedReader(server.kubeconfig())) {
      ApiClient other = ClientBuilder.kubeconfig(KubeConfig.loadKubeConfig(reader)).build();
      assertThat(new CoreV1Api(other).readNamespace("default").execute().getMetadata()).isNotNull();
    }
  }

  @Test
  void createReadReplaceListDelete_goRound() throws Exception {
    V1ConfigMap made = core.createNamespacedConfigMap("default", configMap("a", "1")).execute();
    assertThat(made.getMetadata().getUid()).isNotEmpty();
    assertThat(core.readNamespacedConfigMap("a", "default").execute()).isEqualTo(made);
    V1ConfigMap changed =
        core.replaceNamespacedConfigMap("a", "default", made.data(Map.of("value", "2"))).execute();
    assertThat(changed.getData()).isEqualTo(Map.of("value", "2"));
    made.getMetadata().setResourceVersion("1");
    assertThatThrownBy(() -> core.replaceNamespacedConfigMap("a", "default", made).execute())
        .isInstanceOfSatisfying(ApiException.class, e -> assertThat(e.getCode()).isEqualTo(409));
    V1ConfigMapList list =
        core.listNamespacedConfigMap("default").labelSelector("watched=yes").execute();
    assertThat(list.getItems()).hasSize(1);
    assertThat(core.deleteNamespacedConfigMap("a", "default").execute().getStatus())
        .isEqualTo("Success");
    assertThatThrownBy(() -> core.readNamespacedConfigMap("a", "default").execute())
        .isInstanceOfSatisfying(ApiException.class, e -> assertThat(e.getCode()).isEqualTo(404));
  }

  @Test
  void patches_ofThreeTypes() throws Exception {
    core.createNamespacedConfigMap("default", configMap("patched", "1")).execute();
    Map<String, String> bodies =
        Map.of(
            V1Patch.PATCH_FORMAT_JSON_PATCH,
            "[{\"op\":\"add\",\"path\":\"/data/json\",\"value\":\"x\"}]",
            V1Patch.PATCH_FORMAT_JSON_MERGE_PATCH,
            "{\"data\":{\"merge\":\"x\"}}",
            V1Patch.PATCH_FORMAT_STRATEGIC_MERGE_PATCH,
            "{\"data\":{\"strategic\":\"x\"}}");
    for (Map.Entry<String, String> each : bodies.entrySet()) {
      PatchUtils.patch(
          V1ConfigMap.class,
          () ->
              core.patchNamespacedConfigMap("patched", "default", new V1Patch(each.getValue()))
                  .buildCall(null),
          each.getKey(),
          client);
    }
    assertThat(core.readNamespacedConfigMap("patched", "default").execute().getData())
        .containsOnlyKeys("value", "json", "merge", "strategic");
  }

  @Test
  void deploymentStatusAndScale_areWrittenApart() throws Exception {
    var apps = new AppsV1Api(client);
    var labels = Map.of("app", "scaled");
    V1Deployment made =
        apps.createNamespacedDeployment(
                "default",
                new V1Deployment()
                    .metadata(new V1ObjectMeta().name("scaled"))
                    .spec(
                        new V1DeploymentSpec()
                            .replicas(1)
                            .selector(new V1LabelSelector().matchLabels(labels))
                            .template(
                                new V1PodTemplateSpec()
                                    .metadata(new V1ObjectMeta().labels(labels))
                                    .spec(
                                        new V1PodSpec()
                                            .addContainersItem(
                                                new V1Container().name("a").image("a:1"))))))
            .execute();
    assertThat(made.getSpec().getStrategy().getType()).isEqualTo("RollingUpdate");
    V1Scale scale = apps.readNamespacedDeploymentScale("scaled", "default").execute();
    scale.getSpec().setReplicas(5);
    apps.replaceNamespacedDeploymentScale("scaled", "default", scale).execute();
    V1Deployment scaled = apps.readNamespacedDeployment("scaled", "default").execute();
    assertThat(scaled.getSpec().getReplicas()).isEqualTo(5);
    assertThat(scaled.getMetadata().getGeneration()).isEqualTo(2);
  }

  @Test
  void watch_tellsOfEveryChange() throws Exception {
    String version =
        core.listNamespacedConfigMap("default").execute().getMetadata().getResourceVersion();
    List<String> told = new ArrayList<>();
    try (Watch<V1ConfigMap> watch =
        Watch.createWatch(
            client,
            core.listNamespacedConfigMap("default")
                .watch(true)
                .resourceVersion(version)
                .buildCall(null),
            new TypeToken<Watch.Response<V1ConfigMap>>() {}.getType())) {
      V1ConfigMap made = core.createNamespacedConfigMap("default", configMap("a", "1")).execute();
      core.replaceNamespacedConfigMap("a", "default", made.data(Map.of("value", "2"))).execute();
      core.deleteNamespacedConfigMap("a", "default").execute();
      while (told.size() < 3 && watch.hasNext()) {
        Watch.Response<V1ConfigMap> event = watch.next();
        told.add(event.type + " " + event.object.getData().get("value"));
      }
    }
    assertThat(told).containsExactly("ADDED 1", "MODIFIED 2", "DELETED 2");
  }

  @Test
  void informer_holdsTheState_andGoesOnAfterARestart() throws Exception {
    Queue<String> told = new ConcurrentLinkedQueue<>();
    core.createNamespacedConfigMap("default", configMap("before", "1")).execute();
    var factory = new SharedInformerFactory(client);
    SharedIndexInformer<V1ConfigMap> informer =
        factory.sharedIndexInformerFor(
            (CallGeneratorParams params) ->
                core.listNamespacedConfigMap("default")
                    .labelSelector("watched")
                    .resourceVersion(params.resourceVersion)
                    .timeoutSeconds(params.timeoutSeconds)
                    .watch(params.watch)
                    .buildCall(null),
            V1ConfigMap.class,
            V1ConfigMapList.class);
    informer.addEventHandler(
        new ResourceEventHandler<>() {
          @Override
          public void onAdd(V1ConfigMap object) {
            told.add("ADDED " + object.getMetadata().getName());
          }

          @Override
          public void onUpdate(V1ConfigMap before, V1ConfigMap object) {
            told.add("MODIFIED " + object.getMetadata().getName());
          }

          @Override
          public void onDelete(V1ConfigMap object, boolean unknown) {
            told.add("DELETED " + object.getMetadata().getName());
          }
        });
    factory.startAllRegisteredInformers();
    try {
      Await.until("it is in step", informer::hasSynced);
      core.createNamespacedConfigMap("default", configMap("live", "1")).execute();
      Await.until("the change comes", () -> told.contains("ADDED live"));
      server.restart();
      core.createNamespacedConfigMap("default", configMap("after", "1")).execute();
      core.deleteNamespacedConfigMap("before", "default").execute();
      Await.until(
          "changes come again",
          () -> told.contains("ADDED after") && told.contains("DELETED before"));
      assertThat(informer.getIndexer().list()).hasSize(2);
    } finally {
      factory.stopAllRegisteredInformers();
    }
  }

  @Test
  void genericAndDynamicClients_work() {
    var generic =
        new GenericKubernetesApi<>(
            V1ConfigMap.class, V1ConfigMapList.class, "", "v1", "configmaps", client);
    assertThat(generic.create(configMap("generic", "1")).isSuccess()).isTrue();
    assertThat(generic.list("default").getObject().getItems()).isNotEmpty();

    var dynamic = new DynamicKubernetesApi("", "v1", "configmaps", client);
    DynamicKubernetesObject found = dynamic.get("default", "generic").getObject();
    JsonObject data = found.getRaw().getAsJsonObject("data");
    assertThat(data.get("value").getAsString()).isEqualTo("1");
    data.addProperty("value", "2");
    assertThat(dynamic.update(found).isSuccess()).isTrue();
    assertThat(
            dynamic
                .patch(
                    "default",
                    "generic",
                    V1Patch.PATCH_FORMAT_JSON_MERGE_PATCH,
                    new V1Patch("{\"data\":{\"more\":\"3\"}}"))
                .getObject()
                .getRaw()
                .getAsJsonObject("data")
                .size())
        .isEqualTo(2);
    assertThat(dynamic.list("default").getObject().getItems()).isNotEmpty();
    assertThat(dynamic.delete("default", "generic").isSuccess()).isTrue();
    assertThat(dynamic.get("default", "generic").getHttpStatusCode()).isEqualTo(404);
  }

  @Test
  void leaderElection_hasOneLeaderAtATime() throws Exception {
    Queue<String> leaders = new ConcurrentLinkedQueue<>();
    var leading = new AtomicInteger();
    var leadingMost = new AtomicInteger();
    LeaderElector first = elector("first");
    LeaderElector second = elector("second");
    Map<String, LeaderElector> electors = Map.of("first", first, "second", second);
    electors.forEach(
        (name, elector) ->
            Thread.startVirtualThread(
                () ->
                    elector.run(
                        () -> {
                          leadingMost.accumulateAndGet(leading.incrementAndGet(), Math::max);
                          leaders.add(name);
                        },
                        leading::decrementAndGet)));
    Await.until("there is a leader", () -> !leaders.isEmpty());
    String leader = leaders.element();
    Await.pause(1_500); // longer than a lease: it is renewed
    assertThat(leaders).containsExactly(leader);
    electors.get(leader).close();
    Await.until("there is another leader", () -> leaders.size() == 2);
    assertThat(leaders).containsExactlyInAnyOrder("first", "second");
    assertThat(leadingMost).hasValue(1);
    electors.values().forEach(LeaderElector::close);
  }

  private LeaderElector elector(String name) {
    var lock = new LeaseLock("default", "leader", name, client);
    return new LeaderElector(
        new LeaderElectionConfig(
            lock, Duration.ofSeconds(1), Duration.ofMillis(700), Duration.ofMillis(100)));
  }
}
