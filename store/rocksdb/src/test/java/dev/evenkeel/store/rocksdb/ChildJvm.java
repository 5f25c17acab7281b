package dev.evenkeel.store.rocksdb;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts a main class of these tests in a JVM of its own, small and quick to start. */
final class ChildJvm {

  private ChildJvm() {}

  /**
   * The new process. To kill it, use its handle: the process object would close what it still says.
   */
  static Process start(Class<?> main, String... arguments) {
    return start(List.of(), main, arguments);
  }

  /**
   * The same, with more options for the JVM.
   *
   * @param options those that come later win over those that every one has
   */
  static Process start(List<String> options, Class<?> main, String... arguments) {
    var command =
        new ArrayList<String>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "--enable-native-access=ALL-UNNAMED",
                "-Djava.library.path=" + System.getProperty("java.library.path"),
                "-cp",
                System.getProperty("java.class.path", ".")));
    command.addAll(options);
    command.add(main.getName());
    command.addAll(List.of(arguments));
    try {
      return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    } catch (IOException e) {
      throw new UncheckedIOException("could not start " + main.getName(), e);
    }
  }
}
