package dev.evenkeel.serve.metrics;

import dev.evenkeel.kernel.metric.Meters;
import dev.evenkeel.kernel.metric.Meters.Values;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * What the operating system and the machine know of this process, under the names that all
 * exporters use. Not all systems tell all of it: what is not known has no value.
 */
final class ProcessMetrics {

  private static final Path STATUS = Path.of("/proc/self/status");
  private static final Path LIMITS = Path.of("/proc/self/limits");
  private static final Path FILES = Path.of("/proc/self/fd");
  private static final double MILLIS = 1_000.0;
  private static final long KIB = 1_024;

  private ProcessMetrics() {}

  static void register(Meters meters) {
    ProcessHandle.Info info = ProcessHandle.current().info();
    meters.counted(
        "process_cpu_seconds_total",
        "CPU time of the process",
        List.of(),
        values ->
            ProcessHandle.current()
                .info()
                .totalCpuDuration()
                .ifPresent(time -> values.is(time.toMillis() / MILLIS)));
    meters.measured(
        "process_start_time_seconds",
        "When the process started, in seconds since 1970",
        List.of(),
        values -> info.startInstant().ifPresent(start -> values.is(start.toEpochMilli() / MILLIS)));
    meters.measured(
        "process_resident_memory_bytes", "Resident memory", List.of(), ofStatus("VmRSS:"));
    meters.measured(
        "process_virtual_memory_bytes", "Virtual memory", List.of(), ofStatus("VmSize:"));
    meters.measured(
        "process_open_fds", "Open files and sockets", List.of(), ProcessMetrics::openFiles);
    meters.measured(
        "process_max_fds",
        "Files and sockets that may be open",
        List.of(),
        ProcessMetrics::filesMax);
    heap(meters);
  }

  private static void heap(Meters meters) {
    Runtime runtime = Runtime.getRuntime();
    meters.measured(
        "evenkeel_heap_used_bytes",
        "Heap in use, garbage included",
        () -> (double) (runtime.totalMemory() - runtime.freeMemory()));
    meters.measured(
        "evenkeel_heap_committed_bytes", "Heap taken", () -> (double) runtime.totalMemory());
    meters.measured("evenkeel_heap_max_bytes", "Heap allowed", () -> (double) runtime.maxMemory());
  }

  private static Consumer<Values> ofStatus(String field) {
    return values ->
        lines(STATUS).stream()
            .filter(line -> line.startsWith(field))
            .forEach(line -> values.is((double) (number(line) * KIB)));
  }

  private static void openFiles(Values values) {
    String[] open = new File(FILES.toString()).list();
    if (open != null) {
      values.is(open.length);
    }
  }

  private static void filesMax(Values values) {
    lines(LIMITS).stream()
        .filter(line -> line.startsWith("Max open files"))
        .map(line -> line.trim().split("\\s+", -1)[3])
        .filter(soft -> soft.chars().allMatch(Character::isDigit))
        .forEach(soft -> values.is(Double.parseDouble(soft)));
  }

  private static long number(String line) {
    return Long.parseLong(line.replaceAll("[^0-9]", ""));
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      // Not Linux: there is no such file.
      return List.of();
    }
  }
}
