package dev.evenkeel.prove;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A violation of an invariant fails the test during which it happens, in each module. */
class InvariantsEverywhereTest {

  private static final Path ROOT = Path.of("..");
  private static final Pattern MODULE = Pattern.compile("<module>(.+)</module>");

  @Test
  void eachModule_hasItsTestsFailByViolations() throws IOException {
    Matcher module = MODULE.matcher(Files.readString(ROOT.resolve("pom.xml")));
    List<String> without = new ArrayList<>();
    while (module.find()) {
      String pom = Files.readString(ROOT.resolve(module.group(1)).resolve("pom.xml"));
      if (!pom.contains("<artifactId>evenkeel-testing-invariants</artifactId>")) {
        without.add(module.group(1));
      }
    }
    assertThat(without).isEmpty();
  }
}
