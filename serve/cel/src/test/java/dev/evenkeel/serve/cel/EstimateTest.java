package dev.evenkeel.serve.cel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Upstream's estimates for upstream's examples, without limits in the schema and with. */
class EstimateTest {

  private static final String OBJECT =
      "{'type':'object','required':['required'],'properties':{'required':{'type':'string'},"
          + "'optional':{'type':'string'}}}";

  private static final String NESTED =
      "{'type':'object','additionalProperties':{'type':'object','required':['required'],"
          + "'properties':{'required':{'type':'string'},'optional':{'type':'string'}}}}";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "number        | self.all(x, true) | 4718591 | 10 | 32",
        "string        | self.all(x, true) | 3145727 | 20 | 62",
        "boolean       | self.all(x, true) | 1887437 | 5 | 17",
        "duration      | self.all(x, true) | 2359295 | 5 | 17",
        "date          | self.all(x, true) | 725936 | 15 | 47",
        "date-time     | self.all(x, true) | 428963 | 25 | 77",
        "int-or-string | self.all(x, true) | 4718591 | 10 | 32",
        "object        | self.all(x, true) | 555128 | 50 | 152",
        "array         | self.all(x, true) | 3145727 | 100 | 302",
        "number        | self[1] == 0.0 | 2 | 5000 | 2",
        "number        | self[3] == 0.0 | 2 | 0 | 2",
        "string        | self[1] == self[1] | 314577 | 8 | 314577",
        "int-or-string | self[0] == 5 | 3 | 10 | 3",
        "boolean       | self[0] == false | 2 | 25 | 2",
        "array         | self[0][0] == -1.0 | 3 | 51 | 3",
        "map           | self.all(x, x.y == 25.2) | 6291452 | 12 | 74",
        "map           | self[0].x > 2.0 | 4 | 3000 | 4",
        "duration      | self[0].getHours() == 2 | 4 | 525 | 4",
        "date          | self[2].getDayOfMonth() == 13 | 4 | 42 | 4",
        "number        | self.all(x, x == 0.0) | 6291454 | 6291456 | 25165826",
        "nested        | self.all(x, x['y'].required == 'z') | 7340027 | 10 | 72",
      })
  void lists(String item, String rule, long free, int limit, long limited) {
    String schema = "{'type':'array','items':" + type(item) + "%s}";
    check(schema, "maxItems", rule, free, limit, limited);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "number        | self.all(x, true) | 1348169 | 10 | 32",
        "string        | self.all(x, true) | 1179647 | 3 | 11",
        "boolean       | self.all(x, true) | 943718 | 100 | 302",
        "duration      | self.all(x, true) | 1048577 | 5 | 17",
        "date          | self.all(x, true) | 524288 | 10 | 32",
        "date-time     | self.all(x, true) | 349526 | 25 | 77",
        "int-or-string | self.all(x, true) | 1348169 | 15 | 47",
        "object        | self.all(x, true) | 428963 | 20 | 62",
        "array         | self.all(x, true) | 1179647 | 25 | 77",
        "number        | self['x'] == 0.0 | 2 | 0 | 2",
        "integer       | oldSelf.size() == self.size() | 5 | 10 | 5",
        "date-time     | self['a'] == self['b'] | 8 | 7 | 8",
        "duration      | self['c'] == self['d'] | 8 | 42 | 8",
      })
  void maps(String value, String rule, long free, int limit, long limited) {
    String schema = "{'type':'object','additionalProperties':" + type(value) + "%s}";
    check(schema, "maxProperties", rule, free, limit, limited);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "self.contains('test') | 314574 | 10 | 5",
        "self.startsWith('test') | 2 | 15 | 2",
        "self.endsWith('test') | 2 | 30 | 2",
        "size(self + 'hello') > size('hello') | 314578 | 4 | 7",
        "self.matches('x') | 314574 | 50 | 22",
        "''.matches('(((((((((())))))))))[0-9]') | 7 | 10 | 7",
        "self.matches('') | 1 | 100 | 1",
        "self == 'x' | 2 | 0 | 1",
        "self.find('[0-9]+') == '' | 629147 | 10 | 11",
        "self.lowerAscii() == 'lower!' | 314575 | 10 | 6",
      })
  void texts(String rule, long free, int limit, long limited) {
    check("{'type':'string'%s}", "maxLength", rule, free, limit, limited);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "self.join(' ') == 'aa bb' | 329853068905 | 43",
        "self.isSorted() == true | 329854432052 | 52",
      })
  void listsOfTexts(String rule, long free, long limited) {
    String schema = "{'type':'array','items':{'type':'string'%s}%s}";
    assertThat(estimate(schema.formatted("", ""), rule)).isEqualTo(free);
    assertThat(estimate(schema.formatted(",'maxLength':10", ",'maxItems':10"), rule))
        .isEqualTo(limited);
  }

  @Test
  void textsInObjects_areBoundedByTheirFields() {
    String schema =
        "{'type':'object','properties':{'str':{'type':'string'%s},"
            + "'before':{'type':'string','maxLength':2},'after':{'type':'string','maxLength':4}}}";
    String rule = "self.str.replace(self.before, self.after) == 'does not matter'";
    assertThat(estimate(schema.formatted(""), rule)).isEqualTo(629154);
    assertThat(estimate(schema.formatted(",'maxLength':4"), rule)).isEqualTo(12);
  }

  @Test
  void enumsAndQuantities_areBoundedByTheirTexts() {
    String values = "{'type':'string','enum':['A','B','C','LongValue']%s}";
    assertThat(estimate(values.formatted(""), "self.contains('A')")).isEqualTo(2);
    assertThat(estimate(values.formatted(",'maxLength':1000"), "self.contains('A')"))
        .isEqualTo(401);
    String either = "{'x-kubernetes-int-or-string':true%s}";
    assertThat(estimate(either.formatted(""), "isQuantity(self)")).isEqualTo(314574);
    assertThat(estimate(either.formatted(",'maxLength':20"), "isQuantity(self)")).isEqualTo(9);
  }

  @Test
  void exceeded_saysHowMuchInUpstreamsWords() {
    assertThat(CelLimits.exceeded("estimated rule cost", 25_165_826, CelLimits.RULE_ESTIMATE_MAX))
        .isEqualTo(
            "estimated rule cost exceeds budget by factor of 2.5x (try simplifying the rule, or"
                + " adding maxItems, maxProperties, and maxLength where arrays, maps, and strings"
                + " are declared)");
    assertThat(CelLimits.exceeded("x", 10_000_001, 10_000_000)).contains("factor of 1.000000x");
    assertThat(CelLimits.exceeded("x", Long.MAX_VALUE, 10)).contains("factor of more than 100x");
    assertThat(CelLimits.multiplied(Long.MAX_VALUE / 2, 3)).isEqualTo(Long.MAX_VALUE);
    assertThat(CelLimits.multiplied(0, 3)).isZero();
  }

  @Test
  void loopsInLoops_multiply() {
    String schema = "{'type':'array','items':{'type':'number'}%s}";
    String two = "self.all(x, self.all(y, true))";
    String three = "self.all(x, self.all(y, self.all(z, true)))";
    assertThat(estimate(schema.formatted(""), two)).isGreaterThan(CelLimits.RULE_ESTIMATE_MAX);
    assertThat(estimate(schema.formatted(",'maxItems':10"), two)).isEqualTo(352);
    assertThat(estimate(schema.formatted(",'maxItems':10"), three)).isEqualTo(3552);
  }

  @Test
  void dataWithoutASchema_hasNoEstimate() {
    CelEnvironment environment = CelEnvironment.builder().variable("object").build();
    CelProgram program =
        environment.compile("object.items.all(x, x.matches(object.p))", CelResultType.BOOL);
    assertThat(program.estimatedCostMax()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void cardinality_isHowOftenItFitsIntoARequest() {
    assertThat(Cel.schema("{'type':'boolean'}").cardinalityMax()).isEqualTo(3 * 1024 * 1024 / 5);
  }

  private static String type(String name) {
    return switch (name) {
      case "duration", "date", "date-time" -> "{'type':'string','format':'" + name + "'}";
      case "int-or-string" -> "{'x-kubernetes-int-or-string':true}";
      case "object" -> OBJECT;
      case "array" -> "{'type':'array','items':{'type':'number'}}";
      case "map" -> "{'type':'object','additionalProperties':{'type':'number'}}";
      case "nested" -> NESTED;
      default -> "{'type':'" + name + "'}";
    };
  }

  private static void check(
      String schema, String limitName, String rule, long free, int limit, long limited) {
    assertThat(estimate(schema.formatted(""), rule)).isEqualTo(free);
    assertThat(estimate(schema.formatted(",'" + limitName + "':" + limit), rule))
        .isEqualTo(limited);
  }

  private static long estimate(String schemaText, String rule) {
    CelSchema schema = Cel.schema(schemaText);
    return CelEnvironment.builder()
        .variable("self", schema)
        .variable("oldSelf", schema)
        .build()
        .compile(rule, CelResultType.BOOL)
        .estimatedCostMax();
  }
}
