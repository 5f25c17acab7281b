package dev.evenkeel.prove.clients;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs {@code kubectl} with a home folder of its own, so that it keeps nothing between tests. */
final class Kubectl {

  private static final int SECONDS_MAX = 60;

  private final Path home;
  private final Path kubeconfig;
  private final Map<String, String> environment;
  private int runs;

  Kubectl(Path home, Path kubeconfig) {
    this(home, kubeconfig, Map.of());
  }

  /**
   * @param environment variables that its runs see
   */
  Kubectl(Path home, Path kubeconfig, Map<String, String> environment) {
    this.home = home;
    this.kubeconfig = kubeconfig;
    this.environment = environment;
  }

  /** How a run ended. */
  record Result(int code, String out, String err) {}

  Result run(String... arguments) {
    return runWith("", arguments);
  }

  /** Runs it and expects that it succeeds. */
  String ok(String... arguments) {
    return okWith("", arguments);
  }

  String okWith(String input, String... arguments) {
    Result result = runWith(input, arguments);
    if (result.code != 0) {
      throw new AssertionError(
          "kubectl "
              + String.join(" ", arguments)
              + " ended with "
              + result.code
              + ": "
              + result.err);
    }
    return result.out;
  }

  /** Runs it with that to read from its input. */
  Result runWith(String input, String... arguments) {
    try (Running running = startWith(input, arguments)) {
      return running.await();
    }
  }

  /** Starts it; it goes on until it ends or is closed. */
  Running start(String... arguments) {
    return startWith("", arguments);
  }

  private Running startWith(String input, String... arguments) {
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
      builder.environment().putAll(environment);
      return new Running(command, builder.start(), out, err);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A run that may not have ended. */
  record Running(List<String> command, Process process, Path outFile, Path errFile)
      implements AutoCloseable {

    /** What it has written so far. */
    String out() {
      return text(outFile);
    }

    Result await() {
      try {
        if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
          throw new AssertionError("kubectl did not end: " + command);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError("interrupted", e);
      }
      return new Result(process.exitValue(), text(outFile), text(errFile));
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
