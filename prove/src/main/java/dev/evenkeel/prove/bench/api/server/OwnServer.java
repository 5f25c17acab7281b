package dev.evenkeel.prove.bench.api.server;

import dev.evenkeel.prove.bench.api.wire.Connection;
import dev.evenkeel.prove.bench.api.wire.KubeconfigTarget;
import dev.evenkeel.prove.bench.api.wire.Protocol;
import dev.evenkeel.prove.bench.api.wire.Receiver;
import dev.evenkeel.prove.bench.api.wire.Request;
import dev.evenkeel.prove.bench.api.wire.Target;
import dev.evenkeel.prove.bench.api.wire.Transport;
import dev.evenkeel.prove.bench.api.wire.UnmeasurableException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A server of our own in a process of its own, started as users start it: by the launcher, if that
 * started us too, or else with this JVM's program, class path and flags. It can be stopped and
 * started again on the same data.
 *
 * <p>Threading: for one caller.
 */
public final class OwnServer implements AutoCloseable {

  /** Where the launcher is, if it started this process. */
  private static final String LAUNCHER_PROPERTY = "evenkeel.launcher";

  /** Further flags for a JVM that the launcher starts. */
  private static final String JAVA_OPTIONS = "EVENKEEL_JAVA_OPTS";

  private static final Duration READY_MAX = Duration.ofSeconds(60);
  private static final Duration STOP_MAX = Duration.ofSeconds(20);
  private static final int POLL_MILLIS = 4;

  private final Path folder;
  private final String store;
  private final List<String> extraJvmArguments;
  private boolean controllers = true;
  private @Nullable Process process;
  private @Nullable Target target;

  public OwnServer(Path folder, String store, List<String> extraJvmArguments) {
    this.folder = folder;
    this.store = store;
    this.extraJvmArguments = List.copyOf(extraJvmArguments);
  }

  /**
   * Has it serve only: nothing touches what a load has stored, such as pods of owners that never
   * were.
   */
  public OwnServer withoutControllers() {
    controllers = false;
    return this;
  }

  /**
   * Starts it and waits until it is ready.
   *
   * @return how many seconds that took, from the start of the process
   */
  public double start() throws IOException, InterruptedException {
    Files.deleteIfExists(kubeconfig());
    long start = System.nanoTime();
    ProcessBuilder builder =
        new ProcessBuilder(command())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()));
    builder.environment().put(JAVA_OPTIONS, String.join(" ", extraJvmArguments));
    process = builder.start();
    // If this process is ended, that one must not stay behind.
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
    target = awaitKubeconfig(start);
    awaitReady(target, start);
    return (System.nanoTime() - start) / 1e9;
  }

  private List<String> command() {
    var words = new ArrayList<String>();
    if (launcher() != null) {
      words.add(launcher());
    } else {
      words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      words.addAll(jvmArguments());
      words.add("-cp");
      words.add(System.getProperty("java.class.path"));
      words.add("dev.evenkeel.operate.Main");
    }
    words.addAll(List.of("up", "--store", store, "--listen", "127.0.0.1:0"));
    if (!controllers) {
      words.add("--no-controllers");
    }
    words.addAll(List.of("--data", folder.resolve("data").toString()));
    words.addAll(List.of("--kubeconfig", kubeconfig().toString()));
    return words;
  }

  private static @Nullable String launcher() {
    return System.getProperty(LAUNCHER_PROPERTY);
  }

  /** How it is started, for a report's head. */
  public String description() {
    String how =
        launcher() == null ? "by java " + String.join(" ", jvmArguments()) : "by evenkeel up";
    return launcher() == null || extraJvmArguments.isEmpty()
        ? how
        : how + " with " + String.join(" ", extraJvmArguments);
  }

  /** This JVM's own, but for what would have both write one file. */
  private List<String> jvmArguments() {
    var arguments = new ArrayList<String>();
    for (String argument : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      boolean ofThisProcess =
          argument.startsWith("-agent")
              || argument.startsWith("-javaagent")
              || argument.startsWith("-XX:StartFlightRecording")
              || argument.startsWith("-XX:AOTCacheOutput")
              || argument.startsWith("-Xlog");
      if (!ofThisProcess) {
        arguments.add(argument);
      }
    }
    arguments.addAll(extraJvmArguments);
    return arguments;
  }

  private Path kubeconfig() {
    return folder.resolve("kubeconfig");
  }

  private Path log() {
    return folder.resolve("server.log");
  }

  private Target awaitKubeconfig(long start) throws IOException, InterruptedException {
    while (true) {
      if (Files.exists(kubeconfig()) && Files.size(kubeconfig()) > 0) {
        try {
          return KubeconfigTarget.target(kubeconfig());
        } catch (RuntimeException e) {
          // Perhaps it is being written; if not, the time runs out.
        }
      }
      pause(start, "it wrote no kubeconfig");
    }
  }

  private void awaitReady(Target where, long start) throws IOException, InterruptedException {
    try (var transport = new Transport(where, 1)) {
      while (true) {
        try {
          Connection connection = transport.connect(Protocol.HTTP_1).join();
          while (status(connection) != 200) {
            pause(start, "it was not ready");
          }
          return;
        } catch (CompletionException e) {
          pause(start, "it could not be reached: " + e.getCause());
        }
      }
    }
  }

  private static int status(Connection connection) {
    var status = new CompletableFuture<Integer>();
    connection
        .loop()
        .execute(
            () ->
                connection.send(
                    Request.get("/readyz"),
                    new Receiver() {
                      private int seen;

                      @Override
                      public void head(int code) {
                        seen = code;
                      }

                      @Override
                      public void bytes(byte[] bytes, int from, int to) {}

                      @Override
                      public void end() {
                        status.complete(seen);
                      }

                      @Override
                      public void failed(String kind) {
                        status.completeExceptionally(new IllegalStateException(kind));
                      }
                    }));
    return status.orTimeout(10, TimeUnit.SECONDS).join();
  }

  private void pause(long start, String otherwise) throws IOException, InterruptedException {
    boolean late = System.nanoTime() - start > READY_MAX.toNanos();
    if (late || !process().isAlive()) {
      String why = late ? otherwise : "it ended with " + process().exitValue();
      throw new UnmeasurableException("the server did not start: " + why + "; it said: " + said());
    }
    Thread.sleep(POLL_MILLIS);
  }

  private String said() throws IOException {
    String text = Files.readString(log(), StandardCharsets.UTF_8);
    return text.substring(Math.max(0, text.length() - 2000)).strip();
  }

  private Process process() {
    if (process == null) {
      throw new IllegalStateException("the server was not started");
    }
    return process;
  }

  public Target target() {
    if (target == null) {
      throw new IllegalStateException("the server was not started");
    }
    return target;
  }

  public long pid() {
    return process().pid();
  }

  /** How a server ended. */
  public record Stop(double seconds, int exitCode) {}

  /** Asks it to end and waits until it has. */
  public Stop stop() throws InterruptedException {
    long start = System.nanoTime();
    process().destroy();
    if (!process().waitFor(STOP_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
      process().destroyForcibly().waitFor();
    }
    return new Stop((System.nanoTime() - start) / 1e9, process().exitValue());
  }

  @Override
  public void close() throws InterruptedException {
    if (process != null && process.isAlive()) {
      var _ = stop();
    }
  }
}
