package dev.evenkeel.observe.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.env.SimulatedEnv;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BearerTokenTest {

  @Test
  void aFile_isReadAgainAfterAMinute(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("token"), "one\n");
    var env = new SimulatedEnv(1);
    var token = new BearerToken(new Identity.TokenFile(file), env.clock());
    assertThat(token.now()).isEqualTo("one");
    Files.writeString(file, "two");
    env.runFor(Duration.ofSeconds(59));
    assertThat(token.now()).isEqualTo("one");
    env.runFor(Duration.ofSeconds(1));
    assertThat(token.now()).isEqualTo("two");
    Files.delete(file);
    env.runFor(Duration.ofMinutes(2));
    assertThat(token.now()).as("a file that is missing for a moment").isEqualTo("two");
  }
}
