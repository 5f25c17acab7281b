package dev.evenkeel.serve.cel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Expressions ask who may do what, and get the answer of the one they are given to ask. */
class CelAuthorizerTest {

  private static final CelEnvironment ENVIRONMENT =
      CelEnvironment.builder()
          .variable("object")
          .authorizer("authorizer")
          .resourceCheck("authorizer.requestResource")
          .build();

  private static final CelAuthorizer.Question REQUEST =
      new CelAuthorizer.Question(
          null, "", "", "apps", "v1", "deployments", "scale", "shop", "cart", "", "");

  private final List<CelAuthorizer.Question> asked = new ArrayList<>();

  private CelAuthorizer.Decision decision =
      new CelAuthorizer.Decision(true, false, "because", null);

  private final CelVariables variables =
      new CelVariables()
          .set("object", Cel.json("{'verb':'get','n':1}"))
          .authorizer("authorizer", this::decide)
          .resourceCheck("authorizer.requestResource", this::decide, REQUEST);

  private CelAuthorizer.Decision decide(CelAuthorizer.Question question) {
    asked.add(question);
    return decision;
  }

  private String run(String expression) {
    return Cel.run(ENVIRONMENT, expression, variables);
  }

  private CelAuthorizer.Question question(String check) {
    assertThat(run(check + ".allowed()")).isEqualTo("true");
    assertThat(asked).hasSize(1);
    return asked.removeFirst();
  }

  private static CelAuthorizer.Question ofResource(
      String verb, String group, String resource, String namespace, String name) {
    return new CelAuthorizer.Question(
        null, verb, "", group, "*", resource, "", namespace, name, "", "");
  }

  @Test
  void path_isAskedFor() {
    CelAuthorizer.Question question = question("authorizer.path('/healthz').check('get')");
    assertThat(question)
        .isEqualTo(
            new CelAuthorizer.Question(null, "get", "/healthz", "", "", "", "", "", "", "", ""));
    assertThat(question.isResource()).isFalse();
  }

  @Test
  void resource_isAskedForInEveryVersion() {
    CelAuthorizer.Question question =
        question("authorizer.group('apps').resource('deployments').check('create')");
    assertThat(question).isEqualTo(ofResource("create", "apps", "deployments", "", ""));
    assertThat(question.isResource()).isTrue();
    assertThat(
            question("authorizer.group('').resource('pods').namespace('a').name('b').check('get')"))
        .isEqualTo(ofResource("get", "", "pods", "a", "b"));
    assertThat(
            question(
                "authorizer.group('').resource('pods').subresource('log')"
                    + ".labelSelector('a=b').fieldSelector('spec.nodeName=x').check('list')"))
        .isEqualTo(
            new CelAuthorizer.Question(
                null, "list", "", "", "*", "pods", "log", "", "", "a=b", "spec.nodeName=x"));
  }

  @Test
  void whatIsNarrowed_leavesTheWiderAsItWas() {
    assertThat(
            question(
                "[authorizer.group('').resource('pods')].map(wide, [wide.name('x'), wide])[0][1]"
                    + ".check('list')"))
        .isEqualTo(ofResource("list", "", "pods", "", ""));
  }

  @Test
  void serviceAccount_isAskedForByItsNames() {
    CelAuthorizer.Question question =
        question(
            "authorizer.serviceAccount('shop', 'cart').group('').resource('pods').check('get')");
    assertThat(question.user())
        .isEqualTo(
            new CelAuthorizer.User(
                "system:serviceaccount:shop:cart",
                List.of("system:serviceaccounts", "system:serviceaccounts:shop")));
    assertThat(question("authorizer.serviceAccount('a', 'b').path('/x').check('get')").user())
        .extracting(CelAuthorizer.User::name)
        .isEqualTo("system:serviceaccount:a:b");
  }

  @Test
  void requestResource_isTheResourceOfTheRequest() {
    assertThat(question("authorizer.requestResource.check('custom')"))
        .isEqualTo(
            new CelAuthorizer.Question(
                null, "custom", "", "apps", "*", "deployments", "scale", "shop", "cart", "", ""));
    assertThat(question("authorizer.requestResource.name('').subresource('').check('get')"))
        .isEqualTo(ofResource("get", "apps", "deployments", "shop", ""));
    assertThat(question("[1].map(x, authorizer.requestResource)[0].check('get')").name())
        .isEqualTo("cart");
  }

  @Test
  void requestResource_keepsTheUserAndSelectorsItWasGiven() {
    var user = new CelAuthorizer.User("jane", List.of("devs"));
    var given = new CelAuthorizer.Question(user, "", "", "", "*", "pods", "", "", "", "a=b", "c=d");
    variables.resourceCheck("authorizer.requestResource", this::decide, given);
    assertThat(question("authorizer.requestResource.check('list')"))
        .isEqualTo(
            new CelAuthorizer.Question(
                user, "list", "", "", "*", "pods", "", "", "", "a=b", "c=d"));
  }

  @Test
  void decision_isToldInParts() {
    String check = "authorizer.path('/x').check('get')";
    assertThat(run("[" + check + "].map(d, [d.allowed(), d.errored()])[0]"))
        .isEqualTo("[true,false]");
    assertThat(run("[" + check + "].map(d, [d.reason(), d.error()])[0]"))
        .isEqualTo("['because','']");
    decision = new CelAuthorizer.Decision(false, true, "never", "webhook is down");
    assertThat(run("[" + check + "].map(d, [d.allowed(), d.errored()])[0]"))
        .isEqualTo("[false,true]");
    assertThat(run("[" + check + "].map(d, [d.reason(), d.error()])[0]"))
        .isEqualTo("['never','webhook is down']");
    decision = new CelAuthorizer.Decision(false, false, "", null);
    assertThat(run(check + ".allowed()")).isEqualTo("false");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "authorizer.path('') | path must not be empty",
        "authorizer.path('  ') | path must not be empty",
        "authorizer.group('apps').resource('') | resource must not be empty",
        "authorizer.group('apps').resource(' ') | resource must not be empty",
        "authorizer.serviceAccount('default', 'invalid@*name') | Invalid service account name",
        "authorizer.serviceAccount('default', 'Upper') | Invalid service account name",
        "authorizer.serviceAccount('not@a#valid!namespace', 'x') | Invalid service account"
            + " namespace",
        "authorizer.serviceAccount('a.b', 'x') | Invalid service account namespace",
        "authorizer.path(object.n) | no such overload",
        "dyn('x').check('get') | no such overload",
      })
  void whatCannotBeAsked_fails(String expression, String message) {
    assertThat(run(expression)).isEqualTo("error: " + message);
    assertThat(asked).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "authorizer.requestResource.resource('x')",
        "authorizer.check('get')",
        "authorizer.group('').check('get')",
        "authorizer.path('/x').allowed()",
        "authorizer.path('/x').check(1)",
        "authorizer.serviceAccount('x')",
      })
  void whatHasNoSuchFunction_isRefused(String expression) {
    assertThat(Cel.firstLine(run(expression))).contains("found no matching overload for");
  }

  @Test
  void environmentWithoutOne_knowsNothingOfIt() {
    assertThat(Cel.firstLine(Cel.run("authorizer.path('/x').check('get').allowed()")))
        .contains("undeclared reference to 'authorizer'");
    assertThat(Cel.firstLine(Cel.run("dyn(1).check('get').allowed()")))
        .contains("undeclared reference to 'check'");
  }

  @Test
  void variableWithoutValue_fails() {
    assertThat(
            Cel.run(
                ENVIRONMENT, "authorizer.path('/x').check('get').allowed()", new CelVariables()))
        .isEqualTo("error: no such attribute(s): authorizer");
  }

  @Test
  void variables_areNamedByWhatIsAsked() {
    assertThat(compiled("authorizer.requestResource.check('get').allowed()").variables())
        .containsExactly("authorizer.requestResource");
    assertThat(compiled("authorizer.path('/x').check('get').allowed()").variables())
        .containsExactly("authorizer");
  }

  /** The figures are upstream's. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "authorizer.path('/healthz') | 2 | 2",
        "authorizer.path('/healthz').check('get').allowed() | 350003 | 350003",
        "authorizer.group('apps').resource('deployments').subresource('status').namespace('test')"
            + ".name('backend') | 6 | 6",
        "authorizer.group('apps').resource('deployments').subresource('status').namespace('test')"
            + ".name('backend').check('create').allowed() | 350007 | 350007",
        "authorizer.group('').resource('pods').fieldSelector("
            + "'spec.nodeName=example-node-name.fully.qualified.domain.name.example.com')"
            + " | 1821 | 1821",
        "authorizer.group('').resource('pods').labelSelector("
            + "'spec.nodeName=example-node-name.fully.qualified.domain.name.example.com')"
            + " | 1821 | 1821",
        "authorizer.requestResource.check('create').reason() | 350002 | 350002",
      })
  void asking_costsWhatItCostsUpstream(String expression, long estimated, long spent) {
    CelProgram program = compiled(expression);
    assertThat(program.estimatedCostMax()).isEqualTo(estimated);
    CelResult result = program.evaluate(variables, CelBudget.ofRequest());
    assertThat(result).isInstanceOf(CelResult.Made.class);
    assertThat(result.cost()).isEqualTo(spent);
  }

  @Test
  void thirdCheck_isNotMade() {
    String check = "authorizer.path('/x').check('get').allowed()";
    assertThat(run(check + " && " + check)).isEqualTo("true");
    asked.clear();
    assertThat(run(check + " && " + check + " && " + check))
        .isEqualTo("exceeded: operation cancelled: actual cost limit exceeded");
    assertThat(asked).hasSize(2);
  }

  @Test
  void equalChecks_areEqual() {
    assertThat(run("authorizer.path('/x') == authorizer.path('/x')")).isEqualTo("true");
    assertThat(run("authorizer.path('/x') == authorizer.path('/y')")).isEqualTo("false");
    assertThat(run("type(authorizer) == type(authorizer.group(''))")).isEqualTo("false");
  }

  private static CelProgram compiled(String expression) {
    return Objects.requireNonNull(ENVIRONMENT.compile(expression, CelResultType.ANY));
  }
}
