package dev.evenkeel.prove.bench.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The whole command, small, on a server that it starts and starts again. */
@Tag("slow")
class ApiBenchIT {

  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return new CommandLine(new ApiBench())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(arguments);
  }

  @Test
  void ownServer_isMeasuredInEveryPhase() throws Exception {
    int exitCode =
        run(
            "--folder",
            folder.toString(),
            "--seconds",
            "0.5",
            "--clients",
            "8",
            "--sizes",
            "300",
            "--watchers",
            "100",
            "--watch-connections",
            "2",
            "--idle-watchers",
            "200",
            "--objects",
            "500",
            "--big-lists",
            "4",
            "--big-list-megabytes",
            "2",
            "--kinds",
            "30",
            "--starts",
            "1");
    assertThat(err.toString()).isEmpty();
    assertThat(out.toString())
        .doesNotContain("errors in")
        .contains("| ready after, s", "live heap bytes a watch", "evenkeel_heap_used_bytes")
        .contains("kinds: live heap KB a kind", "kinds, deleted: seconds until discovery has none");
    assertThat(exitCode).isZero();
    // Nothing stays behind.
    try (var left = Files.list(folder)) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void ownServer_thatDoesNotStartIsSaidWithItsWords() {
    int exitCode = run("--folder", folder.toString(), "--store", "nowhere");
    assertThat(exitCode).isEqualTo(1);
    assertThat(err.toString()).startsWith("api: the server did not start").contains("nowhere");
  }
}
