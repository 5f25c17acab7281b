package dev.evenkeel.serve.object;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Against the expressions that the API's own messages name. */
class NameShapeTest {

  private static final String LETTERS = "ab0zZ9-_.AÄ\n /";

  @Test
  void shapes_areThoseOfTheExpressions() {
    check("[a-z0-9]([-a-z0-9]*[a-z0-9])?", NameShape::isLabel);
    check("[a-z]([-a-z0-9]*[a-z0-9])?", NameShape::isLabel1035);
    check(
        "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*", NameShape::isSubdomain);
    check("([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]", NameShape::isQualified);
  }

  private static void check(String expression, Predicate<String> shape) {
    var pattern = Pattern.compile(expression);
    var random = new Random(1);
    int matched = 0;
    for (int i = 0; i < 50_000; i++) {
      String text = text(random);
      boolean matches = pattern.matcher(text).matches();
      matched += matches ? 1 : 0;
      assertThat(shape.test(text)).as("%s and '%s'", expression, text).isEqualTo(matches);
    }
    assertThat(matched).as("some match").isBetween(100, 49_900);
  }

  private static String text(Random random) {
    var text = new StringBuilder();
    int length = random.nextInt(7);
    // Few letters often, so that some match; all of them now and then.
    int letters = random.nextInt(4) == 0 ? LETTERS.length() : 9;
    for (int i = 0; i < length; i++) {
      text.append(LETTERS.charAt(random.nextInt(letters)));
    }
    return text.toString();
  }
}
