package dev.evenkeel.operate.up;

import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.env.RealEnv;
import dev.evenkeel.operate.kubeconfig.KubeconfigFile;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;

/** Starts a server and stays until it is told to stop. */
public final class Up {

  /** When the launcher was called, in seconds since 1970; without it, when the JVM began. */
  static final String STARTED_PROPERTY = "evenkeel.started";

  private final UpSettings settings;
  private final PrintWriter out;

  private Up(UpSettings settings, PrintWriter out) {
    this.settings = settings;
    this.out = out;
  }

  /**
   * Returns when the server has stopped.
   *
   * @return the exit code
   */
  public static int run(UpSettings settings, PrintWriter out) throws InterruptedException {
    return new Up(settings, out).run();
  }

  private int run() throws InterruptedException {
    var end = new CountDownLatch(1);
    Env env = new RealEnv();
    StoreChoice choice = settings.choice();
    try (Server server = Server.open(env, settings);
        var _ = HeapKeeper.start(env, server::cachedBytes)) {
      String url = settings.listen().url(server.port());
      Path file = settings.kubeconfigFile();
      boolean current = KubeconfigFile.write(file, url, server.credentials());
      // Only now: it takes a while, and whoever ends a start half way loses nothing.
      Signals.onEnd(end::countDown);
      say(choice, server.revision(), url, file, current, env);
      if (settings.controllers()) {
        server.control(env, settings, this::tell);
      }
      if (settings.rehearse()) {
        Rehearsal.run(file);
      } else {
        end.await();
      }
    }
    return 0;
  }

  private void say(
      StoreChoice choice, long revision, String url, Path file, boolean current, Env env) {
    out.println("store      " + choice.description() + " · revision " + revision);
    out.println("api        " + url + " · ready in " + seconds(env.clock().now()) + " s");
    out.println();
    out.println("next       export KUBECONFIG=" + Home.shorten(file));
    out.println("           kubectl " + (current ? "" : "--context evenkeel ") + "get namespaces");
    out.flush();
  }

  private void tell(String line) {
    out.println(line);
    out.flush();
  }

  private static String seconds(Instant now) {
    long millis = Math.max(0, Duration.between(started(now), now).toMillis());
    return String.format(Locale.ROOT, "%.1f", millis / 1000.0);
  }

  private static Instant started(Instant now) {
    String given = System.getProperty(STARTED_PROPERTY, "");
    if (!given.isEmpty()) {
      try {
        // The shell writes the decimal sign of its locale.
        return Instant.ofEpochMilli((long) (Double.parseDouble(given.replace(',', '.')) * 1000));
      } catch (NumberFormatException e) {
        // Then the process says it, a little later.
      }
    }
    return ProcessHandle.current().info().startInstant().orElse(now);
  }
}
