package dev.evenkeel.prove.clients;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs {@code kubectl} with a home folder of its own, so that it keeps nothing between tests. */
final class Kubectl {

  private static final int SECONDS_MAX = 60;

  private final Path home;
  private final Path kubeconfig;
  private int runs;

  Kubectl(Path home, Path kubeconfig) {
    this.home = home;
    this.kubeconfig = kubeconfig;
  }

  /** How a run ended. */
  record Result(int code, String out, String err) {}

  Result run(String... arguments) {
    return runWith("", arguments);
  }

  /** Runs it with that to read from its input. */
  Result runWith(String input, String... arguments) {
    try {
      Path files = Files.createDirectory(home.resolve("run" + runs++));
      Path in = Files.writeString(files.resolve("in"), input);
      Path out = files.resolve("out");
      Path err = files.resolve("err");
      List<String> command = new ArrayList<>(List.of("kubectl"));
      command.addAll(List.of(arguments));
      var builder =
          new ProcessBuilder(command)
              .redirectInput(in.toFile())
              .redirectOutput(out.toFile())
              .redirectError(err.toFile());
      builder.environment().put("HOME", home.toString());
      builder.environment().put("KUBECONFIG", kubeconfig.toString());
      Process process = builder.start();
      if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError("kubectl did not end: " + command);
      }
      return new Result(process.exitValue(), text(out), text(err));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  private static String text(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.UTF_8);
  }
}
