package dev.evenkeel.operate.up;

import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.env.RealEnv;
import dev.evenkeel.operate.kubeconfig.KubeconfigFile;
import dev.evenkeel.store.rocksdb.Durability;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Starts a server and stays until it is told to stop. */
@Command(
    name = "up",
    description = {
      "Start an API server on this machine, and stay until Ctrl-C or SIGTERM.",
      "The first start makes its certificates and a kubeconfig for kubectl."
    })
public final class UpCommand implements Callable<Integer> {

  /** When the launcher was called, in seconds since 1970; without it, when the JVM began. */
  static final String STARTED_PROPERTY = "evenkeel.started";

  @Spec private CommandSpec spec;

  @Option(
      names = "--store",
      paramLabel = "STORE",
      defaultValue = "embedded",
      converter = StoreChoice.Word.Converter.class,
      description = "What holds the state: embedded (default), memory, or etcd://HOST:PORT,…")
  private StoreChoice.Word store = new StoreChoice.Word.Named("embedded");

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      defaultValue = "127.0.0.1:6443",
      converter = ListenAddress.Converter.class,
      description = "Where to listen (default 127.0.0.1:6443); port 0 picks one.")
  private ListenAddress listen = new ListenAddress("127.0.0.1", 6443);

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "The folder of everything that is kept (default ~/.evenkeel).")
  private @Nullable Path data;

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description = "Where to write the kubeconfig (default DIR/kubeconfig).")
  private @Nullable Path kubeconfig;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      defaultValue = "0",
      description = "How many local agents to start. There are none yet.")
  private int nodes;

  @Option(
      names = "--durability",
      paramLabel = "MODE",
      description =
          "What the embedded store's writes survive: sync (default, a power cut), or os (the end of"
              + " the process).")
  private @Nullable Durability durability;

  @Option(
      names = "--accept-loss",
      description = "Open an embedded store that has lost writes, and go on without them.")
  private boolean acceptLoss;

  @Option(
      names = "--rehearse",
      hidden = true,
      description = "Start, be used a little, and stop: for the launcher, which records it.")
  private boolean rehearse;

  @Override
  public Integer call() throws InterruptedException {
    if (nodes < 0) {
      throw new ParameterException(spec.commandLine(), "--nodes must be 0 or more, not " + nodes);
    }
    Path folder = data == null ? Home.path().resolve(".evenkeel") : data;
    StoreChoice choice = choice(folder);
    var end = new CountDownLatch(1);
    Signals.onEnd(end::countDown);
    Env env = new RealEnv();
    try (Server server = Server.open(env, choice, folder, listen);
        var _ = HeapKeeper.start(env)) {
      String url = listen.url(server.port());
      Path file = kubeconfig == null ? folder.resolve("kubeconfig") : kubeconfig;
      boolean current = KubeconfigFile.write(file, url, server.credentials());
      say(choice, server.revision(), url, file, current, env);
      if (rehearse) {
        Rehearsal.run(file);
      } else {
        end.await();
      }
    }
    return 0;
  }

  private StoreChoice choice(Path folder) {
    boolean embedded = store instanceof StoreChoice.Word.Named(var name) && name.equals("embedded");
    if (!embedded && (durability != null || acceptLoss)) {
      throw new ParameterException(
          spec.commandLine(), "--durability and --accept-loss are for the embedded store");
    }
    return switch (store) {
      case StoreChoice.Word.Address(var options) -> new StoreChoice.Etcd(options);
      case StoreChoice.Word.Named _ when embedded ->
          new StoreChoice.Embedded(
              folder.resolve("data"),
              durability == null ? Durability.SYNC : durability,
              acceptLoss);
      case StoreChoice.Word.Named _ -> new StoreChoice.Memory();
    };
  }

  private void say(
      StoreChoice choice, long revision, String url, Path file, boolean current, Env env) {
    PrintWriter out = spec.commandLine().getOut();
    out.println("store      " + choice.description() + " · revision " + revision);
    out.println("api        " + url + " · ready in " + seconds(env.clock().now()) + " s");
    if (nodes > 0) {
      out.println("nodes      none: local agents do not exist yet, --nodes has no effect");
    }
    out.println();
    out.println("next       export KUBECONFIG=" + Home.shorten(file));
    out.println("           kubectl " + (current ? "" : "--context evenkeel ") + "get namespaces");
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
