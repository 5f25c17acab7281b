package dev.evenkeel.prove.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.store.testkit.outside.NeedsProgram;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Policies of a platform team, through the real launcher and the tool that people use. */
@NeedsProgram("kubectl")
class PolicyIT {

  private static final String LIMIT =
      """
      apiVersion: admissionregistration.k8s.io/v1
      kind: ValidatingAdmissionPolicy
      metadata: {name: replica-limit}
      spec:
        paramKind: {apiVersion: v1, kind: ConfigMap}
        matchConstraints:
          resourceRules:
          - apiGroups: [apps]
            apiVersions: [v1]
            operations: [CREATE, UPDATE]
            resources: [deployments, deployments/scale]
        variables:
        - {name: max, expression: "int(params.data.max)"}
        validations:
        - expression: object.spec.replicas <= variables.max
          messageExpression: "'at most ' + string(variables.max) + ' replicas'"
          reason: Forbidden
        auditAnnotations:
        - {key: replicas, valueExpression: string(object.spec.replicas)}
      ---
      apiVersion: admissionregistration.k8s.io/v1
      kind: ValidatingAdmissionPolicyBinding
      metadata: {name: replica-limit}
      spec:
        policyName: replica-limit
        validationActions: [Deny]
        paramRef: {name: limits, namespace: default, parameterNotFoundAction: Deny}
      ---
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: limits}
      data: {max: "3"}
      """;

  private static final String SIDECAR =
      """
      apiVersion: admissionregistration.k8s.io/v1beta1
      kind: MutatingAdmissionPolicy
      metadata: {name: sidecar}
      spec:
        matchConstraints:
          resourceRules:
          - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}
        matchConditions:
        - name: has-none
          expression: "!object.spec.?initContainers.orValue([]).exists(c, c.name == 'mesh')"
        reinvocationPolicy: IfNeeded
        mutations:
        - patchType: ApplyConfiguration
          applyConfiguration:
            expression: >
              Object{spec: Object.spec{initContainers: [Object.spec.initContainers{
                name: "mesh", image: "mesh:1", restartPolicy: "Always"}]}}
      ---
      apiVersion: admissionregistration.k8s.io/v1beta1
      kind: MutatingAdmissionPolicyBinding
      metadata: {name: sidecar}
      spec: {policyName: sidecar}
      """;

  private RunningServer server;
  private Kubectl kubectl;

  @BeforeEach
  void start(@TempDir Path home) throws IOException {
    server = RunningServer.start(home);
    kubectl = new Kubectl(home, server.kubeconfig());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void limit_holdsForCreatingAndScaling_andTellsWhy() {
    var _ = kubectl.okWith(LIMIT, "apply", "-f", "-");
    Await.until(
        "the policy is in force",
        () ->
            kubectl
                .run("create", "deployment", "big", "--image=i", "--replicas=4")
                .err()
                .contains("denied request: at most 3 replicas"));
    assertThat(kubectl.ok("create", "deployment", "web", "--image=i", "--replicas=3"))
        .isEqualTo("deployment.apps/web created\n");
    Kubectl.Result refused = kubectl.run("scale", "deployment", "web", "--replicas=4");
    assertThat(refused.err())
        .contains("Error from server (Forbidden): deployments.apps \"web\" is forbidden")
        .contains("ValidatingAdmissionPolicy 'replica-limit' with binding 'replica-limit'");
    assertThat(kubectl.ok("get", "validatingadmissionpolicies"))
        .matches("NAME +VALIDATIONS +PARAMKIND +AGE\nreplica-limit +1 +v1/ConfigMap +\\S+\n");
  }

  @Test
  void sidecar_isPutIntoEveryPod_alsoAfterARestart() {
    var _ = kubectl.okWith(SIDECAR, "apply", "-f", "-");
    server.stop();
    server.startAgain();
    assertThat(kubectl.ok("run", "p", "--image=i")).isEqualTo("pod/p created\n");
    assertThat(kubectl.ok("get", "pod", "p", "-o", "jsonpath={.spec.initContainers[*].image}"))
        .isEqualTo("mesh:1");
    assertThat(kubectl.ok("explain", "mutatingadmissionpolicy.spec.mutations"))
        .contains("FIELD: mutations <[]Mutation>");
  }
}
