package dev.evenkeel.serve.kinds.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.json.Json;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class ConversionTest {

  private static final AutoscalerConversion AUTOSCALER = new AutoscalerConversion();

  private static ObjectNode json(String text) {
    return Json.parseObject(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void event_keepsEverythingUnderItsOtherName() {
    String served =
        "{'apiVersion':'events.k8s.io/v1','kind':'Event','metadata':{'name':'e'},"
            + "'regarding':{'kind':'Pod'},'note':'n','reportingController':'c',"
            + "'deprecatedCount':3,'deprecatedSource':{'component':'x'},'type':'Normal'}";
    ObjectNode stored = new EventConversion().toStored(json(served));
    assertThat(stored)
        .isEqualTo(
            json(
                "{'apiVersion':'v1','kind':'Event','metadata':{'name':'e'},"
                    + "'involvedObject':{'kind':'Pod'},'message':'n','reportingComponent':'c',"
                    + "'count':3,'source':{'component':'x'},'type':'Normal'}"));
    assertThat(new EventConversion().toServed(stored)).isEqualTo(json(served));
  }

  @Test
  void autoscaler_targetOfTheProcessorBecomesAMetric() {
    ObjectNode stored =
        AUTOSCALER.toStored(
            json(
                "{'apiVersion':'autoscaling/v1','metadata':{'name':'a'},"
                    + "'spec':{'maxReplicas':3,'targetCPUUtilizationPercentage':50}}"));
    assertThat(stored)
        .isEqualTo(
            json(
                "{'apiVersion':'autoscaling/v2','metadata':{'name':'a'},'spec':{'maxReplicas':3,"
                    + "'metrics':[{'type':'Resource','resource':{'name':'cpu','target':"
                    + "{'type':'Utilization','averageUtilization':50}}}]}}"));
  }

  @Test
  void autoscaler_withoutTargetMeansEightyPercent() {
    ObjectNode stored = AUTOSCALER.toStored(json("{'metadata':{},'spec':{'maxReplicas':3}}"));
    assertThat(stored.at("/spec/metrics/0/resource/target/averageUtilization").longValue())
        .isEqualTo(80);
  }

  @Test
  void autoscaler_whatTheOldVersionLacksSurvivesIt() {
    String stored =
        "{'apiVersion':'autoscaling/v2','metadata':{'name':'a','annotations':{'mine':'1'}},"
            + "'spec':{'maxReplicas':3,'behavior':{'scaleUp':{'stabilizationWindowSeconds':5,"
            + "'policies':[{'type':'Pods','value':4,'periodSeconds':60}]}},'metrics':["
            + "{'type':'Pods','pods':{'metric':{'name':'q'},'target':{'averageValue':'10','type':"
            + "'AverageValue'}}},"
            + "{'type':'Object','object':{'describedObject':{'kind':'I','name':'i'},"
            + "'metric':{'name':'r','selector':{'matchLabels':{'a':'b'}}},"
            + "'target':{'value':'2k','type':'Value'}}},"
            + "{'type':'Resource','resource':{'name':'cpu',"
            + "'target':{'type':'Utilization','averageUtilization':50}}}]},"
            + "'status':{'currentReplicas':1,'desiredReplicas':2,"
            + "'conditions':[{'type':'AbleToScale','status':'True'}],"
            + "'currentMetrics':[{'type':'Resource','resource':{'name':'cpu','current':"
            + "{'averageUtilization':7,'averageValue':'3m'}}}]}}";
    ObjectNode served = AUTOSCALER.toServed(json(stored));
    assertThat(served.at("/spec/targetCPUUtilizationPercentage").longValue()).isEqualTo(50);
    assertThat(served.at("/status/currentCPUUtilizationPercentage").longValue()).isEqualTo(7);
    assertThat(served.path("spec").has("metrics")).isFalse();
    assertThat(served.path("metadata").path("annotations").propertyNames())
        .containsExactlyInAnyOrder(
            "mine",
            "autoscaling.alpha.kubernetes.io/metrics",
            "autoscaling.alpha.kubernetes.io/behavior",
            "autoscaling.alpha.kubernetes.io/conditions",
            "autoscaling.alpha.kubernetes.io/current-metrics");
    assertThat(AUTOSCALER.toStored(served)).isEqualTo(json(stored));
  }
}
