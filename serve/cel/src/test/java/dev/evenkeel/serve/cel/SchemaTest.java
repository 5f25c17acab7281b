package dev.evenkeel.serve.cel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/** Rules over data with a schema: the rules of Kubernetes' own documentation among them. */
class SchemaTest {

  private static final CelSchema SCHEMA =
      Cel.schema(
          """
          {'type':'object','properties':{
            'spec':{'type':'object','properties':{
              'replicas':{'type':'integer'},'minReplicas':{'type':'integer'},
              'maxReplicas':{'type':'integer'},'ratio':{'type':'number'},
              'names':{'type':'array','items':{'type':'string'}},
              'set1':{'type':'array','x-kubernetes-list-type':'set','items':{'type':'string'}},
              'set2':{'type':'array','x-kubernetes-list-type':'set','items':{'type':'string'}},
              'listMap':{'type':'array','x-kubernetes-list-type':'map',
                'x-kubernetes-list-map-keys':['name'],
                'items':{'type':'object','properties':{
                  'name':{'type':'string'},'value':{'type':'string'}}}},
              'otherMap':{'type':'array','x-kubernetes-list-type':'map',
                'x-kubernetes-list-map-keys':['name'],
                'items':{'type':'object','properties':{
                  'name':{'type':'string'},'value':{'type':'string'}}}},
              'details':{'type':'object','additionalProperties':{'type':'string'}},
              'created':{'type':'string','format':'date-time'},
              'day':{'type':'string','format':'date'},
              'ttl':{'type':'string','format':'duration'},
              'data':{'type':'string','format':'byte'},
              'port':{'x-kubernetes-int-or-string':true},
              'nothing':{'type':'string','nullable':true},
              'x-prop':{'type':'integer'},'redact__d':{'type':'integer'},
              'a.b/c':{'type':'integer'},'namespace':{'type':'string'},'0x':{'type':'string'},
              'template':{'type':'object','x-kubernetes-embedded-resource':true,
                'x-kubernetes-preserve-unknown-fields':true},
              'open':{'type':'object','x-kubernetes-preserve-unknown-fields':true,
                'properties':{'known':{'type':'string'}}},
              'unknown':{'x-kubernetes-preserve-unknown-fields':true}
            }},
            'status':{'type':'object','properties':{'availableReplicas':{'type':'integer'}}}}}
          """,
          true);

  private static final CelEnvironment ENVIRONMENT =
      CelEnvironment.builder().variable("self", SCHEMA).variable("oldSelf", SCHEMA).build();

  private static final CelVariables VALUES =
      new CelVariables()
          .set(
              "self",
              Cel.json(
                  """
                  {'apiVersion':'v1','kind':'Thing','metadata':{'name':'my-thing','labels':{'a':'b'}},
                   'spec':{'replicas':3,'minReplicas':1,'maxReplicas':5,'ratio':2,
                     'names':['a','b'],'set1':['a','b'],'set2':['b','a'],
                     'listMap':[{'name':'a','value':'1'},{'name':'b','value':'2'}],
                     'otherMap':[{'name':'b','value':'2'},{'name':'a','value':'1'}],
                     'details':{'k1':'v1'},'created':'2024-02-03T04:05:06Z','day':'2024-02-03',
                     'ttl':'90m','data':'aGk=','port':'80%','nothing':null,
                     'x-prop':1,'redact__d':2,'a.b/c':3,'namespace':'ns','0x':'x',
                     'template':{'apiVersion':'v1','kind':'Pod','metadata':{'name':'p'}},
                     'open':{'known':'k','other':1},'unknown':{'x':1}},
                   'status':{'availableReplicas':3}}
                  """))
          .set("oldSelf", Cel.json("{'spec':{'replicas':2,'listMap':[{'name':'a','value':'1'}]}}"));

  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      quoteCharacter = '`',
      value = {
        "self.spec.minReplicas <= self.spec.replicas && self.spec.replicas <= self.spec.maxReplicas"
            + " => true",
        "'k1' in self.spec.details => true",
        "self.spec.details.all(key, key.matches('^[a-zA-Z]*') || size(self.spec.details) == 0)"
            + " => true",
        "self.metadata.name.startsWith('my-') && self.metadata.name == 'my-thing' => true",
        "self.spec.set1 == self.spec.set2 => true",
        "self.spec.names == self.spec.set2 => false",
        "self.spec.set1 + self.spec.set2 == self.spec.set1 => true",
        "self.spec.set1 + ['c', 'a'] => ['a','b','c']",
        "self.spec.names + ['a'] => ['a','b','a']",
        "self.spec.listMap == dyn(self.spec.otherMap) => true",
        "self.spec.listMap + dyn([self.spec.otherMap[0]]) == self.spec.listMap => true",
        "size(self.spec.listMap + dyn(self.spec.otherMap)) => 2",
        "self.spec.listMap.exists(e, e.name == 'a' && e.value == '1') => true",
        "oldSelf.spec.listMap.all(o, self.spec.listMap.exists_one(n, n.name == o.name)) => true",
        "self.spec.replicas >= oldSelf.spec.replicas => true",
        "has(self.spec.replicas) && !has(oldSelf.spec.ratio) => true",
        "self.spec.ratio == 2.0 && type(self.spec.ratio) == double => true",
        "self.spec.created + self.spec.ttl == timestamp('2024-02-03T05:35:06Z') => true",
        "self.spec.day.getDate() => 3",
        "self.spec.ttl.getMinutes() => 90",
        "string(self.spec.data) => 'hi'",
        "type(self.spec.port) == string && self.spec.port.endsWith('%') => true",
        "self.spec.port < 5 => error: no such overload",
        "self.spec.x__dash__prop + self.spec.redact__underscores__d => 3",
        "self.spec.a__dot__b__slash__c => 3",
        "self.spec.__namespace__ => 'ns'",
        "has(self.spec.nothing) => true",
        "self.spec.nothing == 'x' => false",
        "self.spec.template.kind + self.spec.template.metadata.name => 'Podp'",
        "self.spec.open.known => 'k'",
        "oldSelf.spec.ratio => error: no such key: ratio",
        "oldSelf.?spec.?ratio.orValue(1.5) => 1.5",
        "self.spec => {'replicas':3,'minReplicas':1,'maxReplicas':5,'ratio':2,'names':['a','b'],"
            + "'set1':['a','b'],'set2':['b','a'],'listMap':[{'name':'a','value':'1'},{'name':'b',"
            + "'value':'2'}],'otherMap':[{'name':'b','value':'2'},{'name':'a','value':'1'}],"
            + "'details':{'k1':'v1'},'created':'2024-02-03T04:05:06Z','day':'2024-02-03',"
            + "'ttl':'90m','data':'aGk=','port':'80%','nothing':null,'x-prop':1,'redact__d':2,"
            + "'a.b/c':3,'namespace':'ns','0x':'x','template':{'apiVersion':'v1','kind':'Pod',"
            + "'metadata':{'name':'p'}},'open':{'known':'k','other':1},'unknown':{'x':1}}",
      })
  void rule_looksAtTypedData(String rule, String result) {
    assertThat(Cel.run(ENVIRONMENT, rule, VALUES)).isEqualTo(result);
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      quoteCharacter = '`',
      value = {
        "self.spec.foo => ERROR: <input>:1:10: undefined field 'foo'",
        "self.metadata.labels => ERROR: <input>:1:14: undefined field 'labels'",
        "self.spec.open.other => ERROR: <input>:1:15: undefined field 'other'",
        "self.spec.unknown => ERROR: <input>:1:10: undefined field 'unknown'",
        "self.spec.template.spec => ERROR: <input>:1:19: undefined field 'spec'",
        "self.spec.replicas == 'a' => ERROR: <input>:1:20: found no matching overload for '_==_'"
            + " applied to '(int, string)'",
        "self.spec + 1 => ERROR: <input>:1:11: found no matching overload for '_+_' applied to"
            + " '(selfType.spec, int)'",
        "oldself => ERROR: <input>:1:1: undeclared reference to 'oldself' (in container '')",
        "self.spec.names.all(x, x > 1) => ERROR: <input>:1:26: found no matching overload for"
            + " '_>_' applied to '(string, int)'",
      })
  void rule_thatDoesNotFitTheSchema_isRefused(String rule, String message) {
    assertThat(Cel.firstLine(Cel.run(ENVIRONMENT, rule, VALUES))).isEqualTo(message);
  }

  @Test
  void messages_pointAtThePlace() {
    assertThatThrownBy(() -> ENVIRONMENT.compile("self.spec.foo", CelResultType.BOOL))
        .hasMessage("ERROR: <input>:1:10: undefined field 'foo'\n | self.spec.foo\n | .........^");
  }

  @Test
  void resultType_isChecked() {
    assertThatThrownBy(() -> ENVIRONMENT.compile("self.spec.replicas", CelResultType.BOOL))
        .isInstanceOfSatisfying(CelException.class, e -> assertThat(e.isOfResultType()).isTrue())
        .hasMessage("cel expression must evaluate to a bool");
    assertThatThrownBy(() -> ENVIRONMENT.compile("1 ==", CelResultType.BOOL))
        .isInstanceOfSatisfying(CelException.class, e -> assertThat(e.isOfResultType()).isFalse());
    assertThat(ENVIRONMENT.compile("null", CelResultType.STRING_OR_NULL).usesOldSelf()).isFalse();
  }

  @Test
  void transitionRules_areKnown() {
    assertThat(ENVIRONMENT.compile("self == oldSelf", CelResultType.BOOL).usesOldSelf()).isTrue();
    assertThat(ENVIRONMENT.compile("self == self", CelResultType.BOOL).usesOldSelf()).isFalse();
    assertThat(ENVIRONMENT.compile("self == self", CelResultType.BOOL).variables())
        .containsExactly("self");
  }

  @Test
  void optionalOldSelf_isMissingOnCreate() {
    CelEnvironment environment =
        CelEnvironment.builder()
            .variable("self", SCHEMA)
            .optionalVariable("oldSelf", SCHEMA)
            .build();
    String rule = "oldSelf.optMap(o, o.spec.replicas).orValue(0) < self.spec.replicas";
    assertThat(Cel.run(environment, rule, VALUES)).isEqualTo("true");
    var create = new CelVariables().set("self", Cel.json("{'spec':{'replicas':1}}"));
    assertThat(Cel.run(environment, "oldSelf.hasValue()", create)).isEqualTo("false");
    assertThat(Cel.run(environment, rule, create.set("oldSelf", (ObjectNode) null)))
        .isEqualTo("true");
  }

  @Test
  void schemaThatSaysTooLittle_hasNoType() {
    assertThat(CelSchema.of((ObjectNode) Cel.json("{}"), false, "t")).isNull();
    assertThat(CelSchema.of((ObjectNode) Cel.json("{'type':'array'}"), false, "t")).isNull();
  }

  @Test
  void policies_lookAtDataWithoutSchemas() {
    CelEnvironment environment =
        CelEnvironment.builder()
            .variable("object")
            .variable("oldObject")
            .variable("request")
            .variable("params")
            .build();
    var values =
        new CelVariables()
            .set("object", Cel.json("{'spec':{'replicas':5},'metadata':{'labels':{'a-b':'c'}}}"))
            .set("oldObject", (ObjectNode) null)
            .set("params", Cel.json("{'maxReplicas':3}"));
    assertThat(Cel.run(environment, "object.spec.replicas <= params.maxReplicas", values))
        .isEqualTo("false");
    assertThat(Cel.run(environment, "oldObject == null", values)).isEqualTo("true");
    assertThat(Cel.run(environment, "object.metadata.labels['a-b']", values)).isEqualTo("'c'");
    assertThat(Cel.run(environment, "object.spec.foo > 1", values))
        .isEqualTo("error: no such key: foo");
    assertThat(Cel.run(environment, "request.name == 'x'", values))
        .isEqualTo("error: no such attribute(s): request");
    assertThat(Cel.run(environment, "object.spec.replicas.foo", values))
        .isEqualTo("error: no such overload");
    assertThat(Cel.run(environment, "'%d over %d'.format([object.spec.replicas, 3])", values))
        .isEqualTo("'5 over 3'");
  }

  @Test
  void variablesOfPolicies_areMadeWhenTheyAreAskedFor() {
    CelProgram when = Cel.BARE.compile("timestamp('2024-02-03T04:05:06Z')", CelResultType.ANY);
    CelProgram failing = Cel.BARE.compile("1 / 0", CelResultType.ANY);
    CelEnvironment environment =
        CelEnvironment.builder()
            .object("variables", Map.of("when", when, "failing", failing))
            .build();
    int[] asked = new int[2];
    var values =
        new CelVariables()
            .setField(
                "variables",
                "when",
                () -> {
                  asked[0]++;
                  return when.evaluate(new CelVariables(), CelBudget.ofRequest());
                })
            .setField(
                "variables",
                "failing",
                () -> {
                  asked[1]++;
                  return failing.evaluate(new CelVariables(), CelBudget.ofRequest());
                });
    assertThat(Cel.run(environment, "variables.when.getDate() + variables.when.getHours()", values))
        .isEqualTo("7");
    assertThat(asked).containsExactly(1, 0);
    assertThat(Cel.run(environment, "variables.failing == 1", values))
        .isEqualTo("error: composited variable \"failing\" fails to evaluate: division by zero");
    assertThat(Cel.firstLine(Cel.run(environment, "variables.missing", values)))
        .isEqualTo("ERROR: <input>:1:10: undefined field 'missing'");
  }
}
