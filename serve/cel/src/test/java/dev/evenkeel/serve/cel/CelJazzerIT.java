package dev.evenkeel.serve.cel;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.Jazzer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Lets Jazzer look for inputs that reach new code and break what {@link CelFuzzTarget} says, a
 * fixed number of runs with a fixed seed. For more:
 *
 * <pre>{@code
 * mvn -pl serve/cel -am test -Dtest=CelJazzerIT -Djazzer.runs=5000000 -Djazzer.seed=7 \
 *     -Dtest.module.seconds.max=0
 * }</pre>
 *
 * <p>An input that fails goes into expressions.txt when it is mended.
 *
 * <p>It is not run through Jazzer's annotations for JUnit, though those work: they run one target a
 * JVM only, choose their own seed, rewrite the classes of all other tests in that JVM, and keep
 * what they find among the sources. A JVM of its own does none of that.
 */
@Tag("slow")
class CelJazzerIT {

  private static final long RUNS = Long.getLong("jazzer.runs", 5_000);
  private static final long SEED = Long.getLong("jazzer.seed", 1);

  /** Enough for a hundred runs a second, and for the start on a busy machine. */
  private static final long SECONDS_MAX = 300 + RUNS / 100;

  @Test
  void jazzer_findsNothing(@TempDir Path folder) throws IOException, InterruptedException {
    Path corpus = Files.createDirectory(folder.resolve("corpus"));
    writeSeeds(corpus);
    Path log = folder.resolve("log");
    Process jazzer = start(folder, corpus, log);
    try {
      assertThat(jazzer.waitFor(SECONDS_MAX, TimeUnit.SECONDS)).as("comes to an end").isTrue();
    } finally {
      jazzer.destroyForcibly();
    }
    assertThat(jazzer.exitValue()).as("%s%nfailing input: %s", tail(log), found(folder)).isZero();
    assertThat(tail(log)).contains("Done " + RUNS + " runs");
  }

  private static void writeSeeds(Path corpus) throws IOException {
    for (ExpressionTest.Row row : ExpressionTest.rows()) {
      Files.writeString(corpus.resolve("line-" + row.line()), row.expression());
    }
  }

  private static Process start(Path folder, Path corpus, Path log) throws IOException {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx1g",
            "-XX:+EnableDynamicAgentLoading",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-cp",
            System.getProperty("java.class.path", "."),
            Jazzer.class.getName(),
            "--target_class=" + CelFuzzTarget.class.getName(),
            "--instrumentation_includes=dev.evenkeel.serve.cel.**:dev.cel.**:com.google.re2j.**",
            "--reproducer_path=" + folder,
            "-artifact_prefix=" + folder + "/",
            "-runs=" + RUNS,
            "-seed=" + SEED,
            "-timeout=120",
            corpus.toString());
    return new ProcessBuilder(command)
        .directory(folder.toFile())
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start();
  }

  private static String tail(Path log) throws IOException {
    try (Stream<String> lines = Files.lines(log)) {
      List<String> interesting =
          lines.filter(line -> !line.startsWith("#") && !line.startsWith("INFO")).toList();
      return String.join(
          "\n", interesting.subList(Math.max(0, interesting.size() - 60), interesting.size()));
    }
  }

  private static String found(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      Path crash =
          files
              .filter(file -> file.getFileName().toString().matches("(crash|timeout)-.*"))
              .findFirst()
              .orElse(null);
      return crash == null ? "none" : HexFormat.of().formatHex(Files.readAllBytes(crash));
    }
  }
}
