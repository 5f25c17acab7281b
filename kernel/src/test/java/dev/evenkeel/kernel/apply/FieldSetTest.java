package dev.evenkeel.kernel.apply;

import static dev.evenkeel.kernel.apply.SampleKind.json;
import static dev.evenkeel.kernel.apply.SampleKind.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.kernel.json.JsonException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.JsonNodeFactory;

class FieldSetTest {

  private static FieldSet set(String fields) {
    return FieldSet.fromJson(json(fields));
  }

  @Test
  void fieldsOfAnObject_areThoseThatUpstreamLists() {
    FieldSet fields =
        ObjectFields.of(
            json(
                """
                {'metadata':{'name':'a','labels':{'x':'y'}},
                 'spec':{'replicas':1,'words':['b','a'],'selector':{'p':'q'},'inner':{},
                  'free':{'deep':{'l':[1]}},
                  'containers':[{'name':'c','image':'i','ports':[{'port':80}],'args':[]}]}}\
                """),
            SampleKind.THING);
    assertThat(text(fields.toJson()))
        .isEqualTo(
            "{'f:metadata':{'f:labels':{'f:x':{}},'f:name':{}},'f:spec':{'f:containers':{"
                + "'k:{\\'name\\':\\'c\\'}':{'.':{},'f:args':{},'f:image':{},'f:name':{},'f:ports':{"
                + "'k:{\\'port\\':80,\\'protocol\\':\\'TCP\\'}':{'.':{},'f:port':{}}}}},"
                + "'f:free':{'f:deep':{'.':{},'f:l':{}}},'f:inner':{},'f:replicas':{},"
                + "'f:selector':{},'f:words':{'v:\\'a\\'':{},'v:\\'b\\'':{}}}}");
  }

  @Test
  void elements_areSortedByKindThenValue() {
    FieldSet read =
        set(
            "{'i:2':{},'v:\\'a\\'':{},'v:2':{},'v:true':{},'f:b':{},'f:a':{},'i:1':{},'k:{\\'n\\':1}':{}}");
    assertThat(text(read.toJson()))
        .isEqualTo(
            "{'f:a':{},'f:b':{},'k:{\\'n\\':1}':{},'v:2':{},'v:\\'a\\'':{},'v:true':{},'i:1':{},'i:2':{}}");
  }

  @Test
  void paths_readAsUpstreamPrintsThem() {
    assertThat(
            set("{'f:spec':{'f:containers':{'k:{\\'name\\':\\'app\\',\\'n\\':1}':{'.':{},'f:image':{}}},'f:words':{'v:\\'x\\'':{}},'f:l':{'i:0':{}}}}")
                .paths())
        .map(FieldSet.Path::toString)
        .containsExactly(
            ".spec.containers[n=1,name=\"app\"]",
            ".spec.containers[n=1,name=\"app\"].image",
            ".spec.l[0]",
            ".spec.words[=\"x\"]");
  }

  @Test
  void algebra_isThatOfPaths() {
    FieldSet one = set("{'f:a':{'.':{},'f:b':{},'f:c':{}},'f:d':{}}");
    FieldSet other = set("{'f:a':{'.':{},'f:b':{}},'f:e':{}}");
    assertThat(text(one.union(other).toJson()))
        .isEqualTo("{'f:a':{'.':{},'f:b':{},'f:c':{}},'f:d':{},'f:e':{}}");
    assertThat(text(one.intersection(other).toJson())).isEqualTo("{'f:a':{'.':{},'f:b':{}}}");
    assertThat(text(one.difference(other).toJson())).isEqualTo("{'f:a':{'f:c':{}},'f:d':{}}");
    assertThat(text(one.recursiveDifference(other).toJson())).isEqualTo("{'f:d':{}}");
    assertThat(text(one.leaves().toJson())).isEqualTo("{'f:a':{'f:b':{},'f:c':{}},'f:d':{}}");
    assertThat(one.difference(one).isEmpty()).isTrue();
  }

  @Test
  void unknownElements_areLeftOut() {
    assertThat(text(set("{'x:new':{'f:a':{}},'f:b':{'y:c':{}}}").toJson())).isEqualTo("{'f:b':{}}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{'f':{}}", "{'fx':{}}", "{'k:[]':{}}", "{'v:{':{}}", "{'i:x':{}}", "{'f:a':1}"})
  void malformedSets_areRefused(String fields) {
    assertThatThrownBy(() -> set(fields)).isInstanceOf(JsonException.class);
  }

  @Test
  void whatHtmlReads_isEscapedInValuesAsUpstreamDoes() {
    assertThat(new PathElement.Value(JsonNodeFactory.instance.stringNode("a<&\"")).text())
        .isEqualTo("v:\"a\\u003c\\u0026\\\"\"");
  }
}
