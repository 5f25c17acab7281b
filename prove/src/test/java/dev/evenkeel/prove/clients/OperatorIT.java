package dev.evenkeel.prove.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.reconciler.Cleaner;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.api.reconciler.Workflow;
import io.javaoperatorsdk.operator.api.reconciler.dependent.Dependent;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.CRUDKubernetesDependentResource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** An operator as people write them with java-operator-sdk: a kind, a dependent, a status. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OperatorIT {

  private static final String DEFINITION =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: webpages.web.example.com}
      spec:
        group: web.example.com
        scope: Namespaced
        names: {plural: webpages, singular: webpage, kind: WebPage}
        versions:
        - name: v1
          served: true
          storage: true
          subresources: {status: {}}
          schema:
            openAPIV3Schema:
              type: object
              properties:
                spec: {type: object, properties: {html: {type: string}}}
                status: {type: object, properties: {shown: {type: string}}}
      """;

  /** What a user asks for. */
  public static final class PageSpec {
    public String html = "";
  }

  /** What the operator says. */
  public static final class PageStatus {
    public String shown = "";
  }

  /** The kind. */
  @Group("web.example.com")
  @Version("v1")
  public static final class WebPage extends CustomResource<PageSpec, PageStatus>
      implements Namespaced {}

  /** What each page has beside it. */
  public static final class PageConfigMap
      extends CRUDKubernetesDependentResource<ConfigMap, WebPage> {

    public PageConfigMap() {
      super(ConfigMap.class);
    }

    @Override
    protected ConfigMap desired(WebPage page, Context<WebPage> context) {
      return new ConfigMapBuilder()
          .withNewMetadata()
          .withName(page.getMetadata().getName() + "-html")
          .withNamespace(page.getMetadata().getNamespace())
          .endMetadata()
          .withData(Map.of("index.html", page.getSpec().html))
          .build();
    }
  }

  /** How each page is reached: applied, and never told an address. */
  public static final class PageService extends CRUDKubernetesDependentResource<Service, WebPage> {

    public PageService() {
      super(Service.class);
    }

    @Override
    protected Service desired(WebPage page, Context<WebPage> context) {
      return new ServiceBuilder()
          .withNewMetadata()
          .withName(page.getMetadata().getName())
          .withNamespace(page.getMetadata().getNamespace())
          .addToLabels("html", page.getSpec().html)
          .endMetadata()
          .withNewSpec()
          .addToSelector("app", page.getMetadata().getName())
          .addNewPort()
          .withName("http")
          .withPort(80)
          .endPort()
          .endSpec()
          .build();
    }
  }

  /** The operator. */
  @Workflow(
      dependents = {@Dependent(type = PageConfigMap.class), @Dependent(type = PageService.class)})
  @ControllerConfiguration
  public static final class PageReconciler implements Reconciler<WebPage>, Cleaner<WebPage> {

    @Override
    public UpdateControl<WebPage> reconcile(WebPage page, Context<WebPage> context) {
      var status = new PageStatus();
      status.shown = page.getSpec().html;
      var patch = new WebPage();
      patch.setMetadata(
          new ObjectMetaBuilder()
              .withName(page.getMetadata().getName())
              .withNamespace(page.getMetadata().getNamespace())
              .build());
      patch.setStatus(status);
      return UpdateControl.patchStatus(patch);
    }

    @Override
    public DeleteControl cleanup(WebPage page, Context<WebPage> context) {
      return DeleteControl.defaultDelete();
    }
  }

  private RunningServer server;
  private KubernetesClient client;
  private Operator operator;

  @BeforeAll
  void start(@TempDir Path folder) throws IOException {
    server = RunningServer.start(folder);
    client = FabricClients.of(server);
    client
        .load(new java.io.ByteArrayInputStream(DEFINITION.getBytes(StandardCharsets.UTF_8)))
        .serverSideApply();
    client
        .apiextensions()
        .v1()
        .customResourceDefinitions()
        .withName("webpages.web.example.com")
        .waitUntilCondition(
            definition ->
                definition != null
                    && definition.getStatus() != null
                    && definition.getStatus().getConditions().stream()
                        .anyMatch(
                            condition ->
                                condition.getType().equals("Established")
                                    && condition.getStatus().equals("True")),
            10,
            TimeUnit.SECONDS);
    operator = new Operator(overrider -> overrider.withKubernetesClient(client));
    operator.register(new PageReconciler());
    operator.start();
  }

  @AfterAll
  void stop() {
    operator.stop();
    client.close();
    server.close();
  }

  private static WebPage page(String html) {
    var page = new WebPage();
    page.setMetadata(new ObjectMetaBuilder().withName("home").withNamespace("default").build());
    var spec = new PageSpec();
    spec.html = html;
    page.setSpec(spec);
    return page;
  }

  private <T> T await(Resource<T> resource, Predicate<T> condition) {
    return resource.waitUntilCondition(condition, 20, TimeUnit.SECONDS);
  }

  private Resource<ConfigMap> beside() {
    return client.configMaps().inNamespace("default").withName("home-html");
  }

  private Resource<Service> service() {
    return client.services().inNamespace("default").withName("home");
  }

  private static boolean labelled(Service service, String html) {
    return html.equals(service.getMetadata().getLabels().get("html"));
  }

  private Resource<WebPage> home() {
    return client.resources(WebPage.class).inNamespace("default").withName("home");
  }

  private static boolean holds(ConfigMap map, String html) {
    return map != null && html.equals(map.getData().get("index.html"));
  }

  @Test
  void theOperator_keepsWhatDependsOnAPage() {
    client.resource(page("one")).create();
    ConfigMap made = await(beside(), map -> holds(map, "one"));
    assertThat(made.getMetadata().getOwnerReferences().getFirst().getKind()).isEqualTo("WebPage");
    await(
        home(),
        page -> page != null && page.getStatus() != null && page.getStatus().shown.equals("one"));

    Service reached = await(service(), it -> it != null && labelled(it, "one"));
    String address = reached.getSpec().getClusterIP();
    assertThat(address).startsWith("10.");

    client.resource(page("two")).fieldManager("user").forceConflicts().serverSideApply();
    await(beside(), map -> holds(map, "two"));

    assertThat(await(service(), it -> labelled(it, "two")).getSpec().getClusterIP())
        .isEqualTo(address);

    beside().edit(map -> new ConfigMapBuilder(map).withData(Map.of("index.html", "x")).build());
    await(beside(), map -> holds(map, "two"));

    beside().delete();
    await(beside(), map -> holds(map, "two"));

    home().delete();
    await(home(), Objects::isNull);
  }
}
