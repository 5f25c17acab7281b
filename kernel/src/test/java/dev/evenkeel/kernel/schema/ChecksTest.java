package dev.evenkeel.kernel.schema;

import static dev.evenkeel.kernel.schema.SampleSchema.add;
import static dev.evenkeel.kernel.schema.SampleSchema.json;
import static dev.evenkeel.kernel.schema.SampleSchema.limited;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChecksTest {

  private static final Schema.Struct ITEM = new Schema.Struct("io.test.v1.Item", false);
  private static final Schema.Struct SPEC = new Schema.Struct("io.test.v1.Spec", false);
  private static final Schema WORDS =
      new Schema.ListOf(Schema.Scalar.STRING, Schema.ListType.ATOMIC, List.of());
  private static final Schema TEXTS = new Schema.MapOf(Schema.Scalar.STRING);

  static {
    ITEM.add(limited("name", Schema.Scalar.STRING, Limits.REQUIRED));
    SPEC.add(limited("choice", Schema.Scalar.STRING, choices()));
    SPEC.add(limited("choices", WORDS, choices()));
    SPEC.add(limited("port", Schema.Scalar.INT32, range(1L, 65535L, null)));
    SPEC.add(limited("replicas", Schema.Scalar.INT32, range(0L, null, null)));
    SPEC.add(limited("most", Schema.Scalar.INT32, range(null, 5L, null)));
    SPEC.add(limited("several", Schema.Scalar.INT32, range(null, null, "zero")));
    SPEC.add(limited("short", Schema.Scalar.STRING, length(4)));
    SPEC.add(limited("few", WORDS, length(2)));
    SPEC.add(limited("label", Schema.Scalar.STRING, formats(TextFormat.DNS_LABEL, null)));
    SPEC.add(limited("labels", TEXTS, formats(TextFormat.LABEL_VALUE, TextFormat.QUALIFIED_NAME)));
    SPEC.add(limited("data", TEXTS, formats(null, TextFormat.DATA_KEY)));
    add(SPEC, "items", new Schema.ListOf(ITEM, Schema.ListType.ATOMIC, List.of()));
    add(SPEC, "named", new Schema.MapOf(ITEM));
  }

  private static Limits choices() {
    return new Limits(false, List.of("A", "B"), null, null, null, 0, null, null);
  }

  private static Limits range(@Nullable Long min, @Nullable Long max, @Nullable String positive) {
    return new Limits(false, List.of(), min, max, positive, 0, null, null);
  }

  private static Limits length(int max) {
    return new Limits(false, List.of(), null, null, null, max, null, null);
  }

  private static Limits formats(@Nullable TextFormat format, @Nullable TextFormat keys) {
    return new Limits(false, List.of(), null, null, null, 0, format, keys);
  }

  private static List<String> errors(String text) {
    var problems = new Problems();
    Checks.validate(json(text), SPEC, problems);
    return problems.errors().stream().map(FieldError::toString).toList();
  }

  @Test
  void validate_findsNothingWrongWithWhatKeepsToItsLimits() {
    assertThat(
            errors(
                "{'choice':'A','choices':['B'],'port':80,'replicas':0,'most':5,'several':1,"
                    + "'short':'abcd','few':['a'],'label':'a-b','labels':{'x.io/a':'b',"
                    + "'e':''},'data':{'a.b':''},'items':[{'name':'a'}]}"))
        .isEmpty();
  }

  @Test
  void empty_isLikeAbsentWhereNothingIsRequired() {
    assertThat(errors("{'choice':'','label':''}")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "'items':[{'name':'a'},{'name':''}] | items[1].name: Required value",
        "'named':{'k':{}} | named[k].name: Required value",
        "'choice':'C' | choice: Unsupported value: `C`: supported values: `A`, `B`",
        "'choices':['A','C'] | choices[1]: Unsupported value: `C`: supported values: `A`, `B`",
        "'port':0 | port: Invalid value: 0: must be between 1 and 65535, inclusive",
        "'replicas':-1 | replicas: Invalid value: -1: must be greater than or equal to 0",
        "'most':6 | most: Invalid value: 6: must be less than or equal to 5",
        "'several':0 | several: Invalid value: 0: must be greater than zero",
        "'short':'ääb' | short: Too long: may not be more than 4 bytes",
        "'few':['a','b','c'] | few: Too many: 3: must have at most 2 items",
        "'label':'a.b' | label: Invalid value: `a.b`: must not contain dots",
        "'labels':{'a/b/c':''} | labels: Invalid value: `a/b/c`: a qualified name must consist of"
            + " alphanumeric characters, '-', '_' or '.', and must start and end with an"
            + " alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used"
            + " for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS"
            + " subdomain prefix and '/' (e.g. 'example.com/MyName')",
        "'labels':{'a':'-'} | labels: Invalid value: `-`: a valid label must be an empty string or"
            + " consist of alphanumeric characters, '-', '_' or '.', and must start and end with an"
            + " alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for"
            + " validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
        "'data':{'..a':''} | data[..a]: Invalid value: `..a`: must not start with '..'",
      })
  void validate_namesWhatIsWrong(String given, String error) {
    assertThat(errors("{" + given + "}")).containsExactly(error.replace('`', '"'));
  }
}
