package dev.evenkeel.prove.bench.api.server;

import dev.evenkeel.prove.bench.api.wire.UnmeasurableException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What processes of this machine cost, as the system's {@code /proc} tells. Several are added up: a
 * server may keep its data in a process of its own.
 */
public record Meter(List<Long> pids) {

  /** Linux counts time in ticks, on all machines of our day a hundred a second. */
  private static final double TICKS_PER_SECOND = 100;

  private static final int FIELD_USER_TICKS = 11;
  private static final int FIELD_SYSTEM_TICKS = 12;

  public static final Meter UNKNOWN = new Meter(List.of());

  public Meter {
    pids = List.copyOf(pids);
  }

  /** Whether there is anything to read. */
  public boolean known() {
    return !pids.isEmpty();
  }

  /** CPU time so far; not a number if unknown. */
  public double cpuSeconds() {
    double ticks = 0;
    for (long pid : pids) {
      String stat = read(pid, "stat");
      // The program's name comes second, in parentheses, and may contain anything.
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      ticks += Double.parseDouble(fields[FIELD_USER_TICKS]);
      ticks += Double.parseDouble(fields[FIELD_SYSTEM_TICKS]);
    }
    return known() ? ticks / TICKS_PER_SECOND : Double.NaN;
  }

  /** Memory resident now; not a number if unknown. */
  public double residentBytes() {
    return status("VmRSS:");
  }

  /** The most memory that was resident since the start or the last reset. */
  public double residentPeakBytes() {
    return status("VmHWM:");
  }

  /** Makes the peak begin anew, if the system lets us. */
  public void resetPeak() {
    for (long pid : pids) {
      try {
        Files.writeString(Path.of("/proc/" + pid + "/clear_refs"), "5");
      } catch (IOException e) {
        // Then the peak is of the whole life, and the caller's own samples must do.
      }
    }
  }

  private double status(String field) {
    double kibibytes = 0;
    for (long pid : pids) {
      kibibytes +=
          read(pid, "status")
              .lines()
              .filter(line -> line.startsWith(field))
              .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
              .sum();
    }
    return known() ? kibibytes * 1024 : Double.NaN;
  }

  private static String read(long pid, String file) {
    try {
      return Files.readString(Path.of("/proc/" + pid + "/" + file), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new UnmeasurableException("the server's process " + pid + " is gone", e);
    }
  }
}
