package dev.evenkeel.serve.cel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Expressions that would run for ever, or nearly, are ended by what they cost. */
class BudgetTest {

  private static final CelEnvironment ENVIRONMENT =
      CelEnvironment.builder().variable("object").build();

  private static final CelVariables LARGE =
      new CelVariables()
          .set(
              "object",
              Cel.json(
                  "{'numbers':["
                      + many(5_000, i -> "" + i)
                      + "],'texts':["
                      + many(5_000, i -> "'" + "x".repeat(50) + i + "'")
                      + "],'long':'"
                      + "a".repeat(100_000)
                      + "','deep':{"
                      + many(3_000, i -> "'k" + i + "':{'v':['a','b']}")
                      + "}}"));

  private static String many(int count, IntFunction<String> made) {
    return IntStream.range(0, count).mapToObj(made).collect(Collectors.joining(","));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "object.numbers.all(x, object.numbers.all(y, x + y >= 0))",
        "object.numbers.map(x, object.numbers.map(y, x)).size() > 0",
        "object.numbers.exists(x, x in object.numbers && x < 0)",
        "object.numbers.all(x, object.deep == object.deep)",
        "object.numbers.all(x, [object.deep, object.deep] == [object.deep, object.deep])",
        "object.numbers.all(x, (object.numbers + object.numbers).size() > 0)",
        "object.numbers.all(x, object.texts.indexOf('nothing') < 0)",
        "object.numbers.all(x, size(object.long) > 0 && object.long.charAt(9) == 'a')",
        "object.numbers.all(x, has(object.deep.k1) && object.texts.all(y, has(object.deep.k2)))",
        "object.texts.sort().size() > 0",
        "object.texts.distinct().size() > 0",
        "object.numbers.all(n, object.texts.all(t, !t.matches('^(x+x+)+y$')))",
        "object.long.matches('(a?){300}a{300}b')",
        "object.long.matches('(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)[bc]$')",
        "object.long.findAll('a.*b|a').size() > 0",
        "object.long.find(object.long) == ''",
        "object.long.contains(object.long + 'b')",
        "object.texts.all(t, object.long.indexOf(t) < 0)",
        "object.texts.all(t, object.long.replace('a', t).size() > 0)",
        "object.texts.all(t, '%s%s'.format([object.deep, t]) != '')",
        "object.texts.map(t, object.long + t).size() > 0",
        "object.numbers.map(x, object.texts.join(object.long)).size() > 0",
        "lists.range(1000000000).size() > 0",
        "lists.range(9223372036854775807).size() > 0",
        "lists.range(900000).all(x, lists.range(900000).size() > 0)",
        "object.numbers.transformMap(i, v, object.numbers.transformMap(j, w, w)).size() > 0",
        "sets.contains(object.numbers, object.numbers)",
        "object.numbers.all(x, object.numbers.sortBy(y, -y).size() > 0)",
      })
  void expression_endsByItsCost(String expression) {
    CelProgram program = ENVIRONMENT.compile(expression, CelResultType.BOOL);
    CelResult result = program.evaluate(LARGE, CelBudget.ofRequest());
    assertThat(result).isInstanceOf(CelResult.Exceeded.class);
    assertThat(((CelResult.Exceeded) result).message())
        .isEqualTo("operation cancelled: actual cost limit exceeded");
    assertThat(((CelResult.Exceeded) result).ofBudget()).isFalse();
  }

  @Test
  void bytesThatAreReadAgainAndAgain_endByTheirCost() {
    CelEnvironment environment =
        CelEnvironment.builder()
            .variable(
                "self",
                Cel.schema(
                    "{'type':'object','properties':{'data':{'type':'string','format':'byte'},"
                        + "'times':{'type':'array','items':{'type':'string','format':'date'}}}}"))
            .build();
    CelVariables values =
        new CelVariables()
            .set(
                "self",
                Cel.json(
                    "{'data':'"
                        + "aaaa".repeat(100_000)
                        + "','times':["
                        + many(1_000, i -> "'2024-01-02'")
                        + "]}"));
    CelProgram bytes =
        environment.compile("lists.range(2000).all(x, has(self.data))", CelResultType.BOOL);
    assertThat(bytes.evaluate(values, CelBudget.ofRequest()))
        .isInstanceOf(CelResult.Exceeded.class);
    CelProgram times = environment.compile("self.times.all(t, t == t)", CelResultType.BOOL);
    assertThat(times.evaluate(values, CelBudget.ofRequest()).cost()).isGreaterThan(10_000);
  }

  @Test
  void failuresThatAreMadeGood_haveTheirPrice() {
    CelProgram program =
        ENVIRONMENT.compile(
            "object.numbers.all(x, quantity('zz') == quantity('1') || true)", CelResultType.BOOL);
    CelResult result = program.evaluate(LARGE, CelBudget.ofRequest());
    assertThat(result).isInstanceOf(CelResult.Made.class);
    assertThat(result.cost()).isGreaterThan(100_000);
  }

  @Test
  void textsThatDouble_endByTheirCost() {
    var expression = new StringBuilder("object.long");
    for (int i = 0; i < 18; i++) {
      expression.insert(0, "[").append("].map(s, s + s)[0]");
    }
    CelProgram program = ENVIRONMENT.compile(expression + ".size() > 0", CelResultType.BOOL);
    assertThat(program.evaluate(LARGE, CelBudget.ofRequest()))
        .isInstanceOf(CelResult.Exceeded.class);
  }

  @Test
  void resultsThatAreFarLargerThanTheirParts_endByTheirCost() {
    var expression = new StringBuilder("object.numbers");
    for (int i = 0; i < 12; i++) {
      expression.insert(0, "[").append("].map(s, [s, s, s, s, s, s, s, s])");
    }
    CelProgram program = ENVIRONMENT.compile(expression.toString(), CelResultType.ANY);
    assertThat(program.evaluate(LARGE, CelBudget.ofRequest()))
        .isInstanceOf(CelResult.Exceeded.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "((a{1000}){1000}){1000}",
        "(a{1,1000}){1,1000}",
        "[a-z]{1000}{1000}",
        "(((a*)*)*)*{999}{999}"
      })
  void patternsThatGrow_areRefused(String pattern) {
    assertThat(Cel.run("'a'.matches('" + pattern + "')")).contains("invalid matches argument");
    assertThat(Cel.run("'a'.matches(string('" + pattern + "'))"))
        .startsWith("error: error parsing regexp");
  }

  @Test
  void ordinaryUse_isFarBelowTheLimits() {
    CelProgram program =
        ENVIRONMENT.compile(
            "object.texts.slice(0, 1000).all(t, t.startsWith('x') && t.matches('^x+[0-9]{1,5}$'))"
                + " && object.numbers.all(n, n >= 0) && object.numbers.isSorted()",
            CelResultType.BOOL);
    CelBudget budget = CelBudget.ofRequest();
    assertThat(program.evaluate(LARGE, budget)).isInstanceOf(CelResult.Made.class);
    assertThat(budget.remaining()).isGreaterThan(9_000_000);
  }

  @Test
  void budget_isSharedByTheEvaluationsOfARequest() {
    CelProgram program = ENVIRONMENT.compile("object.numbers.all(x, x >= 0)", CelResultType.BOOL);
    var budget = new CelBudget(40_000);
    CelResult first = program.evaluate(LARGE, budget);
    assertThat(first).isInstanceOf(CelResult.Made.class);
    assertThat(first.cost()).isEqualTo(40_000 - budget.remaining()).isBetween(20_000L, 40_000L);
    CelResult second = program.evaluate(LARGE, budget);
    assertThat(second)
        .isInstanceOfSatisfying(
            CelResult.Exceeded.class,
            exceeded -> {
              assertThat(exceeded.ofBudget()).isTrue();
              assertThat(exceeded.message())
                  .isEqualTo(
                      "validation failed due to running out of cost budget, no further validation"
                          + " rules will be run");
            });
    assertThat(budget.remaining()).isZero();
    assertThat(program.evaluate(LARGE, budget).cost()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 40, 90})
  void nesting_runs(int depth) {
    String nested = "[".repeat(depth) + "1" + "]".repeat(depth);
    assertThat(Cel.run("size(" + nested + ")")).isEqualTo("1");
  }

  @Test
  void whatIsTooLongOrTooDeep_isRefused() {
    assertThat(Cel.run("1" + "+1".repeat(1_000))).contains("recursion limit exceeded");
    assertThat(Cel.run("1" + "+1".repeat(40_000))).contains("limit");
    assertThat(Cel.run("[".repeat(1_000) + "]".repeat(1_000))).contains("limit");
    assertThat(Cel.run("'" + "x".repeat(100_000) + "'")).contains("size exceeds limit");
    assertThat(Cel.run("true" + "&&true".repeat(10_000))).isEqualTo("true");
  }
}
