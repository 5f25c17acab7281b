package dev.evenkeel.prove.bench.api.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class MeterTest {

  private final Meter self = new Meter(List.of(ProcessHandle.current().pid()));

  @Test
  void cpu_growsWithWork() {
    double before = self.cpuSeconds();
    long end = System.nanoTime() + 200_000_000;
    double sum = 0;
    while (System.nanoTime() < end) {
      sum += Math.sin(sum);
    }
    assertThat(sum).isNotNaN();
    assertThat(self.cpuSeconds() - before).isBetween(0.02, 30.0);
  }

  @Test
  void residentBytes_areAtLeastWhatWasTouched() {
    byte[] touched = new byte[64 << 20];
    Arrays.fill(touched, (byte) 1);
    assertThat(self.residentBytes()).isGreaterThan(touched.length);
    assertThat(self.residentPeakBytes()).isGreaterThanOrEqualTo(self.residentBytes() / 2);
  }

  @Test
  void severalProcesses_areAddedUp() {
    long pid = ProcessHandle.current().pid();
    assertThat(new Meter(List.of(pid, pid)).residentBytes())
        .isGreaterThan(1.5 * self.residentBytes());
  }

  @Test
  void unknownProcess_costsWhatIsNotANumber() {
    assertThat(Meter.UNKNOWN.known()).isFalse();
    assertThat(Meter.UNKNOWN.cpuSeconds()).isNaN();
    assertThat(Meter.UNKNOWN.residentBytes()).isNaN();
  }

  @Test
  void liveHeap_isWhatAnotherProcessHolds() throws Exception {
    Process process =
        new ProcessBuilder(
                System.getProperty("java.home") + "/bin/java",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                Holder.class.getName())
            .start();
    try (var said = process.inputReader()) {
      assertThat(said.readLine()).isEqualTo("held");
      assertThat(LiveHeap.bytes(process.pid())).isBetween(64.0 * (1 << 20), 80.0 * (1 << 20));
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  /** Holds 64 MiB and lets go of as much. Another process: a JVM cannot well wait for itself. */
  static final class Holder {

    private Holder() {}

    public static void main(String[] args) throws InterruptedException {
      byte[] held = new byte[64 << 20];
      held = Arrays.copyOf(held, held.length);
      System.out.println("held");
      Thread.sleep(60_000);
      System.out.println(held.length);
    }
  }
}
