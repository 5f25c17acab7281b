package dev.evenkeel.serve.kinds.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.schema.Checks;
import dev.evenkeel.kernel.schema.Defaults;
import dev.evenkeel.kernel.schema.FieldError;
import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.kernel.schema.Schema;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class CatalogDefaultsTest {

  private static JsonNode json(String text) {
    return Json.parse(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  private static Schema.Struct type(String apiVersion, String kind) {
    return Objects.requireNonNull(Catalog.type(Gvk.of(apiVersion, kind)));
  }

  private static ObjectNode defaulted(String apiVersion, String kind, String text) {
    ObjectNode object = (ObjectNode) json(text);
    Defaults.apply(object, type(apiVersion, kind));
    return object;
  }

  private static List<String> errors(String apiVersion, String kind, String text) {
    var problems = new Problems();
    Checks.validate(defaulted(apiVersion, kind, text), type(apiVersion, kind), problems);
    return problems.errors().stream().map(FieldError::toString).toList();
  }

  @Test
  void pod_getsWhatNobodyWrites() {
    assertThat(
            defaulted(
                "v1",
                "Pod",
                "{'spec':{'containers':[{'name':'c','image':'i','ports':[{'containerPort':80}],"
                    + "'livenessProbe':{'periodSeconds':0,'timeoutSeconds':5,"
                    + "'httpGet':{'port':80}}}],"
                    + "'volumes':[{'name':'v','configMap':{'name':'m'}}]}}"))
        .isEqualTo(
            json(
                "{'spec':{'containers':[{'name':'c','image':'i',"
                    + "'ports':[{'containerPort':80,'protocol':'TCP'}],"
                    + "'livenessProbe':{'failureThreshold':3,'periodSeconds':10,"
                    + "'successThreshold':1,'timeoutSeconds':5,"
                    + "'httpGet':{'port':80,'path':'/','scheme':'HTTP'}},'resources':{},"
                    + "'terminationMessagePath':'/dev/termination-log',"
                    + "'terminationMessagePolicy':'File'}],"
                    + "'volumes':[{'name':'v','configMap':{'name':'m','defaultMode':420}}],"
                    + "'dnsPolicy':'ClusterFirst','restartPolicy':'Always',"
                    + "'schedulerName':'default-scheduler','securityContext':{},"
                    + "'terminationGracePeriodSeconds':30}}"));
  }

  @Test
  void deployment_getsWhatNobodyWrites() {
    assertThat(defaulted("apps/v1", "Deployment", "{'spec':{'replicas':0}}").path("spec"))
        .isEqualTo(
            json(
                "{'replicas':0,'progressDeadlineSeconds':600,'revisionHistoryLimit':10,"
                    + "'strategy':{'type':'RollingUpdate'},'template':{'metadata':{},'spec':"
                    + "{'dnsPolicy':'ClusterFirst','restartPolicy':'Always',"
                    + "'schedulerName':'default-scheduler','securityContext':{},"
                    + "'terminationGracePeriodSeconds':30}}}"));
    assertThat(
            defaulted("apps/v1", "Deployment", "{'spec':{'strategy':{'rollingUpdate':{}}}}")
                .at("/spec/strategy/rollingUpdate"))
        .isEqualTo(json("{'maxSurge':'25%','maxUnavailable':'25%'}"));
  }

  @Test
  void job_getsWhatJobsInTemplatesDoNot() {
    assertThat(defaulted("batch/v1", "Job", "{}").path("spec").propertyNames())
        .contains("completionMode", "suspend", "manualSelector", "template");
    assertThat(defaulted("batch/v1", "CronJob", "{}").at("/spec/jobTemplate/spec").propertyNames())
        .containsExactly("template");
  }

  @Test
  void service_getsWhatNobodyWrites() {
    assertThat(defaulted("v1", "Service", "{'spec':{'ports':[{'port':80}]}}"))
        .isEqualTo(
            json(
                "{'spec':{'ports':[{'port':80,'protocol':'TCP'}],'sessionAffinity':'None',"
                    + "'type':'ClusterIP'},'status':{'loadBalancer':{}}}"));
  }

  @Test
  void autoscaler_watchesTheProcessor() {
    assertThat(
            defaulted("autoscaling/v2", "HorizontalPodAutoscaler", "{'spec':{'metrics':[]}}")
                .at("/spec/metrics/0/resource/target/averageUtilization")
                .longValue())
        .isEqualTo(80);
  }

  @Test
  void scale_ofNothingIsZero() {
    assertThat(defaulted("autoscaling/v1", "Scale", "{'spec':{}}").at("/spec/replicas").longValue())
        .isZero();
  }

  @Test
  void emptyDeployment_lacksItsSelectorAndContainers() {
    assertThat(errors("apps/v1", "Deployment", "{}"))
        .containsExactly(
            "spec.selector: Required value", "spec.template.spec.containers: Required value");
  }

  @Test
  void wrongPod_isToldInUpstreamsWords() {
    assertThat(
            errors(
                "v1",
                "Pod",
                "{'spec':{'restartPolicy':'Sometimes','containers':[{'name':'C','ports':"
                    + "[{'containerPort':0,'protocol':'IP'},{'containerPort':70000}]}]}}"))
        .containsExactlyInAnyOrder(
            "spec.restartPolicy: Unsupported value: \"Sometimes\": supported values: \"Always\","
                + " \"OnFailure\", \"Never\"",
            "spec.containers[0].name: Invalid value: \"C\": a lowercase RFC 1123 label must consist"
                + " of lower case alphanumeric characters or '-', and must start and end with an"
                + " alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for"
                + " validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
            "spec.containers[0].image: Required value",
            "spec.containers[0].ports[0].containerPort: Required value",
            "spec.containers[0].ports[0].protocol: Unsupported value: \"IP\": supported values:"
                + " \"SCTP\", \"TCP\", \"UDP\"",
            "spec.containers[0].ports[1].containerPort: Invalid value: 70000: must be between 1 and"
                + " 65535, inclusive");
  }

  @Test
  void configMapKeys_areNamed() {
    assertThat(errors("v1", "ConfigMap", "{'data':{'a b':''}}"))
        .singleElement()
        .asString()
        .startsWith("data[a b]: Invalid value: \"a b\": a valid config key must consist of");
  }
}
