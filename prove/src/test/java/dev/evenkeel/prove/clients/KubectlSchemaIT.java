package dev.evenkeel.prove.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.store.testkit.outside.NeedsProgram;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What {@code kubectl} does with the descriptions of kinds. */
@NeedsProgram("kubectl")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KubectlSchemaIT {

  private static final String DEPLOYMENT =
      """
      apiVersion: apps/v1
      kind: Deployment
      metadata:
        name: %s
      spec:
        replicas: %d
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          spec:
            containers:
            - name: web
              image: nginx
              ports: [{containerPort: 80}]
      """;

  private RunningServer server;
  private Kubectl kubectl;

  @BeforeAll
  void start(@TempDir Path folder) throws IOException {
    server = RunningServer.start(folder);
    kubectl = new Kubectl(folder, server.kubeconfig());
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @Test
  void explain_showsTheFieldsOfAType() {
    Kubectl.Result result = kubectl.run("explain", "deployment.spec.strategy");
    assertThat(result.code()).as(result.err()).isZero();
    assertThat(result.out()).contains("strategy", "rollingUpdate", "type");
  }

  @Test
  void explain_showsAllFieldsBelow() {
    Kubectl.Result result = kubectl.run("explain", "statefulset", "--recursive");
    assertThat(result.code()).as(result.err()).isZero();
    assertThat(result.out())
        .contains("lasting names")
        .contains("volumeClaimTemplates", "initContainers", "requiredDuringScheduling", "labels");
  }

  @Test
  void explain_endsForATypeThatContainsItself() {
    Kubectl.Result result = kubectl.run("explain", "customresourcedefinition", "--recursive");
    assertThat(result.code()).as(result.err()).isZero();
    assertThat(result.out()).contains("openAPIV3Schema", "additionalProperties");
  }

  @Test
  void explain_ofAFieldThatIsNotThere_says() {
    Kubectl.Result result = kubectl.run("explain", "deployment.spec.strategi");
    assertThat(result.code()).isNotZero();
    assertThat(result.err()).contains("strategi").contains("does not exist");
  }

  @Test
  void apply_makesAndThenChanges() {
    assertThat(apply("apply", 1)).isEqualTo("deployment.apps/apply created\n");
    assertThat(apply("apply", 1)).isEqualTo("deployment.apps/apply unchanged\n");
    assertThat(apply("apply", 2)).isEqualTo("deployment.apps/apply configured\n");
  }

  private String apply(String name, int replicas) {
    Kubectl.Result result =
        kubectl.runWith(DEPLOYMENT.formatted(name, replicas), "apply", "-f", "-");
    assertThat(result.code()).as(result.err()).isZero();
    return result.out();
  }

  @Test
  void apply_refusesAFieldThatIsUnknown() {
    String wrong = DEPLOYMENT.formatted("wrong", 1).replace("replicas", "replicaz");
    Kubectl.Result result = kubectl.runWith(wrong, "apply", "-f", "-");
    assertThat(result.code()).isNotZero();
    assertThat(result.err()).contains("unknown field").contains("replicaz");
    assertThat(kubectl.run("get", "deployment", "wrong").code()).isNotZero();
  }

  @Test
  void apply_refusesAValueOfTheWrongType() {
    String wrong = DEPLOYMENT.formatted("typed", 1).replace("replicas: 1", "replicas: many");
    Kubectl.Result result = kubectl.runWith(wrong, "apply", "-f", "-");
    assertThat(result.code()).isNotZero();
    assertThat(result.err()).contains("replicas");
  }

  @Test
  void create_withoutValidation_dropsAFieldThatIsUnknown() {
    String wrong = DEPLOYMENT.formatted("loose", 1).replace("replicas", "replicaz");
    Kubectl.Result result = kubectl.runWith(wrong, "create", "--validate=false", "-f", "-");
    assertThat(result.code()).as(result.err()).isZero();
    assertThat(kubectl.run("get", "deployment", "loose", "-o", "yaml").out())
        .doesNotContain("replicaz");
  }

  @Test
  void diff_showsWhatApplyWouldChange() {
    var _ = apply("differ", 1);
    Kubectl.Result same = kubectl.runWith(DEPLOYMENT.formatted("differ", 1), "diff", "-f", "-");
    assertThat(same.code()).as(same.err()).isZero();
    assertThat(same.out()).isEmpty();
    Kubectl.Result other = kubectl.runWith(DEPLOYMENT.formatted("differ", 3), "diff", "-f", "-");
    assertThat(other.code()).as(other.err()).isEqualTo(1);
    assertThat(other.out()).contains("-  replicas: 1\n", "+  replicas: 3\n");
    assertThat(kubectl.run("get", "deployment", "differ", "-o", "jsonpath={.spec.replicas}").out())
        .isEqualTo("1");
  }
}
