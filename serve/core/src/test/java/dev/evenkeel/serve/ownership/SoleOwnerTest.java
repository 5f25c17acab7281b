package dev.evenkeel.serve.ownership;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.json.Json;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class SoleOwnerTest {

  private static final String OBJECT =
      "{'apiVersion':'v1','kind':'K','metadata':{'name':'n','resourceVersion':'1','generation':1,"
          + "'labels':{'a':'b'}},'spec':{'x':1,'list':['p'],'named':[{'name':'c','v':1}],"
          + "'loose':'z'}}";

  private static final String MANAGERS =
      "[{'manager':'m','operation':'Update','apiVersion':'v1','fieldsType':'FieldsV1','fieldsV1':"
          + "{'f:metadata':{'f:labels':{'.':{},'f:a':{}}},'f:spec':{'f:x':{},'f:list':{},"
          + "'f:named':{'.':{},'k:{\\\"name\\\":\\\"c\\\"}':{'.':{},'f:name':{},'f:v':{}}}}}}]";

  private static JsonNode json(String text) {
    return Json.parse(
        text.replace("\\\"", "\u0001")
            .replace('\'', '"')
            .replace("\u0001", "\\\"")
            .getBytes(StandardCharsets.UTF_8));
  }

  private static boolean stays(String managers, String next, String manager) {
    return SoleOwner.ownsAllChanges(
        json(managers), (ObjectNode) json(OBJECT), (ObjectNode) json(next), manager, "v1", "");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          'x':1 | 'x':2 | true
          'list':['p'] | 'list':['q','r'] | true
          'resourceVersion':'1','generation':1 | 'resourceVersion':'2','generation':2 | true
          'x':1 | 'x':1,'y':2 | false
          'x':1, | | false
          'v':1 | 'v':2 | false
          'loose':'z' | 'loose':'y' | false
          'a':'b' | 'a':'c' | true
          'a':'b' | 'a':'b','c':'d' | false
          """)
  void aChange_staysWithinWhatIsOwned(String was, String is, boolean stays) {
    assertThat(stays(MANAGERS, OBJECT.replace(was, is == null ? "" : is), "m")).isEqualTo(stays);
  }

  @Test
  void others_orOtherWaysOfWriting_areLookedAtInFull() {
    String changed = OBJECT.replace("'x':1", "'x':2");
    assertThat(stays(MANAGERS, changed, "other")).isFalse();
    assertThat(stays(MANAGERS.replace("'Update'", "'Apply'"), changed, "m")).isFalse();
    assertThat(stays(MANAGERS.replace("'apiVersion':'v1'", "'apiVersion':'v2'"), changed, "m"))
        .isFalse();
    assertThat(stays("[]", changed, "m")).isFalse();
  }
}
