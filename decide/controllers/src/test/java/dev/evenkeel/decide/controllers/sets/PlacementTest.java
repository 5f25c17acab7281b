package dev.evenkeel.decide.controllers.sets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Which nodes a pod may be on, operator by operator. */
final class PlacementTest {

  private static ObjectNode json(String text) {
    return Json.parseObject(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  private static boolean matches(String terms) {
    ObjectNode podSpec =
        json(
            "{'affinity':{'nodeAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':"
                + "{'nodeSelectorTerms':["
                + terms
                + "]}}}}");
    return NodeAffinity.matches(podSpec, "n1", Map.of("disk", "ssd", "cores", "8"));
  }

  private static boolean expression(String key, String operator, String values) {
    return matches(
        "{'matchExpressions':[{'key':'%s','operator':'%s','values':[%s]}]}"
            .formatted(key, operator, values));
  }

  @Test
  void expressions_compareLabels() {
    assertThat(expression("disk", "In", "'hdd','ssd'")).isTrue();
    assertThat(expression("disk", "In", "'hdd'")).isFalse();
    assertThat(expression("zone", "In", "'a'")).isFalse();
    assertThat(expression("disk", "NotIn", "'hdd'")).isTrue();
    assertThat(expression("disk", "NotIn", "'ssd'")).isFalse();
    assertThat(expression("zone", "NotIn", "'a'")).isTrue();
    assertThat(expression("disk", "Exists", "")).isTrue();
    assertThat(expression("zone", "Exists", "")).isFalse();
    assertThat(expression("zone", "DoesNotExist", "")).isTrue();
    assertThat(expression("disk", "DoesNotExist", "")).isFalse();
    assertThat(expression("cores", "Gt", "'7'")).isTrue();
    assertThat(expression("cores", "Gt", "'8'")).isFalse();
    assertThat(expression("cores", "Lt", "'9'")).isTrue();
    assertThat(expression("cores", "Lt", "'8'")).isFalse();
    assertThat(expression("disk", "Gt", "'1'")).isFalse();
    assertThat(expression("zone", "Lt", "'1'")).isFalse();
    assertThat(expression("disk", "Sounds", "'ssd'")).isFalse();
  }

  @Test
  void terms_areAlternatives_ofWhichEachMustHoldWhole() {
    String name = "{'matchFields':[{'key':'metadata.name','operator':'In','values':['%s']}]%s}";
    String disk = ",'matchExpressions':[{'key':'disk','operator':'In','values':['%s']}]";
    assertThat(matches(name.formatted("n1", ""))).isTrue();
    assertThat(matches(name.formatted("n2", ""))).isFalse();
    assertThat(matches(name.formatted("n1", disk.formatted("ssd")))).isTrue();
    assertThat(matches(name.formatted("n1", disk.formatted("hdd")))).isFalse();
    assertThat(matches(name.formatted("n2", "") + "," + name.formatted("n1", ""))).isTrue();
    assertThat(matches("{}")).as("a term that says nothing").isFalse();
    assertThat(matches("")).as("no term").isFalse();
  }

  @Test
  void nodeSelector_mustHoldToo() {
    ObjectNode podSpec = json("{'nodeSelector':{'disk':'ssd'}}");
    assertThat(NodeAffinity.matches(podSpec, "n1", Map.of("disk", "ssd"))).isTrue();
    assertThat(NodeAffinity.matches(podSpec, "n1", Map.of("disk", "hdd"))).isFalse();
    assertThat(NodeAffinity.matches(json("{}"), "n1", Map.of())).isTrue();
  }

  @Test
  void pin_replacesWhatIsRequired_andKeepsWhatIsPreferred() {
    ObjectNode podSpec =
        json(
            "{'affinity':{'podAffinity':{},'nodeAffinity':{"
                + "'preferredDuringSchedulingIgnoredDuringExecution':[],"
                + "'requiredDuringSchedulingIgnoredDuringExecution':{'nodeSelectorTerms':[{},{}]}}}}");
    NodeAffinity.pin(podSpec, "n7");
    assertThat(NodeAffinity.target(podSpec)).isEqualTo("n7");
    assertThat(podSpec.path("affinity").has("podAffinity")).isTrue();
    assertThat(podSpec.path("affinity").path("nodeAffinity").size()).isEqualTo(2);
    assertThat(NodeAffinity.target(json("{'nodeName':'n8'}"))).isEqualTo("n8");
    assertThat(NodeAffinity.target(json("{}"))).isEmpty();
  }

  @Test
  void taints_areToleratedByKeyValueAndEffect() {
    assertThat(letIn("{'key':'k','operator':'Exists'}", "NoSchedule")).isTrue();
    assertThat(letIn("{'key':'k','value':'v'}", "NoExecute")).isTrue();
    assertThat(letIn("{'key':'k','operator':'Equal','value':'w'}", "NoExecute")).isFalse();
    assertThat(letIn("{'operator':'Exists'}", "NoExecute")).isTrue();
    assertThat(letIn("{'key':'k','operator':'Exists','effect':'NoExecute'}", "NoSchedule"))
        .isFalse();
    assertThat(letIn("", "PreferNoSchedule")).isTrue();
    ObjectNode tainted = json("{'taints':[{'key':'k','effect':'NoSchedule'}]}");
    assertThat(Tolerations.letStay(json("{}"), tainted.path("taints"))).isTrue();
    assertThat(Tolerations.letIn(json("{}"), tainted.path("taints"))).isFalse();
  }

  private static boolean letIn(String toleration, String effect) {
    ObjectNode both =
        json(
            "{'tolerations':[%s],'taints':[{'key':'k','value':'v','effect':'%s'}]}"
                .formatted(toleration, effect));
    return Tolerations.letIn(both.path("tolerations"), both.path("taints"));
  }

  @Test
  void daemonTolerations_lastForEver_andAreThereOnce() {
    ObjectNode podSpec =
        json(
            "{'tolerations':[{'key':'node.kubernetes.io/not-ready','operator':'Exists',"
                + "'effect':'NoExecute','tolerationSeconds':5}]}");
    Tolerations.add(podSpec);
    Tolerations.add(podSpec);
    assertThat(podSpec.path("tolerations").size()).isEqualTo(6);
    assertThat(podSpec.path("tolerations").path(0).has("tolerationSeconds")).isFalse();
  }
}
