package dev.evenkeel.prove.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.decide.controllers.collect.GarbageCollector;
import dev.evenkeel.decide.lead.Leadership;
import dev.evenkeel.decide.metric.ControllerMetrics;
import dev.evenkeel.explain.log.DecisionLog;
import dev.evenkeel.kernel.env.RealEnv;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.observe.http.HttpTransport;
import dev.evenkeel.observe.http.Kubeconfig;
import dev.evenkeel.store.testkit.outside.NeedsProgram;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What people type every day, each test in a namespace of its own. */
@NeedsProgram("kubectl")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KubectlIT {

  private static final String DEPLOYMENT =
      """
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web, labels: {app: web}}
      spec:
        replicas: 3
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          spec:
            containers:
            - {name: web, image: "nginx:1.25", ports: [{containerPort: 80}]}
      """;

  private RunningServer server;
  private Kubectl kubectl;
  private String namespace = "";

  @BeforeAll
  void start(@TempDir Path folder) throws IOException {
    server = RunningServer.start(folder);
    Path editor = folder.resolve("editor");
    Files.writeString(editor, "#!/bin/sh\nsed -i 's/nginx:1.25/nginx:1.27/' \"$1\"\n");
    assertThat(editor.toFile().setExecutable(true)).isTrue();
    kubectl = new Kubectl(folder, server.kubeconfig(), Map.of("KUBE_EDITOR", editor.toString()));
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @BeforeEach
  void ownNamespace(TestInfo test) {
    namespace =
        test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT).replace('_', '-');
    assertThat(kubectl.ok("create", "namespace", namespace))
        .isEqualTo("namespace/" + namespace + " created\n");
    var _ = kubectl.ok("config", "set-context", "--current", "--namespace", namespace);
  }

  private String deployment(String path) {
    return kubectl.ok("get", "deployment", "web", "-o", "jsonpath={" + path + "}");
  }

  private void applyDeployment() {
    assertThat(kubectl.okWith(DEPLOYMENT, "apply", "-f", "-"))
        .isEqualTo("deployment.apps/web created\n");
  }

  @Test
  void create_makesEachKindItHasACommandFor() {
    assertThat(kubectl.ok("create", "configmap", "c", "--from-literal=a=b"))
        .isEqualTo("configmap/c created\n");
    assertThat(kubectl.ok("create", "secret", "generic", "s", "--from-literal=a=b"))
        .isEqualTo("secret/s created\n");
    assertThat(kubectl.ok("get", "secret", "s", "-o", "jsonpath={.data.a} {.type}"))
        .isEqualTo("Yg== Opaque");
    assertThat(kubectl.ok("create", "deployment", "d", "--image=nginx", "--replicas=2"))
        .isEqualTo("deployment.apps/d created\n");
    assertThat(kubectl.ok("create", "service", "clusterip", "s", "--tcp=80:8080"))
        .isEqualTo("service/s created\n");
    assertThat(kubectl.ok("create", "job", "j", "--image=busybox", "--", "date"))
        .isEqualTo("job.batch/j created\n");
    assertThat(
            kubectl.ok(
                "create",
                "cronjob",
                "cj",
                "--image=busybox",
                "--schedule=*/5 * * * *",
                "--",
                "date"))
        .isEqualTo("cronjob.batch/cj created\n");
    assertThat(kubectl.ok("create", "serviceaccount", "bot"))
        .contains("serviceaccount/bot created");
    assertThat(kubectl.ok("create", "role", "r", "--verb=get", "--resource=pods"))
        .isEqualTo("role.rbac.authorization.k8s.io/r created\n");
    assertThat(kubectl.ok("create", "rolebinding", "rb", "--role=r", "--serviceaccount=x:bot"))
        .isEqualTo("rolebinding.rbac.authorization.k8s.io/rb created\n");
    assertThat(kubectl.ok("create", "quota", "q", "--hard=pods=3"))
        .isEqualTo("resourcequota/q created\n");
    assertThat(kubectl.ok("create", "pdb", "p", "--selector=app=web", "--min-available=1"))
        .isEqualTo("poddisruptionbudget.policy/p created\n");
    assertThat(kubectl.ok("create", "ingress", "i", "--rule=a.b/x=s:80"))
        .isEqualTo("ingress.networking.k8s.io/i created\n");
    assertThat(kubectl.ok("create", "priorityclass", namespace, "--value=7"))
        .isEqualTo("priorityclass.scheduling.k8s.io/" + namespace + " created\n");
    assertThat(kubectl.ok("run", "p", "--image=nginx")).isEqualTo("pod/p created\n");
    Kubectl.Result again = kubectl.run("create", "configmap", "c");
    assertThat(again.code()).isEqualTo(1);
    assertThat(again.err())
        .isEqualTo("error: failed to create configmap: configmaps \"c\" already exists\n");
  }

  @Test
  void apply_createsLeavesAndChanges() {
    applyDeployment();
    assertThat(kubectl.okWith(DEPLOYMENT, "apply", "-f", "-"))
        .isEqualTo("deployment.apps/web unchanged\n");
    String fewer = DEPLOYMENT.replace("replicas: 3", "replicas: 1");
    assertThat(kubectl.okWith(fewer, "apply", "-f", "-"))
        .isEqualTo("deployment.apps/web configured\n");
    String labelGone = fewer.replace(", labels: {app: web}}\nspec", "}\nspec");
    assertThat(kubectl.okWith(labelGone, "apply", "-f", "-"))
        .isEqualTo("deployment.apps/web configured\n");
    assertThat(deployment(".metadata.labels")).isEmpty();
    assertThat(deployment(".spec.replicas")).isEqualTo("1");
  }

  @Test
  void get_printsEveryOutput() {
    applyDeployment();
    String labelled = "web    0/3     0            0           ";
    assertThat(kubectl.ok("get", "deployments"))
        .startsWith("NAME   READY   UP-TO-DATE   AVAILABLE   AGE\n" + labelled);
    assertThat(kubectl.ok("get", "deploy", "-o", "wide"))
        .contains("CONTAINERS   IMAGES       SELECTOR\n")
        .contains("web          nginx:1.25   app=web\n");
    assertThat(kubectl.ok("get", "deploy", "--no-headers", "-L", "app"))
        .startsWith("web   0/3 ")
        .endsWith(" web\n");
    assertThat(kubectl.ok("get", "deploy", "--show-labels"))
        .contains("LABELS\n")
        .contains("app=web\n");
    assertThat(kubectl.ok("get", "deploy,rs", "-o", "name")).isEqualTo("deployment.apps/web\n");
    JsonNode json =
        Json.parse(
            kubectl.ok("get", "deploy", "web", "-o", "json").getBytes(StandardCharsets.UTF_8));
    assertThat(json.path("kind").asString()).isEqualTo("Deployment");
    assertThat(kubectl.ok("get", "deploy", "web", "-o", "yaml"))
        .startsWith("apiVersion: apps/v1\nkind: Deployment\n");
    assertThat(kubectl.ok("get", "deploy", "-o", "jsonpath={.items[*].metadata.name}"))
        .isEqualTo("web");
    assertThat(kubectl.ok("get", "deploy", "web", "-o", "go-template={{.spec.replicas}}"))
        .isEqualTo("3");
    assertThat(
            kubectl.ok("get", "deploy", "-o", "custom-columns=N:.metadata.name,R:.spec.replicas"))
        .isEqualTo("N     R\nweb   3\n");
    assertThat(kubectl.ok("get", "deploy", "-A", "--sort-by=.metadata.name")).contains(namespace);
    assertThat(kubectl.ok("get", "deploy", "-l", "app!=web")).isEmpty();
    assertThat(kubectl.ok("get", "deploy", "--field-selector", "metadata.name=web"))
        .contains("web");
    assertThat(kubectl.ok("get", "all")).contains("deployment.apps/web");
    assertThat(kubectl.ok("get", "--raw", "/readyz")).isEqualTo("ok");
    Kubectl.Result missing = kubectl.run("get", "deploy", "nope");
    assertThat(missing.code()).isEqualTo(1);
    assertThat(missing.err())
        .isEqualTo("Error from server (NotFound): deployments.apps \"nope\" not found\n");
    assertThat(kubectl.run("get", "things").err())
        .isEqualTo("error: the server doesn't have a resource type \"things\"\n");
  }

  @Test
  void getAndWatch_printsARowForEveryChange() {
    try (Kubectl.Running watch = kubectl.start("get", "configmaps", "-w", "--no-headers")) {
      Kubectl.Running events =
          kubectl.start("get", "configmaps", "-w", "--output-watch-events", "--no-headers");
      try (events) {
        // The first row may come with the list or as an event; both count.
        var _ = kubectl.ok("create", "configmap", "a", "--from-literal=x=1");
        Await.until("the first is shown", () -> watch.out().contains("a     1"));
        Await.until("the first event is shown", () -> events.out().contains("ADDED"));
        var _ = kubectl.ok("patch", "configmap", "a", "-p", "{\"data\":{\"y\":\"2\"}}");
        Await.until("the change is shown", () -> watch.out().contains("a     2"));
        var _ = kubectl.ok("delete", "configmap", "a");
        Await.until("its end is shown", () -> events.out().contains("DELETED"));
        assertThat(events.out().lines().map(line -> line.split("\\s+", 2)[0]))
            .containsExactly("ADDED", "MODIFIED", "DELETED");
      }
    }
  }

  @Test
  void describe_tellsOfTheObjectAndItsEvents() {
    applyDeployment();
    assertThat(kubectl.ok("describe", "deployment", "web"))
        .contains("Name:                   web\n")
        .contains("Replicas:               3 desired | 0 updated | 0 total | 0 available")
        .contains("StrategyType:           RollingUpdate\n")
        .contains("RollingUpdateStrategy:  25% max unavailable, 25% max surge\n")
        .containsPattern("Image: +nginx:1.25\n")
        .containsPattern("Events: +<none>\n");
    var _ = kubectl.ok("run", "p", "--image=nginx");
    var _ =
        kubectl.okWith(
            """
            apiVersion: v1
            kind: Event
            metadata: {name: e, namespace: %1$s}
            involvedObject: {kind: Pod, name: p, namespace: %1$s, uid: %2$s}
            reason: Pulled
            message: it is here
            type: Normal
            """
                .formatted(
                    namespace, kubectl.ok("get", "pod", "p", "-o", "jsonpath={.metadata.uid}")),
            "create",
            "-f",
            "-");
    assertThat(kubectl.ok("describe", "pod", "p")).contains("Pulled", "it is here");
    assertThat(kubectl.ok("events")).contains("Pulled").contains("Pod/p");
    assertThat(kubectl.ok("describe", "namespace", namespace)).contains("Status:       Active");
    var _ = kubectl.ok("expose", "deployment", "web", "--port=80");
    assertThat(kubectl.ok("describe", "service", "web")).contains("Selector:", "app=web");
  }

  @Test
  void edit_sendsWhatWasChanged() {
    applyDeployment();
    assertThat(kubectl.ok("edit", "deployment", "web")).isEqualTo("deployment.apps/web edited\n");
    assertThat(deployment(".spec.template.spec.containers[0].image")).isEqualTo("nginx:1.27");
    assertThat(deployment(".metadata.generation")).isEqualTo("2");
  }

  @Test
  void patch_takesThreeTypes() {
    applyDeployment();
    String strategic =
        "{\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":\"side\",\"image\":\"i\"}]}}}}";
    assertThat(kubectl.ok("patch", "deployment", "web", "-p", strategic))
        .isEqualTo("deployment.apps/web patched\n");
    assertThat(deployment(".spec.template.spec.containers[*].name")).isEqualTo("side web");
    var _ =
        kubectl.ok(
            "patch",
            "deployment",
            "web",
            "--type=merge",
            "-p",
            "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}");
    assertThat(deployment(".metadata.labels")).isEqualTo("{\"a\":\"b\",\"app\":\"web\"}");
    var _ =
        kubectl.ok(
            "patch",
            "deployment",
            "web",
            "--type=json",
            "-p",
            "[{\"op\":\"test\",\"path\":\"/spec/replicas\",\"value\":3},"
                + "{\"op\":\"replace\",\"path\":\"/spec/replicas\",\"value\":2}]");
    assertThat(deployment(".spec.replicas")).isEqualTo("2");
    assertThat(kubectl.ok("patch", "deployment", "web", "-p", "{\"spec\":{\"replicas\":2}}"))
        .isEqualTo("deployment.apps/web patched (no change)\n");
    Kubectl.Result wrong =
        kubectl.run("patch", "deployment", "web", "-p", "{\"spec\":{\"replicas\":-1}}");
    assertThat(wrong.code()).isEqualTo(1);
    assertThat(wrong.err())
        .contains("The Deployment \"web\" is invalid: spec.replicas: Invalid value: -1");
    var _ =
        kubectl.ok(
            "patch",
            "deployment",
            "web",
            "--subresource=status",
            "--type=merge",
            "-p",
            "{\"status\":{\"readyReplicas\":1,\"replicas\":1}}");
    assertThat(deployment(".status.readyReplicas")).isEqualTo("1");
  }

  @Test
  void labelAndAnnotate_addAndTakeAway() {
    applyDeployment();
    assertThat(kubectl.ok("label", "deployment", "web", "tier=front"))
        .isEqualTo("deployment.apps/web labeled\n");
    Kubectl.Result taken = kubectl.run("label", "deployment", "web", "tier=back");
    assertThat(taken.err()).contains("already has a value (front), and --overwrite is false");
    var _ = kubectl.ok("label", "deployment", "web", "tier=back", "--overwrite");
    assertThat(kubectl.ok("get", "deploy", "-l", "tier in (back)", "-o", "name")).isNotEmpty();
    assertThat(kubectl.ok("label", "deployment", "web", "tier-"))
        .isEqualTo("deployment.apps/web unlabeled\n");
    assertThat(kubectl.ok("annotate", "deployment", "web", "note=hello world"))
        .isEqualTo("deployment.apps/web annotated\n");
    assertThat(deployment(".metadata.annotations.note")).isEqualTo("hello world");
    assertThat(kubectl.run("label", "deployment", "web", "a=b c").code()).isEqualTo(1);
  }

  @Test
  void scale_setsReplicasOnAnyConditions() {
    applyDeployment();
    assertThat(kubectl.ok("scale", "deployment", "web", "--replicas=5"))
        .isEqualTo("deployment.apps/web scaled\n");
    assertThat(deployment(".spec.replicas")).isEqualTo("5");
    Kubectl.Result other =
        kubectl.run("scale", "deployment", "web", "--replicas=6", "--current-replicas=1");
    assertThat(other.err()).contains("Expected replicas to be 1, was 5");
    assertThat(kubectl.ok("autoscale", "deployment", "web", "--max=4", "--cpu-percent=50"))
        .isEqualTo("horizontalpodautoscaler.autoscaling/web autoscaled\n");
    assertThat(kubectl.ok("get", "hpa", "web")).contains("Deployment/web", "cpu: <unknown>/50%");
    assertThat(kubectl.ok("set", "image", "deployment/web", "web=nginx:2"))
        .isEqualTo("deployment.apps/web image updated\n");
    assertThat(kubectl.ok("rollout", "restart", "deployment/web"))
        .isEqualTo("deployment.apps/web restarted\n");
    assertThat(kubectl.ok("rollout", "pause", "deployment/web")).contains("paused");
  }

  @Test
  void delete_takesEveryCascade() {
    var env = new RealEnv();
    var settings = Kubeconfig.read(server.kubeconfig()).settings();
    try (var transport = HttpTransport.open(env, settings);
        var _ =
            GarbageCollector.start(
                env,
                transport,
                new DecisionLog(10, 10),
                Leadership.ALONE,
                ControllerMetrics.unseen())) {
      for (String cascade : new String[] {"background", "foreground", "orphan"}) {
        applyDeployment();
        assertThat(
                kubectl.ok("delete", "deployment", "web", "--cascade=" + cascade, "--timeout=20s"))
            .contains("deployment.apps \"web\" deleted");
        assertThat(kubectl.run("get", "deployment", "web").code()).isEqualTo(1);
      }
    }
    var _ = kubectl.ok("run", "now", "--image=nginx");
    assertThat(kubectl.ok("delete", "pod", "now", "--now")).contains("pod \"now\" deleted");
    var _ = kubectl.ok("run", "forced", "--image=nginx");
    assertThat(kubectl.ok("delete", "pod", "forced", "--force", "--grace-period=0"))
        .contains("pod \"forced\" force deleted");
    var _ = kubectl.ok("create", "configmap", "a");
    var _ = kubectl.ok("create", "configmap", "b");
    assertThat(kubectl.ok("delete", "configmap", "--all"))
        .contains("configmap \"a\" deleted", "configmap \"b\" deleted");
    assertThat(kubectl.ok("delete", "configmap", "a", "--ignore-not-found")).isEmpty();
    assertThat(kubectl.run("delete", "configmap", "a").err())
        .isEqualTo("Error from server (NotFound): configmaps \"a\" not found\n");
  }

  @Test
  void wait_endsWithWhatItWaitsFor() {
    var _ = kubectl.ok("create", "configmap", "c", "--from-literal=a=b");
    try (Kubectl.Running wait =
            kubectl.start("wait", "configmap/c", "--for=jsonpath={.data.a}=z", "--timeout=30s");
        Kubectl.Running gone =
            kubectl.start("wait", "configmap/c", "--for=delete", "--timeout=30s")) {
      var _ = kubectl.ok("patch", "configmap", "c", "-p", "{\"data\":{\"a\":\"z\"}}");
      assertThat(wait.await().out()).isEqualTo("configmap/c condition met\n");
      var _ = kubectl.ok("delete", "configmap", "c");
      assertThat(gone.await().code()).isZero();
    }
    applyDeployment();
    try (Kubectl.Running available =
        kubectl.start("wait", "deployment/web", "--for=condition=Available", "--timeout=30s")) {
      var _ =
          kubectl.ok(
              "patch",
              "deployment",
              "web",
              "--subresource=status",
              "--type=merge",
              "-p",
              "{\"status\":{\"conditions\":[{\"type\":\"Available\",\"status\":\"True\"}]}}");
      assertThat(available.await().out()).isEqualTo("deployment.apps/web condition met\n");
    }
    Kubectl.Result late =
        kubectl.run("wait", "deployment/web", "--for=condition=Nope", "--timeout=1s");
    assertThat(late.err()).contains("timed out waiting for the condition");
  }

  @Test
  void apiResources_showsAllKindsWithTheirShortNames() {
    String all = kubectl.ok("api-resources", "--no-headers");
    assertThat(all)
        .containsPattern("(?m)^configmaps +cm +v1 +true +ConfigMap$")
        .containsPattern("(?m)^deployments +deploy +apps/v1 +true +Deployment$")
        .containsPattern("(?m)^horizontalpodautoscalers +hpa +autoscaling/v2 +true ")
        .containsPattern("(?m)^nodes +no +v1 +false +Node$")
        .containsPattern(
            "(?m)^customresourcedefinitions +crd,crds +apiextensions.k8s.io/v1 +false ");
    assertThat(kubectl.ok("api-resources", "--verbs=list", "--namespaced", "-o", "name"))
        .contains("pods\n")
        .doesNotContain("bindings\n");
    assertThat(kubectl.ok("api-resources", "--api-group=apps", "--categories=all", "-o", "name"))
        .contains("deployments.apps\n", "statefulsets.apps\n");
    assertThat(kubectl.ok("api-versions").lines()).contains("v1", "apps/v1", "autoscaling/v1");
    assertThat(kubectl.ok("version")).contains("Server Version: v1.34");
    assertThat(kubectl.ok("cluster-info")).contains("is running at");
  }

  @Test
  void explain_showsFieldsOfBuiltInKinds() {
    assertThat(kubectl.ok("explain", "pod.spec.containers"))
        .contains("KIND:       Pod", "VERSION:    v1", "FIELD: containers", "imagePullPolicy");
    assertThat(kubectl.ok("explain", "hpa", "--api-version=autoscaling/v1"))
        .contains("VERSION:    v1");
  }

  @Test
  void diff_showsWhatWouldChange() {
    applyDeployment();
    Kubectl.Result differs =
        kubectl.runWith(DEPLOYMENT.replace("nginx:1.25", "nginx:9"), "diff", "-f", "-");
    assertThat(differs.code()).isEqualTo(1);
    assertThat(differs.out()).contains("-      - image: nginx:1.25\n", "+      - image: nginx:9\n");
    assertThat(kubectl.runWith(DEPLOYMENT, "diff", "-f", "-").code()).isZero();
  }

  @Test
  void replace_needsTheVersionItHas() {
    applyDeployment();
    String old = kubectl.ok("get", "deployment", "web", "-o", "yaml");
    var _ = kubectl.ok("scale", "deployment", "web", "--replicas=1");
    Kubectl.Result conflict = kubectl.runWith(old, "replace", "-f", "-");
    assertThat(conflict.code()).isEqualTo(1);
    assertThat(conflict.err())
        .contains("the object has been modified; please apply your changes to the latest version");
    assertThat(kubectl.okWith(DEPLOYMENT, "replace", "-f", "-"))
        .isEqualTo("deployment.apps/web replaced\n");
    assertThat(deployment(".spec.replicas")).isEqualTo("3");
  }

  @Test
  void dryRun_changesNothing() {
    assertThat(kubectl.okWith(DEPLOYMENT, "apply", "--dry-run=server", "-f", "-"))
        .isEqualTo("deployment.apps/web created (server dry run)\n");
    assertThat(kubectl.run("get", "deployment", "web").code()).isEqualTo(1);
  }

  @Test
  void auth_saysWhoAndWhat() {
    assertThat(kubectl.ok("auth", "whoami")).contains("kubernetes-admin", "system:masters");
    assertThat(kubectl.ok("auth", "can-i", "create", "pods")).isEqualTo("yes\n");
  }

  @Test
  void quota_isChargedAndShown() {
    var _ = kubectl.ok("create", "quota", "q", "--hard=pods=2,count/deployments.apps=1");
    assertThat(kubectl.ok("run", "a", "--image=nginx")).isEqualTo("pod/a created\n");
    var _ = kubectl.ok("run", "b", "--image=nginx");
    Kubectl.Result refused = kubectl.run("run", "c", "--image=nginx");
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.err())
        .isEqualTo(
            "Error from server (Forbidden): pods \"c\" is forbidden: exceeded quota: q, requested:"
                + " pods=1, used: pods=2, limited: pods=2\n");
    assertThat(kubectl.ok("describe", "quota", "q"))
        .containsPattern("pods +2 +2")
        .containsPattern("count/deployments.apps +0 +1");
    assertThat(kubectl.ok("get", "quota", "q")).contains("count/deployments.apps: 0/1, pods: 2/2");
    var _ = kubectl.ok("delete", "pod", "a");
    assertThat(kubectl.ok("get", "quota", "q", "-o", "jsonpath={.status.used.pods}"))
        .isEqualTo("1");
    var _ =
        kubectl.ok(
            "patch", "quota", "q", "--type=merge", "-p", "{\"spec\":{\"hard\":{\"pods\":\"1\"}}}");
    assertThat(kubectl.run("run", "c", "--image=nginx").err())
        .contains("used: pods=1, limited: pods=1");
  }
}
