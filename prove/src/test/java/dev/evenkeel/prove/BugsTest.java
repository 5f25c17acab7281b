package dev.evenkeel.prove;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each bug in docs/bugs.md names a test that there is. */
class BugsTest {

  private static final Path ROOT = Path.of("..");
  private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");
  private static final Pattern CLASS = Pattern.compile("([A-Z]\\w+)(?:\\.([a-z]\\w+))?");
  private static final Pattern METHOD = Pattern.compile("[a-z]\\w*_\\w+|[a-z]\\w+[A-Z]\\w+");

  /** The sources of all tests, by the name of the class. */
  private static Map<String, String> tests() throws IOException {
    Map<String, String> tests = new HashMap<>();
    try (Stream<Path> files = Files.walk(ROOT)) {
      files
          .filter(file -> file.toString().contains("/src/test/java/"))
          .filter(file -> file.toString().endsWith(".java"))
          .forEach(
              file ->
                  tests.merge(
                      file.getFileName().toString().replace(".java", ""),
                      read(file),
                      String::concat));
    }
    return tests;
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What is wrong with the last column of a row; nothing if it names tests that there are. */
  private static List<String> problems(String shownBy, Map<String, String> tests) {
    List<String> problems = new ArrayList<>();
    String last = "";
    Matcher quoted = QUOTED.matcher(shownBy);
    while (quoted.find()) {
      String name = quoted.group(1);
      Matcher named = CLASS.matcher(name);
      if (named.matches()) {
        last = named.group(1);
        String source = tests.get(last);
        String method = named.group(2);
        if (source == null) {
          problems.add("there is no " + last);
        } else if (method != null && !has(source, method)) {
          problems.add(last + " has no " + method);
        }
      } else if (METHOD.matcher(name).matches()) {
        if (!has(tests.getOrDefault(last, ""), name)) {
          problems.add((last.isEmpty() ? "nothing before it" : last) + " has " + name);
        }
      }
    }
    if (last.isEmpty()) {
      problems.add("no test is named");
    }
    return problems;
  }

  private static boolean has(String source, String method) {
    return source.contains("void " + method + "(");
  }

  private static List<String> rows() {
    return read(ROOT.resolve("docs/bugs.md"))
        .lines()
        .filter(line -> line.startsWith("| "))
        .skip(2)
        .toList();
  }

  @Test
  void eachBug_namesATestThatThereIs() throws IOException {
    Map<String, String> tests = tests();
    List<String> rows = rows();
    assertThat(rows).hasSizeGreaterThan(140);
    Map<String, List<String>> problems = new HashMap<>();
    for (String row : rows) {
      String[] cells = row.split(" \\| ", -1);
      List<String> found = problems(cells[cells.length - 1], tests);
      if (!found.isEmpty()) {
        problems.put(row, found);
      }
    }
    assertThat(problems).isEmpty();
  }

  @Test
  void rowsThatNameNone_areFound() {
    Map<String, String> tests = Map.of("LoopTest", "void a_b() {}");
    assertThat(problems("`LoopTest.a_b`, `LoopTest`, `a_b`, seed 23 |", tests)).isEmpty();
    for (String wrong :
        List.of(
            "none yet |",
            "`bench api` |",
            "`LoopTest.c_d` |",
            "`LoopTest.a_b`, `c_d` |",
            "`RoundTest` |",
            "`a_b` |")) {
      assertThat(problems(wrong, tests)).as(wrong).isNotEmpty();
    }
  }
}
