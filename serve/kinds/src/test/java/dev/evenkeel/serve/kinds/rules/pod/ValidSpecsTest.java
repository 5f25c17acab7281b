package dev.evenkeel.serve.kinds.rules.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.schema.Problems;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class ValidSpecsTest {

  private final ValidSpecs valid = new ValidSpecs();

  private static ObjectNode json(String text) {
    return Json.parseObject(text.getBytes(StandardCharsets.UTF_8));
  }

  private static ObjectNode spec(String container) {
    return json("{\"containers\":[{\"name\":\"" + container + "\",\"image\":\"i\"}]}");
  }

  @Test
  void contains_whatCameTwice() {
    valid.add(spec("one"));
    assertThat(valid.contains(spec("one"))).isFalse();
    valid.add(spec("one"));
    assertThat(valid.contains(spec("one"))).isTrue();
    assertThat(valid.contains(spec("two"))).isFalse();
  }

  @Test
  void contains_whatWasAdded_whateverBecomesOfIt() {
    ObjectNode spec = spec("one");
    valid.add(spec);
    valid.add(spec);
    spec.put("nodeName", "a");
    assertThat(valid.contains(spec)).isFalse();
    assertThat(valid.contains(spec("one"))).isTrue();
  }

  @Test
  void rules_findWhatIsWrongHoweverOftenTheRightCame() {
    var rules = new PodRules();
    for (int i = 0; i < 3; i++) {
      assertThat(problems(rules, "ClusterFirst").errors()).isEmpty();
      assertThat(problems(rules, "None").isEmpty()).isFalse();
    }
  }

  private static Problems problems(PodRules rules, String dnsPolicy) {
    ObjectNode pod = json("{\"metadata\":{\"name\":\"a\"}}");
    ObjectNode spec = spec("one");
    spec.put("dnsPolicy", dnsPolicy);
    pod.set("spec", spec);
    rules.applyDefaults(pod);
    var problems = new Problems();
    rules.validate(pod, problems);
    return problems;
  }
}
