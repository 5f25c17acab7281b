package dev.evenkeel.serve;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** What the operating system knows of this process, under the names that all exporters use. */
final class ProcessFigures {

  private static final Path STATUS = Path.of("/proc/self/status");
  private static final double MILLIS = 1_000.0;
  private static final long KIB = 1_024;

  private ProcessFigures() {}

  /** Writes what this system tells: not all of them tell all of it. */
  static void write(StringBuilder page) {
    ProcessHandle.Info info = ProcessHandle.current().info();
    info.totalCpuDuration()
        .map(Duration::toMillis)
        .ifPresent(
            millis ->
                one(
                    page,
                    "process_cpu_seconds_total",
                    "counter",
                    "CPU time of the process",
                    millis / MILLIS));
    info.startInstant()
        .ifPresent(
            start ->
                one(
                    page,
                    "process_start_time_seconds",
                    "gauge",
                    "When the process started, in seconds since 1970",
                    start.toEpochMilli() / MILLIS));
    try {
      for (String line : Files.readAllLines(STATUS)) {
        if (line.startsWith("VmRSS:")) {
          long kib = Long.parseLong(line.replaceAll("[^0-9]", ""));
          one(
              page,
              "process_resident_memory_bytes",
              "gauge",
              "Resident memory",
              (double) (kib * KIB));
        }
      }
    } catch (IOException e) {
      // Not Linux: there is no such file, and the metric is left out.
    }
  }

  private static void one(StringBuilder page, String name, String type, String help, double value) {
    page.append("# HELP ").append(name).append(' ').append(help).append('\n');
    page.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    page.append(name).append(' ').append(value).append('\n');
  }
}
