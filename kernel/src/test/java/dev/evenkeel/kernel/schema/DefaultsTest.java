package dev.evenkeel.kernel.schema;

import static dev.evenkeel.kernel.schema.SampleSchema.add;
import static dev.evenkeel.kernel.schema.SampleSchema.defaulted;
import static dev.evenkeel.kernel.schema.SampleSchema.json;
import static dev.evenkeel.kernel.schema.SampleSchema.value;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class DefaultsTest {

  private static final Schema.Struct PORT = new Schema.Struct("io.test.v1.Port", false);
  private static final Schema.Struct SPEC = new Schema.Struct("io.test.v1.Spec", false);
  private static final Schema.Struct ROOT = new Schema.Struct("io.test.v1.Root", false);

  static {
    PORT.add(defaulted("protocol", Schema.Scalar.STRING, value("'TCP'"), false));
    SPEC.add(defaulted("replicas", Schema.Scalar.INT32, value("1"), false));
    SPEC.add(defaulted("period", Schema.Scalar.INT32, value("10"), true));
    SPEC.add(defaulted("port", PORT, value("{}"), false));
    add(SPEC, "ports", new Schema.ListOf(PORT, Schema.ListType.ATOMIC, List.of()));
    add(SPEC, "named", new Schema.MapOf(PORT));
    add(ROOT, "spec", SPEC);
  }

  private static ObjectNode applied(String text) {
    ObjectNode tree = json(text);
    Defaults.apply(tree, ROOT);
    return tree;
  }

  @Test
  void apply_fillsInWhereTheParentIsThere() {
    assertThat(applied("{}")).isEqualTo(json("{}"));
    assertThat(applied("{'spec':{}}"))
        .isEqualTo(json("{'spec':{'replicas':1,'period':10,'port':{'protocol':'TCP'}}}"));
  }

  @Test
  void apply_reachesIntoListsAndMaps() {
    assertThat(applied("{'spec':{'ports':[{},{'protocol':'UDP'}],'named':{'a':{}}}}").path("spec"))
        .isEqualTo(
            value(
                "{'ports':[{'protocol':'TCP'},{'protocol':'UDP'}],'named':{'a':{'protocol':'TCP'}},"
                    + "'replicas':1,'period':10,'port':{'protocol':'TCP'}}"));
  }

  @Test
  void emptyString_countsAsAbsentAndZeroWhereTheFieldSaysSo() {
    assertThat(applied("{'spec':{'replicas':0,'period':0,'port':{'protocol':''}}}"))
        .isEqualTo(json("{'spec':{'replicas':0,'period':10,'port':{'protocol':'TCP'}}}"));
  }

  @Test
  void objects_doNotShareTheirDefaults() {
    ObjectNode first = applied("{'spec':{}}");
    ((ObjectNode) first.path("spec").path("port")).put("protocol", "SCTP");
    assertThat(applied("{'spec':{}}").at("/spec/port/protocol").stringValue()).isEqualTo("TCP");
  }
}
