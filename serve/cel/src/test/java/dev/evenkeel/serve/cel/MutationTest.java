package dev.evenkeel.serve.cel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Expressions make objects to apply, and patches; most cases are those of upstream's tests. */
class MutationTest {

  private static final CelEnvironment ENVIRONMENT =
      CelEnvironment.builder().variable("object").mutation().build();

  private static final CelVariables VARIABLES =
      new CelVariables()
          .set("object", Cel.json("{'spec':{'replicas':2,'names':['a','b'],'labels':{'k':'v'}}}"));

  private static String run(String expression) {
    return Cel.firstLine(Cel.run(ENVIRONMENT, expression, VARIABLES));
  }

  private static String run(String expression, CelResultType type) {
    return switch (ENVIRONMENT
        .compile(expression, type)
        .evaluate(VARIABLES, CelBudget.ofRequest())) {
      case CelResult.Made made -> made.value().json().toString().replace('"', '\'');
      case CelResult.Failed failed -> failed.message();
      case CelResult.Exceeded exceeded -> exceeded.message();
    };
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "Object{} | {}",
        "Object{spec: Object.spec{replicas: 3}} | {'spec':{'replicas':3}}",
        "Object{spec: Object.spec{template: Object.spec.template{containers: ["
            + "Object.spec.template.containers.item{name: 'nginx', args: ['-g']}]}}}"
            + " | {'spec':{'template':{'containers':[{'name':'nginx','args':['-g']}]}}}",
        "Object{intList: [1, 2, 3]} | {'intList':[1,2,3]}",
        "Object{annotations: {'foo': 'bar'}} | {'annotations':{'foo':'bar'}}",
        "Object{intList: [1, 2, 3]}.intList.sum() | 6",
        "Object{spec: Object.spec{replicas: 3}} == Object{spec: Object.spec{replicas: 1 + 2}} |"
            + " true",
        "Object{spec: 1} == Object{spec: 2} | false",
        "Object{spec: 1} == Object{spec: 1, other: 1} | false",
        "dyn(Object.a{}) == dyn(Object.b{}) | false",
        "dyn(Object{}) == dyn({}) | false",
        "Object{?existing: optional.none()} | {}",
        "Object{?existing: optional.of(1)} | {'existing':1}",
        "Object{zero: optional.of(0), none: optional.none()} | {'zero':0,'none':null}",
        "Object{?spec: optional.ofNonZeroValue(Object.spec{?replicas: Object{}.?replicas})} | {}",
        "Object{}.?existing.hasValue() | false",
        "Object{existing: 1}.?existing.value() | 1",
        "Object{a: Object.a{b: 1}}.a.b | 1",
        "Object{}.existing | null",
        "has(Object{}.existing) | false",
        "has(Object{existing: 1}.existing) | true",
        "Object{a: null} | {'a':null}",
        "Object{spec: object.spec} | {'spec':{'replicas':2,'names':['a','b'],'labels':{'k':'v'}}}",
        "Object{l: object.spec.names.map(n, Object.l{name: n})} |"
            + " {'l':[{'name':'a'},{'name':'b'}]}",
        "type(Object.spec{}) == Object.spec | true",
        "type(JSONPatch{}) == JSONPatch | true",
      })
  void object_isMade(String expression, String result) {
    assertThat(run(expression)).isEqualTo(result);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "true ? JSONPatch{op: 'add', path: '/r', value: 3} : JSONPatch{op: 'remove', path: '/r'}"
            + " | {'op':'add','path':'/r','value':3}",
        "JSONPatch{op: 'remove', path: '/r'} | {'op':'remove','path':'/r'}",
        "JSONPatch{op: 'move', from: '/a', path: '/b'} | {'op':'move','path':'/b','from':'/a'}",
        "JSONPatch{op: 'invalid', path: '/r', value: 3} | {'op':'invalid','path':'/r','value':3}",
        "JSONPatch{op: 'add', value: 3} | {'op':'add','path':'','value':3}",
        "JSONPatch{op: 'add', path: '/r'} | {'op':'add','path':'/r'}",
        "JSONPatch{op: 'add', path: '/r', value: null} | {'op':'add','path':'/r','value':null}",
        "JSONPatch{op: 'add', path: '/r', ?value: optional.none()} | {'op':'add','path':'/r'}",
        "JSONPatch{op: 'add', path: '/r', ?value: optional.of(null)}"
            + " | {'op':'add','path':'/r','value':null}",
        "JSONPatch{op: 'copy', path: '/r', from: ''} | {'op':'copy','path':'/r'}",
        "JSONPatch{op: 'add', value: Object.spec.x{y: [1]}} |"
            + " {'op':'add','path':'','value':{'y':[1]}}",
        "JSONPatch{op: 'a', path: '/x'} == JSONPatch{op: 'a', path: '/' + 'x'} | true",
        "JSONPatch{op: 'a', value: null} == JSONPatch{op: 'a'} | false",
        "JSONPatch{op: 'a', value: {'b': [1]}} == JSONPatch{op: 'a', value: {'b': [1]}} | true",
        "JSONPatch{op: 'a'} == JSONPatch{op: 'b'} | false",
        "JSONPatch{op: 'a'}.op + JSONPatch{}.path | 'a'",
        "has(JSONPatch{op: 'a'}.op) && !has(JSONPatch{}.op) && !has(JSONPatch{}.value) | true",
        "JSONPatch{op: dyn(1)} | error: unexpected type int for JSONPatchType 'op' field",
        "jsonpatch.escapeKey('k8s.io/my~label') | 'k8s.io~1my~0label'",
        "jsonpatch.escapeKey('~1') | '~01'",
      })
  void patch_isMade(String expression, String result) {
    assertThat(run(expression)).isEqualTo(result);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "Invalid{} | undeclared reference to 'Invalid'",
        "Objects{} | undeclared reference to 'Objects'",
        "JSONPatch{op: 'add', path: '/r', value: Invalid{}} | undeclared reference to 'Invalid'",
        "JSONPatch{op: 'add', path: Invalid{}, value: 3} | undeclared reference to 'Invalid'",
        "JSONPatch{op: 1} | expected type of field 'op' is 'string' but provided type is 'int'",
        "JSONPatch{path: 1} | expected type of field 'path' is 'string' but provided type is 'int'",
        "JSONPatch{from: 1} | expected type of field 'from' is 'string' but provided type is 'int'",
        "JSONPatch{other: 1} | undefined field 'other'",
        "[Object.a{}, Object.b{}] | expected type 'Object.a' but found 'Object.b'",
        "Object{} == {} | found no matching overload for '_==_'",
        "Object{spec: | Syntax error",
      })
  void whatHasNoSense_isRefused(String expression, String message) {
    assertThat(run(expression)).startsWith("ERROR: <input>:1:").contains(message);
  }

  @Test
  void environmentThatChangesNothing_knowsNothingOfIt() {
    assertThat(Cel.firstLine(Cel.run("Object{}"))).contains("undeclared reference to 'Object'");
    assertThat(Cel.firstLine(Cel.run("JSONPatch{}"))).contains("undeclared reference");
    assertThat(Cel.firstLine(Cel.run("jsonpatch.escapeKey('a')"))).contains("undeclared reference");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "MUTATION | Object.spec{} | must evaluate to Object but got Object.spec",
        "MUTATION | 1 | must evaluate to Object but got int",
        "MUTATION | object | must evaluate to Object but got dyn",
        "MUTATION | {'a': 1} | must evaluate to Object but got map(string, int)",
        "PATCHES | JSONPatch{} | must evaluate to list(JSONPatch) but got JSONPatch",
        "PATCHES | [Object{}] | must evaluate to list(JSONPatch) but got list(Object)",
        "PATCHES | [1] | must evaluate to list(JSONPatch) but got list(int)",
        "PATCHES | [] | must evaluate to list(JSONPatch) but got list(dyn)",
      })
  void otherResult_isRefused(CelResultType type, String expression, String message) {
    assertThatThrownBy(() -> ENVIRONMENT.compile(expression, type))
        .isInstanceOfSatisfying(
            CelException.class, refused -> assertThat(refused.isOfResultType()).isTrue())
        .hasMessage(message);
  }

  @Test
  void mutation_isAnObject() {
    assertThat(run("object.spec.replicas > 1 ? Object{a: 1} : Object{}", CelResultType.MUTATION))
        .isEqualTo("{'a':1}");
    assertThat(
            run(
                "Object{spec: Object.spec{replicas: 100, m: {'k1': Object.spec.m{}},"
                    + " l: [Object.spec.l{}]}}",
                CelResultType.MUTATION))
        .isEqualTo("{'spec':{'replicas':100,'m':{'k1':{}},'l':[{}]}}");
  }

  @Test
  void patches_areAList() {
    assertThat(
            run(
                "object.spec.names.map(n, JSONPatch{op: 'add', path: '/' + n, value: null})"
                    + " + (has(object.none) ? [JSONPatch{op: 'remove', path: '/x'}] : [])",
                CelResultType.PATCHES))
        .isEqualTo("[{'op':'add','path':'/a','value':null},{'op':'add','path':'/b','value':null}]");
    assertThat(run("[JSONPatch{op: 'add', value: Object.x{}}]", CelResultType.PATCHES))
        .isEqualTo("[{'op':'add','path':'','value':{}}]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "MUTATION | Object{invalid: Object.spec{}} | Object.spec | Object.invalid",
        "MUTATION | Object{spec: Object{}} | Object | Object.spec",
        "MUTATION | Object{spec: Object.spec{m: {'k': Object.spec.invalid{}}}}"
            + " | Object.spec.invalid | Object.spec.m",
        "MUTATION | Object{spec: Object.spec{l: [Object.spec.invalid{}]}}"
            + " | Object.spec.invalid | Object.spec.l",
        "MUTATION | Object{spec: Object.spec{l: [Object.spec.l.item{}]}}"
            + " | Object.spec.l.item | Object.spec.l",
        "PATCHES | [JSONPatch{value: Object.spec{selector: Object.spec.wrong{}}}]"
            + " | Object.spec.wrong | Object.spec.selector",
      })
  void objectInAnotherPlaceThanItsTypeNames_fails(
      CelResultType type, String expression, String found, String expected) {
    assertThat(run(expression, type))
        .isEqualTo(
            "type mismatch: unexpected type name \"%s\", expected \"%s\", which matches field name"
                + " path from root Object type",
            found, expected);
  }

  @Test
  void everyWrongPlace_isTold() {
    assertThat(run("Object{a: Object.b{}, c: Object.d{}}", CelResultType.MUTATION))
        .contains("\"Object.a\"")
        .contains("\n")
        .contains("\"Object.c\"");
  }

  @Test
  void keysThatAreNoTexts_fail() {
    assertThat(run("Object{m: {100: 'x'}}", CelResultType.MUTATION))
        .isEqualTo("map key \"100\" is of type int, not string");
    assertThat(run("[JSONPatch{value: [{1: 'x'}]}]", CelResultType.PATCHES)).contains("not string");
  }

  @Test
  void variableOfAPolicy_canBeAnObject() {
    CelProgram spec = ENVIRONMENT.compile("Object.spec{replicas: 5}", CelResultType.ANY);
    CelEnvironment composed =
        CelEnvironment.builder().object("variables", Map.of("spec", spec)).mutation().build();
    var values =
        new CelVariables()
            .setField("variables", "spec", () -> spec.evaluate(VARIABLES, CelBudget.ofRequest()));
    assertThat(Cel.run(composed, "Object{spec: variables.spec}", values))
        .isEqualTo("{'spec':{'replicas':5}}");
    assertThat(Cel.run(composed, "variables.spec.replicas + 1", values)).isEqualTo("6");
  }

  /** An object costs 40 upstream, whatever is in it; the rest is what it is made of. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "Object{} | 40 | 40",
        "Object{spec: Object.spec{replicas: 3}} | 80 | 80",
        "[JSONPatch{op: 'add', path: '/x', value: 1}] | 50 | 50",
        "jsonpatch.escapeKey('k8s.io/my~label') | 2 | 2",
      })
  void making_costsWhatItCostsUpstream(String expression, long estimated, long spent) {
    CelProgram program = ENVIRONMENT.compile(expression, CelResultType.ANY);
    assertThat(program.estimatedCostMax()).isEqualTo(estimated);
    assertThat(program.evaluate(VARIABLES, CelBudget.ofRequest()).cost()).isEqualTo(spent);
  }

  @Test
  void objectsThatGrowFarBeyondTheirText_endByTheirCost() {
    var expression = new StringBuilder("Object.x{}");
    for (int i = 0; i < 40; i++) {
      expression.insert(0, "[").append("].map(x, Object.x{a: x, b: x})[0]");
    }
    CelProgram program = ENVIRONMENT.compile(expression.toString(), CelResultType.ANY);
    assertThat(program.evaluate(VARIABLES, CelBudget.ofRequest()))
        .isInstanceOf(CelResult.Exceeded.class);
  }
}
