package dev.evenkeel.decide.controllers.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.json.Json;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Which templates are the same. */
final class TemplatesTest {

  private static JsonNode canonical(String json) {
    return Templates.canonical(
        Json.parse(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8)));
  }

  private static String hash(String json, @Nullable Integer collisions) {
    return Templates.hash(canonical(json), collisions);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'a':1,'b':2} | {'b':2,'a':1}",
        "{'spec':{'containers':[{'name':'c','resources':{}}]}} |"
            + " {'spec':{'containers':[{'name':'c'}]}}",
        "{'metadata':{'creationTimestamp':null},'spec':{'a':1}} | {'spec':{'a':1}}",
        "{'metadata':{'labels':{'pod-template-hash':'x'}},'spec':{'a':1}} | {'spec':{'a':1}}",
        "{'spec':{'tolerations':[],'a':1}} | {'spec':{'a':1}}",
        "{'spec':{'affinity':{'nodeAffinity':{}},'a':1}} | {'spec':{'a':1}}",
      })
  void templatesThatAskForTheSame_areTheSame(String one, String other) {
    assertThat(canonical(one)).isEqualTo(canonical(other));
    assertThat(hash(one, null)).isEqualTo(hash(other, null));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'spec':{'a':1}} | {'spec':{'a':2}}",
        "{'metadata':{'annotations':{'restartedAt':'1'}}} |"
            + " {'metadata':{'annotations':{'restartedAt':'2'}}}",
        "{'term':{'labelSelector':{},'a':1}} | {'term':{'a':1}}",
        "{'term':{'namespaceSelector':{},'a':1}} | {'term':{'a':1}}",
        "{'volume':{'name':'v','emptyDir':{}}} | {'volume':{'name':'v'}}",
        "{'list':[{},{'a':1}]} | {'list':[{'a':1}]}",
        "{'spec':{'command':['a','b']}} | {'spec':{'command':['b','a']}}",
      })
  void templatesThatAskForOtherPods_differ(String one, String other) {
    assertThat(canonical(one)).isNotEqualTo(canonical(other));
    assertThat(hash(one, null)).isNotEqualTo(hash(other, null));
  }

  @Test
  void hash_isAnotherWithEachCollision_andInTheAlphabetForNames() {
    String template = "{'spec':{'a':1}}";
    assertThat(hash(template, null)).matches("[bcdfghjklmnpqrstvwxz2456789]{1,10}");
    assertThat(hash(template, 0)).isNotEqualTo(hash(template, null));
    assertThat(hash(template, 1))
        .isNotEqualTo(hash(template, 0))
        .isNotEqualTo(hash(template, null));
  }

  @Test
  void hash_staysTheSameFromReleaseToRelease() {
    assertThat(hash("{'spec':{'a':1}}", null)).isEqualTo("58dc86b9cd");
  }
}
