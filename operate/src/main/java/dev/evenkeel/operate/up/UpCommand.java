package dev.evenkeel.operate.up;

import dev.evenkeel.serve.service.ServiceRanges;
import dev.evenkeel.store.rocksdb.Durability;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/**
 * {@link Up} on the command line; see {@link UpSettings#plain} for how most starts get round it.
 */
@Command(
    name = "up",
    description = {
      "Start an API server on this machine, and stay until Ctrl-C or SIGTERM.",
      "The first start makes its certificates and a kubeconfig for kubectl."
    })
public final class UpCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Option(
      names = "--store",
      paramLabel = "STORE",
      defaultValue = UpSettings.STORE_DEFAULT,
      converter = StoreChoice.Word.Converter.class,
      description = "What holds the state: embedded (default), memory, or etcd://HOST:PORT,…")
  private StoreChoice.Word store = StoreChoice.Word.parse(UpSettings.STORE_DEFAULT);

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      defaultValue = UpSettings.LISTEN_DEFAULT,
      converter = ListenAddress.Converter.class,
      description = "Where to listen (default 127.0.0.1:6443); port 0 picks one.")
  private ListenAddress listen = ListenAddress.parse(UpSettings.LISTEN_DEFAULT);

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
      names = "--limit",
      paramLabel = "NAME=VALUE",
      converter = LimitConverter.class,
      description = {
        "A limit other than the default; can be given several times. Names: reads, writes, watches,"
            + " watches-per-kind, request-bytes, request-time, wait-time, window-events,"
            + " window-bytes, window-time, history-time, connections.",
      })
  private List<Limit.Setting> limits = new ArrayList<>();

  @Option(
      names = "--no-controllers",
      description =
          "Serve the API only: nothing is done about what is stored, unless controllers of your own"
              + " do it.")
  private boolean noControllers;

  @Option(
      names = "--controllers",
      paramLabel = "PATH,…",
      description =
          "Controllers of your own to run as well: jars, or folders of a jar and what it needs."
              + " Several are divided by commas.")
  private List<String> controllerJars = new ArrayList<>();

  @Option(
      names = "--schedulers",
      paramLabel = "NAME,…",
      defaultValue = UpSettings.SCHEDULERS_DEFAULT,
      description =
          "Schedule the pods that name one of these as their scheduler; none leaves all of them to"
              + " others. Default: ${DEFAULT-VALUE}.")
  private List<String> schedulers = new ArrayList<>();

  @Option(
      names = "--scheduler-plugins",
      paramLabel = "PATH,…",
      description =
          "Plugins of your own that the scheduler asks: jars, or folders of a jar and what it"
              + " needs. Several are divided by commas.")
  private List<String> schedulerPlugins = new ArrayList<>();

  @Option(
      names = "--service-cidr",
      paramLabel = "RANGE,…",
      defaultValue = UpSettings.SERVICES_DEFAULT,
      converter = ServicesConverter.class,
      description =
          "The range that services get their cluster addresses from, or one of each family."
              + " Default: ${DEFAULT-VALUE}.")
  private ServiceRanges services = ServiceRanges.DEFAULTS;

  @Option(
      names = "--no-anonymous-health",
      description =
          "Answer /healthz, /livez, /readyz and /version only to those who say who they are. By"
              + " default everybody may ask: load balancers and probes have no credentials, and are"
              + " told no more than whether the server is well and which version it is.")
  private boolean noAnonymousHealth;

  @Option(
      names = "--rehearse",
      hidden = true,
      description = "Start, be used a little, and stop: for the launcher, which records it.")
  private boolean rehearse;

  static final class ServicesConverter implements ITypeConverter<ServiceRanges> {
    @Override
    public ServiceRanges convert(String text) {
      try {
        return ServiceRanges.parse(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(String.valueOf(e.getMessage()));
      }
    }
  }

  static final class LimitConverter implements ITypeConverter<Limit.Setting> {
    @Override
    public Limit.Setting convert(String text) {
      try {
        return Limit.Setting.parse(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(String.valueOf(e.getMessage()));
      }
    }
  }

  @Override
  public Integer call() throws InterruptedException {
    UpSettings settings = settings();
    String problem = settings.problem();
    if (problem != null) {
      throw new ParameterException(spec.commandLine(), problem);
    }
    return Up.run(settings, spec.commandLine().getOut());
  }

  UpSettings settings() {
    return new UpSettings(
        store,
        listen,
        data,
        kubeconfig,
        durability,
        acceptLoss,
        limits,
        !noControllers,
        paths(controllerJars),
        parts(schedulers).toList(),
        paths(schedulerPlugins),
        services,
        !noAnonymousHealth,
        rehearse);
  }

  /** Divided here: the parser would drop empty ones, and nobody would be told. */
  private static Stream<String> parts(List<String> values) {
    return values.stream().flatMap(value -> UpSettings.parts(value).stream());
  }

  private static List<Path> paths(List<String> values) {
    return parts(values).map(Path::of).toList();
  }
}
