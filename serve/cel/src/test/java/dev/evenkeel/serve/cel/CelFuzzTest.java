package dev.evenkeel.serve.cel;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Runs {@link CelFuzzTarget} on the expressions of {@link ExpressionTest} and on a fixed number of
 * others made from their pieces. For more:
 *
 * <pre>{@code
 * mvn -pl serve/cel -am test -Dtest=CelFuzzTest -Dfuzz.runs=1000000 -Dfuzz.seed=7
 * }</pre>
 */
class CelFuzzTest {

  private static final int RUNS = Integer.getInteger("fuzz.runs", 3_000);
  private static final long SEED = Long.getLong("fuzz.seed", 1);

  private static final List<String> PIECES =
      List.of(
          "self.l",
          "self.m",
          "self.n",
          "self.s",
          "object",
          "object.l",
          "object.m",
          ".",
          "?.",
          "[?",
          "[",
          "]",
          "(",
          ")",
          "{",
          "}",
          ":",
          ",",
          "?",
          "'",
          "\"",
          "\\",
          "==",
          "&&",
          "||",
          "!",
          "-",
          ".all(x, ",
          ".map(x, ",
          ".optMap(x, ",
          ".transformMap(k, v, ",
          "x",
          "k",
          "authorizer",
          "authorizer.requestResource",
          ".path('/x')",
          ".group('g').resource('r')",
          ".serviceAccount('a', 'b')",
          ".check('get')",
          ".allowed()",
          "Object{",
          "Object.spec{l: ",
          "JSONPatch{op: 'add', path: '/x', value: ",
          "jsonpatch.escapeKey(",
          "9223372036854775807",
          "-9223372036854775808",
          "1e308",
          "b'\\xff'",
          "null",
          "😀",
          "{999}",
          "(?i)",
          "\u0000");

  /** Rows that only the environment of the target knows. */
  private static final List<String> OWN =
      List.of(
          "authorizer.group('apps').resource('deployments').name('x').check('get').allowed()",
          "authorizer.serviceAccount('a', 'b').path('/x').check('get').reason() == 'get'",
          "authorizer.requestResource.fieldSelector('a=b').check('list').error()",
          "Object{spec: Object.spec{?l: optional.of([Object.spec.l{n: self.n}]), m: object.m}}",
          "Object{a: 1}.?a.orValue(2) == 1 && has(Object{a: 1}.b) || Object{} == Object{}",
          "self.l.map(x, JSONPatch{op: 'add', path: '/' + jsonpatch.escapeKey(x), value: x})",
          "JSONPatch{op: 'move', from: '/a', path: '/b'} == JSONPatch{op: 'a', ?value: self.?n}");

  private static List<String> seeds() throws IOException {
    var seeds = new ArrayList<>(OWN);
    ExpressionTest.rows().forEach(row -> seeds.add(row.expression()));
    return seeds;
  }

  @Test
  void expressions_areRefusedOrRun() throws IOException {
    for (String expression : seeds()) {
      run(expression);
    }
  }

  @Test
  void whatIsMadeFromThem_isRefusedOrRuns() throws IOException {
    var random = new SplittableRandom(SEED);
    List<String> seeds = seeds();
    for (int i = 0; i < RUNS; i++) {
      run(mutated(seeds, random));
    }
  }

  private static String mutated(List<String> seeds, SplittableRandom random) {
    var text = new StringBuilder(seeds.get(random.nextInt(seeds.size())));
    for (int strikes = random.nextInt(1, 4); strikes > 0; strikes--) {
      String other = seeds.get(random.nextInt(seeds.size()));
      int at = random.nextInt(text.length() + 1);
      int end = Math.min(text.length(), at + random.nextInt(8));
      switch (random.nextInt(5)) {
        case 0 -> text.insert(at, PIECES.get(random.nextInt(PIECES.size())));
        case 1 -> text.replace(at, end, PIECES.get(random.nextInt(PIECES.size())));
        case 2 -> text.delete(at, end);
        case 3 -> {
          int from = random.nextInt(other.length());
          text.insert(at, other, from, random.nextInt(from, other.length()) + 1);
        }
        default -> text.append(random.nextBoolean() ? " == " : " || ").append(other);
      }
    }
    return text.toString();
  }

  private static void run(String expression) {
    try {
      CelFuzzTarget.run(expression);
    } catch (Throwable e) {
      throw new AssertionError("fails for " + expression, e);
    }
  }
}
