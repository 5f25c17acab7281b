package dev.evenkeel.store.testkit.outside;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The processes this JVM started and the folders they write to, so that none outlives it: what a
 * test did not close, a shutdown hook ends. Only our own children are ever touched.
 */
final class ChildProcesses {

  private static final long END_TIMEOUT_MILLIS = 10_000;

  private static final Set<Process> PROCESSES = ConcurrentHashMap.newKeySet();
  private static final Set<Path> FOLDERS = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(ChildProcesses::endAll, "end-children"));
  }

  private ChildProcesses() {}

  /** Starts a process that writes all it says to a file. */
  static Process start(List<String> command, Path log) {
    try {
      var process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .start();
      PROCESSES.add(process);
      process.getOutputStream().close();
      return process;
    } catch (IOException e) {
      throw new UncheckedIOException("could not start " + command, e);
    }
  }

  /** A new folder that goes away with {@link #delete}, or with the JVM. */
  static Path temporaryFolder(String name) {
    try {
      var folder = Files.createTempDirectory("evenkeel-" + name + "-");
      FOLDERS.add(folder);
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** SIGKILL, and waits until it is gone. */
  static void kill(Process process) {
    process.destroyForcibly();
    if (!awaitEnd(process)) {
      throw new IllegalStateException("process " + process.pid() + " does not die");
    }
    PROCESSES.remove(process);
  }

  /** SIGTERM, and SIGKILL if that does not help in time. */
  static void stop(Process process) {
    process.destroy();
    if (!awaitEnd(process)) {
      kill(process);
    }
    PROCESSES.remove(process);
  }

  static void delete(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (NoSuchFileException e) {
      // Gone already, which is what was asked for.
    } catch (IOException e) {
      throw new UncheckedIOException("could not delete " + folder, e);
    }
    FOLDERS.remove(folder);
  }

  private static boolean awaitEnd(Process process) {
    try {
      return process.waitFor(END_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return !process.isAlive();
    }
  }

  private static void endAll() {
    PROCESSES.forEach(Process::destroyForcibly);
    PROCESSES.forEach(ChildProcesses::awaitEnd);
    for (Path folder : FOLDERS) {
      try {
        delete(folder);
      } catch (UncheckedIOException e) {
        System.err.println(e.getMessage());
      }
    }
  }
}
