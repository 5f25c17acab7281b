package dev.evenkeel.kernel.schema;

import static dev.evenkeel.kernel.schema.SampleSchema.THING;
import static dev.evenkeel.kernel.schema.SampleSchema.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.quantity.Quantity;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

class ShapeTest {

  private static Shape.Report report(String spec) {
    return Shape.apply(json("{'spec':" + spec + "}"), THING);
  }

  private static String shaped(String spec) {
    ObjectNode tree = json("{'spec':" + spec + "}");
    Shape.Report report = Shape.apply(tree, THING);
    assertThat(report.typeErrors()).isEmpty();
    return tree.path("spec").toString().replace('"', '\'');
  }

  @Test
  void apply_keepsWhatFits() {
    String spec =
        "{'text':'a','replicas':2,'large':5000000000,'ratio':1.5,'on':false,'port':'http',"
            + "'memory':'1536Mi','time':'2024-05-31T10:00:00Z',"
            + "'micro':'2024-05-31T10:00:00.123456Z','secret':'YQ==','any':{'a':[null]},"
            + "'inner':{'name':'x','self':{'self':{'name':'y'}}},'inners':[{'name':'z'}],"
            + "'named':{'k':{'name':'z'}},'labels':{'a':'b'},'words':['a'],'amounts':{'cpu':'1'},"
            + "'open':{'whatever':[1,null]},'either':{'name':'e'}}";
    assertThat(shaped(spec)).isEqualTo(spec);
    assertThat(report(spec)).isSameAs(Shape.Report.CLEAN);
  }

  @Test
  void unknownFields_goAndAreNamedByTheirPath() {
    ObjectNode tree =
        json(
            "{'foo':1,'spec':{'bar':null,'inners':[{'name':'a'},{'nam':'b'}],"
                + "'named':{'k':{'x':1}}}}");
    assertThat(Shape.apply(tree, THING).unknownFields())
        .containsExactly(
            "unknown field \"foo\"",
            "unknown field \"spec.bar\"",
            "unknown field \"spec.inners[1].nam\"",
            "unknown field \"spec.named.k.x\"");
    assertThat(tree).isEqualTo(json("{'spec':{'inners':[{'name':'a'},{}],'named':{'k':{}}}}"));
  }

  @Test
  void unknownFields_areNamedUpToALimit() {
    var spec = new StringBuilder("{");
    for (int i = 0; i < 500; i++) {
      spec.append(i == 0 ? "" : ",").append("'u").append(i).append("':1");
    }
    assertThat(report(spec + "}").unknownFields()).hasSize(100);
  }

  @Test
  void nulls_goFromObjectsAndBecomeZeroInMapsAndLists() {
    assertThat(
            shaped(
                "{'text':null,'labels':{'a':null},'words':[null],'inners':[null],"
                    + "'amounts':{'cpu':null},'any':null}"))
        .isEqualTo(
            "{'labels':{'a':''},'words':[''],'inners':[{}],'amounts':{'cpu':'0'},'any':null}");
  }

  @Test
  void whatIsEmpty_goesUnlessItIsApplied() {
    String given = "{'text':null,'labels':{},'words':[],'inners':[],'named':{},'any':{}}";
    assertThat(shaped(given)).isEqualTo("{'any':{}}");
    ObjectNode applied = json("{'spec':" + given + "}");
    assertThat(Shape.ofApplied(applied, THING).unknownFields()).isEmpty();
    assertThat(applied).isEqualTo(json("{'spec':" + given + "}"));
  }

  @Test
  void amounts_areRoundedUpToMilli() {
    assertThat(shaped("{'amounts':{'cpu':'0.0001','memory':'1500u','a':'1.0005'},'memory':'100u'}"))
        .isEqualTo("{'amounts':{'cpu':'1m','memory':'2m','a':'1001m'},'memory':'100u'}");
  }

  @Test
  void otherThanObject_isKeptWhereItIsAdmitted() {
    assertThat(shaped("{'either':true}")).isEqualTo("{'either':true}");
    assertThat(shaped("{'either':['a']}")).isEqualTo("{'either':['a']}");
    assertThat(report("{'either':{'x':1}}").unknownFields())
        .containsExactly("unknown field \"spec.either.x\"");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'replicas':2.0 | 'replicas':2",
        "'memory':5 | 'memory':'5'",
        "'memory':1.5 | 'memory':'1500m'",
        "'memory':'1024Mi' | 'memory':'1Gi'",
        "'time':'2024-05-31T12:00:00.5+02:00' | 'time':'2024-05-31T10:00:00Z'",
        "'micro':'2024-05-31T10:00:00Z' | 'micro':'2024-05-31T10:00:00.000000Z'",
        "'secret':'YWJj\\nZGVm' | 'secret':'YWJjZGVm'",
      },
      quoteCharacter = '`')
  void values_areWrittenInOneWay(String given, String kept) {
    assertThat(shaped("{" + given + "}")).isEqualTo("{" + kept + "}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'replicas':'a' | json: cannot unmarshal string into Go struct field"
            + " ThingSpec.spec.replicas of type int32",
        "'replicas':1.5 | json: cannot unmarshal number 1.5 into Go struct field"
            + " ThingSpec.spec.replicas of type int32",
        "'replicas':3000000000 | json: cannot unmarshal number 3000000000 into Go struct field"
            + " ThingSpec.spec.replicas of type int32",
        "'text':1 | json: cannot unmarshal number into Go struct field ThingSpec.spec.text of type"
            + " string",
        "'on':'true' | json: cannot unmarshal string into Go struct field ThingSpec.spec.on of type"
            + " bool",
        "'inners':{} | json: cannot unmarshal object into Go struct field ThingSpec.spec.inners of"
            + " type []v1.Inner",
        "'inners':[{'name':{}}] | json: cannot unmarshal object into Go struct field"
            + " Inner.spec.inners.name of type string",
        "'inner':'x' | json: cannot unmarshal string into Go struct field ThingSpec.spec.inner of"
            + " type v1.Inner",
        "'labels':{'a':1} | json: cannot unmarshal number into Go struct field"
            + " ThingSpec.spec.labels of type string",
        "'labels':[] | json: cannot unmarshal array into Go struct field ThingSpec.spec.labels of"
            + " type map[string]string",
        "'port':true | json: cannot unmarshal bool into Go value of type int32",
        "'memory':'12x' | quantities must match the regular expression"
            + " `^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$`",
        "'memory':'1.2.3' | unable to parse numeric part of quantity",
        "'memory':'5Kim' | unable to parse quantity`s suffix",
        "'time':'noon' | parsing time \"noon\" as \"2006-01-02T15:04:05Z07:00\": cannot parse"
            + " \"noon\" as \"2006\"",
        "'secret':'YQ=' | illegal base64 data at input byte 0",
        "'secret':'YWJjZ!==' | illegal base64 data at input byte 5",
      },
      quoteCharacter = '~')
  void wrongTypes_areNamedInTheWordsOfGo(String given, String error) {
    assertThat(report("{" + given + "}").typeErrors()).containsExactly(error.replace('`', '\''));
  }

  @Test
  void refusal_namesKindAndVersion() {
    assertThat(report("{'on':1}").refusal("Thing", "v1"))
        .isEqualTo(
            "Thing in version \"v1\" cannot be handled as a Thing: json: cannot unmarshal number"
                + " into Go struct field ThingSpec.spec.on of type bool");
    assertThat(report("{}").refusal("Thing", "v1")).isNull();
  }

  @Test
  void quantitiesThatLookCanonical_are() {
    var random = new SplittableRandom(7);
    String[] suffixes = {"", "m", "u", "n", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti"};
    int canonical = 0;
    for (int i = 0; i < 20_000; i++) {
      long bound = (long) Math.pow(10, random.nextInt(1, 8));
      String text = random.nextLong(bound) + suffixes[random.nextInt(suffixes.length)];
      if (ScalarShape.isPlainlyCanonical(text)) {
        canonical++;
        assertThat(Quantity.parse(text)).hasToString(text);
      }
    }
    assertThat(canonical).isGreaterThan(5_000);
  }

  @Test
  void deepTrees_areWalked() {
    String deep = "{'name':'x'}";
    for (int i = 0; i < 100; i++) {
      deep = "{'self':" + deep + "}";
    }
    assertThat(shaped("{'inner':" + deep + "}")).isEqualTo("{'inner':" + deep + "}");
  }
}
