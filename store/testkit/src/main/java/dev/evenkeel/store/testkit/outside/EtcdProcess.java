package dev.evenkeel.store.testkit.outside;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A real etcd on loopback with a data folder of its own, that can be killed, paused and started
 * again on the same ports and data. Closing it ends the process and deletes the folder.
 *
 * <p><b>Invariants.</b> Ports and folder stay the same for life; at most one process runs on them.
 *
 * <p><b>Threading.</b> Any thread may call, one at a time gets in.
 */
public final class EtcdProcess implements AutoCloseable {

  private static final int START_ATTEMPTS_MAX = 5;
  private static final long READY_TIMEOUT_MILLIS = 60_000;
  private static final long POLL_MILLIS = 20;
  private static final long COMMAND_TIMEOUT_SECONDS = 60;
  private static final int LOG_TAIL_LINES = 15;

  private final String name;
  private final int clientPort;
  private final int peerPort;
  private final String initialCluster;
  private final EtcdOptions options;
  private final Path folder;
  private @Nullable Process process;
  private boolean paused;

  EtcdProcess(
      String name, int clientPort, int peerPort, String initialCluster, EtcdOptions options) {
    this.name = name;
    this.clientPort = clientPort;
    this.peerPort = peerPort;
    this.initialCluster = initialCluster;
    this.options = options;
    this.folder = ChildProcesses.temporaryFolder("etcd-" + name);
  }

  /** Starts an empty etcd and waits until it serves. */
  public static EtcdProcess start() {
    return start(EtcdOptions.DEFAULTS);
  }

  /** Starts an empty etcd and waits until it serves. */
  public static EtcdProcess start(EtcdOptions options) {
    return start(options, null);
  }

  /** Starts an etcd with the data of a snapshot that {@code etcdctl} can read. */
  public static EtcdProcess startFromSnapshot(Path snapshotFile, EtcdOptions options) {
    return start(options, snapshotFile);
  }

  private static EtcdProcess start(EtcdOptions options, @Nullable Path snapshotFile) {
    for (int attempt = 1; ; attempt++) {
      List<Integer> ports = LoopbackPorts.free(2);
      var etcd =
          new EtcdProcess(
              "single", ports.get(0), ports.get(1), "single=" + url(ports.get(1)), options);
      try {
        if (snapshotFile != null) {
          etcd.restoreData(snapshotFile);
        }
        etcd.launch();
        etcd.awaitReady();
        return etcd;
      } catch (IllegalStateException e) {
        // Somebody else may have taken a port between the choice and the start: choose again.
        boolean portTaken = etcd.logTail().contains("address already in use");
        etcd.close();
        if (!portTaken || attempt == START_ATTEMPTS_MAX) {
          throw e;
        }
      }
    }
  }

  /** Where clients connect, as a URL. */
  public String endpoint() {
    return url(clientPort);
  }

  public String name() {
    return name;
  }

  /** All that etcd has logged, over restarts. */
  public Path logFile() {
    return folder.resolve("etcd.log");
  }

  public Path dataFolder() {
    return folder.resolve("data");
  }

  public synchronized boolean isRunning() {
    return process != null && process.isAlive();
  }

  /** CPU time the running process has spent; zero if it is down. */
  public synchronized Duration cpu() {
    return process == null
        ? Duration.ZERO
        : process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /** What the member says of itself; empty if it is down or paused. */
  public Optional<EtcdStatus> status() {
    return EtcdStatus.ask(endpoint());
  }

  /** SIGKILL: gone at once, without a chance to finish anything. */
  public synchronized void kill() {
    if (process != null) {
      ChildProcesses.kill(process);
      process = null;
      paused = false;
    }
  }

  /** SIGTERM: an orderly end. */
  public synchronized void stop() {
    if (process != null) {
      resume();
      ChildProcesses.stop(process);
      process = null;
    }
  }

  /** SIGSTOP: it holds its connections and answers nothing, like a machine that hangs. */
  public synchronized void pause() {
    signal("STOP");
    paused = true;
  }

  /** SIGCONT: the end of a pause. */
  public synchronized void resume() {
    if (paused) {
      signal("CONT");
      paused = false;
    }
  }

  /**
   * Starts it again on its ports and data, after an orderly end if it runs; waits until it serves.
   */
  public synchronized void restart() {
    stop();
    launch();
    awaitReady();
  }

  /**
   * Starts the process and does not wait: for a member that cannot serve before others are there.
   */
  public synchronized void launch() {
    if (process != null && process.isAlive()) {
      throw new IllegalStateException("etcd " + name + " is running already");
    }
    var command = new ArrayList<String>();
    command.add("etcd");
    command.add("--name=" + name);
    command.add("--data-dir=" + dataFolder());
    command.add("--listen-client-urls=" + url(clientPort));
    command.add("--advertise-client-urls=" + url(clientPort));
    command.add("--listen-peer-urls=" + url(peerPort));
    command.add("--initial-advertise-peer-urls=" + url(peerPort));
    command.add("--initial-cluster=" + initialCluster);
    command.add("--initial-cluster-state=new");
    command.add("--logger=zap");
    command.add("--log-outputs=stderr");
    command.addAll(options.arguments());
    process = ChildProcesses.start(command, logFile());
  }

  /** Waits until the member serves and knows a leader. */
  public void awaitReady() {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(READY_TIMEOUT_MILLIS);
    while (status().filter(EtcdStatus::knowsLeader).isEmpty()) {
      if (!isRunning()) {
        throw new IllegalStateException("etcd " + name + " ended by itself:\n" + logTail());
      }
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(
            "etcd "
                + name
                + " does not serve after "
                + READY_TIMEOUT_MILLIS
                + " ms:\n"
                + logTail());
      }
      Waiting.millis(POLL_MILLIS);
    }
  }

  /**
   * Runs {@code etcdctl} on this member and returns what it printed.
   *
   * @throws IllegalStateException with its output if it fails
   */
  public String etcdctl(String... arguments) {
    var command = new ArrayList<>(List.of("etcdctl", "--endpoints=" + endpoint()));
    command.addAll(List.of(arguments));
    return run(command);
  }

  @Override
  public synchronized void close() {
    kill();
    ChildProcesses.delete(folder);
  }

  private void restoreData(Path snapshotFile) {
    run(
        List.of(
            "etcdctl",
            "snapshot",
            "restore",
            snapshotFile.toString(),
            "--data-dir=" + dataFolder(),
            "--name=" + name,
            "--initial-cluster=" + initialCluster,
            "--initial-advertise-peer-urls=" + url(peerPort)));
  }

  private void signal(String signal) {
    if (process == null) {
      throw new IllegalStateException("etcd " + name + " is not running");
    }
    // The shell's own kill: there is always a shell, and not always a program of that name.
    run(List.of("sh", "-c", "kill -" + signal + " " + process.pid()));
  }

  private String run(List<String> command) {
    Path output = folder.resolve("command.out");
    try {
      var builder = new ProcessBuilder(command).redirectErrorStream(true);
      builder.environment().put("ETCDCTL_API", "3");
      var child = builder.redirectOutput(output.toFile()).start();
      if (!child.waitFor(COMMAND_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
        child.destroyForcibly();
        throw new IllegalStateException(command + " does not end");
      }
      String said = Files.readString(output, StandardCharsets.UTF_8);
      if (child.exitValue() != 0) {
        throw new IllegalStateException(command + " failed: " + said);
      }
      return said;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while running " + command, e);
    }
  }

  private String logTail() {
    try {
      List<String> lines = Files.readAllLines(logFile(), StandardCharsets.UTF_8);
      return String.join(
          "\n", lines.subList(Math.max(0, lines.size() - LOG_TAIL_LINES), lines.size()));
    } catch (IOException e) {
      return "no log: " + e;
    }
  }

  static String url(int port) {
    return "http://127.0.0.1:" + port;
  }
}
