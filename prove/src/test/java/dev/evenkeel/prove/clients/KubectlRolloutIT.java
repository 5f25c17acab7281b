package dev.evenkeel.prove.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.prove.bench.api.server.OwnServer;
import dev.evenkeel.store.testkit.outside.NeedsProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Workloads as people work with them: {@code kubectl} against {@code evenkeel up} with its
 * controllers, each test in a namespace of its own. There are no nodes, so pods stay pending unless
 * a test plays one.
 */
@NeedsProgram("kubectl")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KubectlRolloutIT {

  private OwnServer server;
  private Path kubeconfig;
  private Kubectl kubectl;
  private String namespace = "";

  @BeforeAll
  void start(@TempDir Path folder) throws IOException, InterruptedException {
    server = new OwnServer(folder, "memory", List.of());
    double _ = server.start();
    kubeconfig = folder.resolve("kubeconfig");
    kubectl = new Kubectl(folder, kubeconfig, Map.of());
  }

  @AfterAll
  void stop() throws InterruptedException {
    server.close();
  }

  @BeforeEach
  void ownNamespace(TestInfo test) {
    namespace =
        test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT).replace('_', '-');
    var _ = kubectl.ok("create", "namespace", namespace);
    var _ = kubectl.ok("config", "set-context", "--current", "--namespace", namespace);
  }

  private PlayedNode runningPods() {
    return PlayedNode.running(kubeconfig, namespace);
  }

  private void createWeb(int replicas) {
    assertThat(
            kubectl.ok(
                "create", "deployment", "web", "--image=nginx:1.25", "--replicas=" + replicas))
        .isEqualTo("deployment.apps/web created\n");
  }

  private void rolledOut(String what, String name) {
    assertThat(kubectl.ok("rollout", "status", what + "/" + name, "--timeout=50s"))
        .endsWith(kind(what) + " \"" + name + "\" successfully rolled out\n");
  }

  private static String kind(String what) {
    return switch (what) {
      case "daemonset" -> "daemon set";
      default -> what;
    };
  }

  private String value(String what, String path) {
    return kubectl.ok("get", what, "-o", "jsonpath={" + path + "}");
  }

  private int count(String what) {
    return Math.toIntExact(kubectl.ok("get", what, "-o", "name").lines().count());
  }

  private void setImage(String image) {
    assertThat(kubectl.ok("set", "image", "deployment/web", "nginx=" + image))
        .isEqualTo("deployment.apps/web image updated\n");
  }

  @Test
  void deployment_withoutNodes_hasPendingPodsAndSaysSo() {
    createWeb(2);
    Await.until("its pods are there", () -> count("pods") == 2);
    assertThat(value("pods", ".items[*].status.phase")).isEqualTo("Pending Pending");
    assertThat(kubectl.ok("rollout", "status", "deployment/web", "--watch=false"))
        .isEqualTo(
            "Waiting for deployment \"web\" rollout to finish: 0 of 2 updated replicas are"
                + " available...\n");
    Await.until(
        "its status is there",
        () -> value("deployment/web", ".status.unavailableReplicas").equals("2"));
    assertThat(kubectl.ok("get", "deployment", "web", "--no-headers"))
        .matches("web +0/2 +2 +0 +\\d+s\n");
    assertThat(value("deployment/web", ".status.conditions[?(@.type==\"Available\")].reason"))
        .isEqualTo("MinimumReplicasUnavailable");
  }

  @Test
  void scale_createsAndDeletesPods() {
    createWeb(1);
    try (PlayedNode _ = runningPods()) {
      rolledOut("deployment", "web");
      assertThat(kubectl.ok("scale", "deployment/web", "--replicas=4"))
          .isEqualTo("deployment.apps/web scaled\n");
      rolledOut("deployment", "web");
      assertThat(kubectl.ok("get", "deployment", "web", "--no-headers"))
          .matches("web +4/4 +4 +4 +\\d+s\n");
      var _ = kubectl.ok("scale", "deployment/web", "--replicas=1");
      Await.until("three pods are gone", () -> count("pods") == 1);
      assertThat(count("replicasets")).isEqualTo(1);
      assertThat(kubectl.ok("get", "replicasets", "--no-headers")).containsPattern(" +1 +1 +1 +");
      var _ = kubectl.ok("scale", "deployment/web", "--replicas=0");
      Await.until("all are gone", () -> count("pods") == 0);
    }
  }

  @Test
  void setImage_historyAndUndo_moveBetweenRevisions() {
    createWeb(3);
    try (PlayedNode _ = runningPods()) {
      rolledOut("deployment", "web");
      setImage("nginx:1.27");
      rolledOut("deployment", "web");
      Await.until("only new pods are there", () -> count("pods") == 3);
      assertThat(value("pods", ".items[*].spec.containers[0].image"))
          .isEqualTo("nginx:1.27 nginx:1.27 nginx:1.27");
      assertThat(kubectl.ok("rollout", "history", "deployment/web"))
          .isEqualTo(
              """
              deployment.apps/web\s
              REVISION  CHANGE-CAUSE
              1         <none>
              2         <none>

              """);
      assertThat(kubectl.ok("rollout", "history", "deployment/web", "--revision=1"))
          .contains("deployment.apps/web with revision #1", "nginx:1.25");

      assertThat(kubectl.ok("rollout", "undo", "deployment/web"))
          .isEqualTo("deployment.apps/web rolled back\n");
      rolledOut("deployment", "web");
      assertThat(value("deployment/web", ".spec.template.spec.containers[0].image"))
          .isEqualTo("nginx:1.25");
      assertThat(kubectl.ok("rollout", "history", "deployment/web"))
          .contains("\n2         <none>\n3         <none>\n")
          .doesNotContain("\n1  ");
      assertThat(count("replicasets")).isEqualTo(2);

      assertThat(kubectl.ok("rollout", "undo", "deployment/web", "--to-revision=2"))
          .isEqualTo("deployment.apps/web rolled back\n");
      rolledOut("deployment", "web");
      assertThat(value("deployment/web", ".spec.template.spec.containers[0].image"))
          .isEqualTo("nginx:1.27");
      assertThat(value("deployment/web", ".metadata.annotations"))
          .contains("\"deployment.kubernetes.io/revision\":\"4\"");
      assertThat(kubectl.run("rollout", "undo", "deployment/web", "--to-revision=9").err())
          .contains("unable to find specified revision 9 in history");
    }
  }

  @Test
  void changeCause_isShownInTheHistory() {
    createWeb(1);
    var _ = kubectl.ok("annotate", "deployment/web", "kubernetes.io/change-cause=the first of all");
    Await.until(
        "the cause is in the history",
        () ->
            kubectl
                .ok("rollout", "history", "deployment/web")
                .contains("1         the first of all\n"));
  }

  @Test
  void restart_replacesEveryPod() {
    createWeb(2);
    try (PlayedNode _ = runningPods()) {
      rolledOut("deployment", "web");
      String before = value("pods", ".items[*].metadata.name");
      assertThat(kubectl.ok("rollout", "restart", "deployment/web"))
          .isEqualTo("deployment.apps/web restarted\n");
      rolledOut("deployment", "web");
      Await.until("the former pods are gone", () -> count("pods") == 2);
      assertThat(value("pods", ".items[*].metadata.name").split(" "))
          .doesNotContainAnyElementsOf(List.of(before.split(" ")));
      assertThat(value("deployment/web", ".spec.template.metadata.annotations"))
          .contains("kubectl.kubernetes.io/restartedAt");
    }
  }

  @Test
  void pause_holdsChangesUntilResume() {
    createWeb(1);
    try (PlayedNode _ = runningPods()) {
      rolledOut("deployment", "web");
      assertThat(kubectl.ok("rollout", "pause", "deployment/web"))
          .isEqualTo("deployment.apps/web paused\n");
      setImage("nginx:1.27");
      Await.until(
          "the pause is seen",
          () ->
              value("deployment/web", ".status.observedGeneration")
                      .equals(value("deployment/web", ".metadata.generation"))
                  && value(
                          "deployment/web", ".status.conditions[?(@.type==\"Progressing\")].reason")
                      .equals("DeploymentPaused"));
      assertThat(count("replicasets")).isEqualTo(1);
      assertThat(value("pods", ".items[*].spec.containers[0].image")).isEqualTo("nginx:1.25");
      assertThat(kubectl.run("rollout", "restart", "deployment/web").err())
          .contains("can't restart paused deployment (run rollout resume first)");
      assertThat(kubectl.run("rollout", "undo", "deployment/web", "--to-revision=1").err())
          .contains("cannot rollback a paused deployment");
      // What is paused may still be scaled.
      var _ = kubectl.ok("scale", "deployment/web", "--replicas=2");
      Await.until("there are two", () -> count("pods") == 2);
      assertThat(value("pods", ".items[*].spec.containers[0].image"))
          .isEqualTo("nginx:1.25 nginx:1.25");

      assertThat(kubectl.ok("rollout", "resume", "deployment/web"))
          .isEqualTo("deployment.apps/web resumed\n");
      rolledOut("deployment", "web");
      Await.until(
          "the new pods are there",
          () ->
              value("pods", ".items[*].spec.containers[0].image").equals("nginx:1.27 nginx:1.27"));
    }
  }

  @Test
  void rolloutThatGetsNowhere_exceedsItsDeadline() {
    createWeb(1);
    var _ =
        kubectl.ok(
            "patch", "deployment", "web", "-p", "{\"spec\":{\"progressDeadlineSeconds\":2}}");
    Kubectl.Result status = kubectl.run("rollout", "status", "deployment/web", "--timeout=50s");
    assertThat(status.code()).isEqualTo(1);
    assertThat(status.err())
        .isEqualTo("error: deployment \"web\" exceeded its progress deadline\n");
  }

  @Test
  void recreate_hasNoOldAndNewPodsTogether() {
    createWeb(2);
    var _ =
        kubectl.ok(
            "patch",
            "deployment",
            "web",
            "-p",
            "{\"spec\":{\"strategy\":{\"type\":\"Recreate\",\"rollingUpdate\":null}}}");
    try (PlayedNode _ = runningPods()) {
      rolledOut("deployment", "web");
      setImage("nginx:1.27");
      rolledOut("deployment", "web");
      assertThat(value("pods", ".items[*].spec.containers[0].image"))
          .isEqualTo("nginx:1.27 nginx:1.27");
    }
  }

  @Test
  void job_runsToItsEnd() {
    assertThat(kubectl.ok("create", "job", "count", "--image=busybox", "--", "true"))
        .isEqualTo("job.batch/count created\n");
    try (PlayedNode _ = PlayedNode.ending(kubeconfig, namespace, true)) {
      assertThat(kubectl.ok("wait", "--for=condition=complete", "job/count", "--timeout=50s"))
          .isEqualTo("job.batch/count condition met\n");
    }
    assertThat(kubectl.ok("get", "job", "count", "--no-headers"))
        .matches("count +Complete +1/1 +\\d+s +\\d+s\n");
    assertThat(kubectl.ok("describe", "job", "count"))
        .contains("SuccessfulCreate", "Created pod: count-", "Completed", "Job completed");
    assertThat(kubectl.ok("delete", "job", "count")).contains("job.batch \"count\" deleted");
    Await.until("its pod is gone", () -> count("pods") == 0);
  }

  @Test
  void job_thatFailsTooOften_isFailed() {
    var _ = kubectl.ok("create", "cronjob", "nightly", "--image=busybox", "--schedule=0 0 1 1 *");
    var _ =
        kubectl.ok(
            "patch",
            "cronjob",
            "nightly",
            "-p",
            "{\"spec\":{\"jobTemplate\":{\"spec\":{\"backoffLimit\":0}}}}");
    assertThat(kubectl.ok("create", "job", "now", "--from=cronjob/nightly"))
        .isEqualTo("job.batch/now created\n");
    try (PlayedNode _ = PlayedNode.ending(kubeconfig, namespace, false)) {
      assertThat(kubectl.ok("wait", "--for=condition=failed", "job/now", "--timeout=50s"))
          .isEqualTo("job.batch/now condition met\n");
    }
    assertThat(value("job/now", ".status.conditions[?(@.type==\"Failed\")].reason"))
        .isEqualTo("BackoffLimitExceeded");
    assertThat(kubectl.ok("describe", "job", "now")).contains("BackoffLimitExceeded");
    assertThat(value("job/now", ".metadata.ownerReferences[0].kind")).isEqualTo("CronJob");
  }

  @Test
  void deleteInTheForeground_letsTheOwnerGoLast() {
    createWeb(2);
    Await.until("its pods are there", () -> count("pods") == 2);
    assertThat(kubectl.ok("delete", "deployment", "web", "--cascade=foreground", "--timeout=50s"))
        .startsWith("deployment.apps \"web\" deleted");
    // The deployment is gone only now that everything below it is.
    assertThat(kubectl.ok("get", "replicasets,pods", "-o", "name")).isEmpty();
  }

  @Test
  void deleteInTheBackground_letsTheOwnerGoFirst() {
    createWeb(2);
    Await.until("its pods are there", () -> count("pods") == 2);
    assertThat(kubectl.ok("delete", "deployment", "web", "--cascade=background"))
        .startsWith("deployment.apps \"web\" deleted");
    Await.until(
        "everything is gone", () -> kubectl.ok("get", "replicasets,pods", "-o", "name").isEmpty());
  }

  @Test
  void deleteAsOrphans_leavesWhatBelongedToIt() {
    createWeb(2);
    Await.until("its pods are there", () -> count("pods") == 2);
    String pods = value("pods", ".items[*].metadata.uid");
    assertThat(kubectl.ok("delete", "deployment", "web", "--cascade=orphan", "--timeout=50s"))
        .startsWith("deployment.apps \"web\" deleted");
    assertThat(count("replicasets")).isEqualTo(1);
    assertThat(value("replicasets", ".items[0].metadata.ownerReferences")).isEmpty();
    assertThat(value("pods", ".items[*].metadata.uid")).isEqualTo(pods);
    // A deployment of the same name takes over what it left.
    createWeb(2);
    Await.until(
        "it is taken over",
        () -> value("replicasets", ".items[0].metadata.ownerReferences[0].name").equals("web"));
    assertThat(value("pods", ".items[*].metadata.uid")).isEqualTo(pods);
  }

  @Test
  void deleteNamespace_takesEverythingWithIt() {
    createWeb(3);
    var _ = kubectl.ok("create", "configmap", "c", "--from-literal=a=b");
    var _ = kubectl.ok("create", "job", "j", "--image=busybox");
    var _ = kubectl.ok("expose", "deployment", "web", "--port=80");
    Await.until("its pods are there", () -> count("pods") == 4);
    assertThat(kubectl.ok("delete", "namespace", namespace, "--timeout=50s"))
        .startsWith("namespace \"" + namespace + "\" deleted");
    assertThat(kubectl.run("get", "namespace", namespace).code()).isEqualTo(1);
    assertThat(
            kubectl.ok(
                "get",
                "deployments,replicasets,pods,jobs,services,endpointslices,configmaps,events",
                "-o",
                "name"))
        .isEmpty();
    assertThat(kubectl.run("create", "configmap", "late").err())
        .contains("namespaces \"" + namespace + "\" not found");
  }

  @Test
  void expose_hasTheAddressesOfReadyPods() {
    createWeb(2);
    assertThat(kubectl.ok("expose", "deployment", "web", "--port=80", "--target-port=8080"))
        .isEqualTo("service/web exposed\n");
    Await.until(
        "there are endpoints without addresses",
        () -> kubectl.run("get", "endpoints", "web").code() == 0);
    assertThat(value("endpoints/web", ".subsets[*].addresses")).isEmpty();
    try (PlayedNode _ = runningPods()) {
      rolledOut("deployment", "web");
      Await.until(
          "both are there",
          () -> value("endpoints/web", ".subsets[0].addresses[*].ip").split(" ").length == 2);
    }
    assertThat(value("endpoints/web", ".subsets[0].ports[0].port")).isEqualTo("8080");
    assertThat(kubectl.ok("describe", "service", "web"))
        .containsPattern("Endpoints: +10\\.1\\.0\\.\\d+:8080,10\\.1\\.0\\.\\d+:8080\n");
    assertThat(value("endpointslices", ".items[0].endpoints[*].conditions.ready"))
        .isEqualTo("true true");
  }

  @Test
  void autoscale_isStored() {
    createWeb(1);
    assertThat(kubectl.ok("autoscale", "deployment", "web", "--min=2", "--max=4"))
        .isEqualTo("horizontalpodautoscaler.autoscaling/web autoscaled\n");
    assertThat(kubectl.ok("get", "hpa", "web", "--no-headers"))
        .containsPattern("web +Deployment/web +.* +2 +4 +0 +");
    assertThat(kubectl.ok("describe", "hpa", "web")).contains("Min replicas:", "Deployment/web");
  }

  @Test
  void describe_tellsWhatControllersDid() {
    createWeb(2);
    Await.until("its pods are there", () -> count("pods") == 2);
    String set = value("replicasets", ".items[0].metadata.name");
    Await.until(
        "the deployment's event is there",
        () ->
            kubectl
                .ok("describe", "deployment", "web")
                .contains("Scaled up replica set " + set + " from 0 to 2"));
    assertThat(kubectl.ok("describe", "deployment", "web"))
        .contains("ScalingReplicaSet", "deployment-controller")
        .contains("Replicas:               2 desired | 2 updated | 2 total | 0 available")
        .containsPattern("NewReplicaSet: +" + set + " \\(2/2 replicas created\\)");
    Await.until(
        "the set's events are there",
        () ->
            kubectl
                    .ok("describe", "replicaset", set)
                    .lines()
                    .filter(line -> line.contains("Created pod: " + set + "-"))
                    .count()
                == 2);
    assertThat(kubectl.ok("describe", "pods"))
        .containsPattern("Status: +Pending\n")
        .containsPattern("Controlled By: +ReplicaSet/" + set + "\n");
    assertThat(kubectl.ok("events", "--for=deployment/web")).contains("ScalingReplicaSet");
    assertThat(kubectl.ok("get", "--raw", "/metrics"))
        .containsPattern("\nevenkeel_events_told_total [1-9]")
        .containsPattern("\nevenkeel_events_written_total [1-9]")
        .containsPattern("\nevenkeel_events_dropped_total \\d");
  }

  @Test
  void replicationController_keepsItsPods() {
    var _ =
        kubectl.okWith(
            """
            apiVersion: v1
            kind: ReplicationController
            metadata: {name: old}
            spec:
              replicas: 1
              selector: {app: old}
              template:
                metadata: {labels: {app: old}}
                spec: {containers: [{name: c, image: "i:1"}]}
            """,
            "apply",
            "-f",
            "-");
    Await.until("its pod is there", () -> count("pods") == 1);
    var _ = kubectl.ok("delete", "pods", "--all");
    Await.until("another is there", () -> count("pods") == 1);
    assertThat(kubectl.ok("scale", "rc/old", "--replicas=2"))
        .isEqualTo("replicationcontroller/old scaled\n");
    Await.until("there are two", () -> count("pods") == 2);
    Await.until(
        "it has told so",
        () ->
            kubectl
                    .ok("describe", "rc", "old")
                    .lines()
                    .filter(line -> line.contains("replication-controller  Created pod: old-"))
                    .count()
                == 3);
  }

  @Test
  void headlessService_isCreatedWithoutAWarning() {
    Kubectl.Result created =
        kubectl.runWith(
            """
            apiVersion: v1
            kind: Service
            metadata: {name: db}
            spec: {clusterIP: None, selector: {app: db}, ports: [{port: 5432}]}
            """,
            "apply",
            "-f",
            "-");
    assertThat(created.out()).isEqualTo("service/db created\n");
    assertThat(created.err()).isEmpty();
  }

  @Test
  void statefulSet_rollsOutInOrder() {
    var _ =
        kubectl.okWith(
            """
            apiVersion: apps/v1
            kind: StatefulSet
            metadata: {name: db}
            spec:
              replicas: 2
              serviceName: db
              selector: {matchLabels: {app: db}}
              template:
                metadata: {labels: {app: db}}
                spec: {containers: [{name: db, image: "db:1"}]}
            """,
            "apply",
            "-f",
            "-");
    Await.until("the first is there", () -> count("pods") == 1);
    assertThat(kubectl.ok("get", "pods", "-o", "name")).isEqualTo("pod/db-0\n");
    try (PlayedNode _ = runningPods()) {
      assertThat(kubectl.ok("rollout", "status", "statefulset/db", "--timeout=50s"))
          .endsWith("partitioned roll out complete: 2 new pods have been updated...\n");
      var _ = kubectl.ok("set", "image", "statefulset/db", "db=db:2");
      assertThat(kubectl.ok("rollout", "status", "statefulset/db", "--timeout=50s"))
          .endsWith("partitioned roll out complete: 2 new pods have been updated...\n");
      assertThat(value("pods", ".items[*].spec.containers[0].image")).isEqualTo("db:2 db:2");
      assertThat(kubectl.ok("rollout", "history", "statefulset/db"))
          .contains("\n1         <none>\n2         <none>\n");
      assertThat(kubectl.ok("rollout", "undo", "statefulset/db"))
          .isEqualTo("statefulset.apps/db rolled back\n");
      Await.until(
          "the first image is back",
          () -> value("pods", ".items[*].spec.containers[0].image").equals("db:1 db:1"));
    }
  }

  @Test
  void daemonSet_withoutNodes_isRolledOutAtOnce() {
    var _ =
        kubectl.okWith(
            """
            apiVersion: apps/v1
            kind: DaemonSet
            metadata: {name: agent}
            spec:
              selector: {matchLabels: {app: agent}}
              template:
                metadata: {labels: {app: agent}}
                spec: {containers: [{name: agent, image: "agent:1"}]}
            """,
            "apply",
            "-f",
            "-");
    rolledOut("daemonset", "agent");
    assertThat(kubectl.ok("get", "daemonset", "agent", "--no-headers"))
        .containsPattern("agent +0 +0 +0 +0 +0 ");
  }
}
