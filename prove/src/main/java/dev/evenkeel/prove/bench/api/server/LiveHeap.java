package dev.evenkeel.prove.bench.api.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How many bytes of objects are alive in another JVM. What is resident says little of that: a heap
 * that has grown once stays grown.
 */
public final class LiveHeap {

  private static final Pattern TOTAL = Pattern.compile("(?m)^Total\\s+\\d+\\s+(\\d+)");

  private LiveHeap() {}

  /** Collects the garbage there and counts what is left; not a number if that cannot be done. */
  public static double bytes(long pid) throws InterruptedException {
    Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    try {
      Process process =
          new ProcessBuilder(List.of(jcmd.toString(), Long.toString(pid), "GC.class_histogram"))
              .redirectErrorStream(true)
              .start();
      String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      var _ = process.waitFor();
      Matcher total = TOTAL.matcher(text);
      return total.find() ? Double.parseDouble(total.group(1)) : Double.NaN;
    } catch (IOException e) {
      return Double.NaN;
    }
  }
}
