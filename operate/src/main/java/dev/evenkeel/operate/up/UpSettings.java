package dev.evenkeel.operate.up;

import dev.evenkeel.kernel.schema.TextFormat;
import dev.evenkeel.operate.build.Build;
import dev.evenkeel.serve.ServerSettings;
import dev.evenkeel.serve.http.limit.HttpLimits;
import dev.evenkeel.serve.service.ServiceRanges;
import dev.evenkeel.store.rocksdb.Durability;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What {@code up} was told.
 *
 * @param controllers whether any run
 * @param controllerJars users' own, and folders of them
 * @param schedulers the names under which pods are scheduled; nobody's if empty
 * @param schedulerPlugins users' own jars, and folders of them
 * @param services what there is to give to services
 * @param identity who may come, and by which credentials
 */
public record UpSettings(
    StoreChoice.Word store,
    ListenAddress listen,
    @Nullable Path data,
    @Nullable Path kubeconfig,
    @Nullable Durability durability,
    boolean acceptLoss,
    List<Limit.Setting> limits,
    boolean controllers,
    List<Path> controllerJars,
    List<String> schedulers,
    List<Path> schedulerPlugins,
    ServiceRanges services,
    boolean anonymousHealth,
    IdentitySettings identity,
    boolean rehearse) {

  public UpSettings {
    limits = List.copyOf(limits);
    controllerJars = List.copyOf(controllerJars);
    schedulerPlugins = List.copyOf(schedulerPlugins);
    schedulers = schedulers.equals(List.of(NO_SCHEDULERS)) ? List.of() : List.copyOf(schedulers);
  }

  static final String STORE_DEFAULT = "embedded";
  static final String LISTEN_DEFAULT = "127.0.0.1:6443";
  static final String SCHEDULERS_DEFAULT = "default-scheduler";
  static final String SERVICES_DEFAULT = "10.96.0.0/12";

  /** Said in place of names where pods are scheduled by others. */
  static final String NO_SCHEDULERS = "none";

  /**
   * Reads options that are written as plainly as they mostly are, without the parser of all
   * commands: to load that one takes a third of a start. Null for all else, also for what is wrong:
   * {@link UpCommand} knows how to say it, and reads each option by the same {@link UpValues}.
   */
  public static @Nullable UpSettings plain(List<String> words) {
    var values = new UpValues();
    try {
      for (int i = 0; i < words.size(); i++) {
        String word = words.get(i);
        int equals = word.indexOf('=');
        String name = equals < 0 ? word : word.substring(0, equals);
        if (!values.flag(word)) {
          String value = equals < 0 ? words.get(++i) : word.substring(equals + 1);
          if (!values.option(name, value)) {
            return null;
          }
        }
      }
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      return null;
    }
    UpSettings settings = values.settings();
    return settings.problem() == null ? settings : null;
  }

  /** What does not go together, if anything. */
  @Nullable String problem() {
    if (!embedded() && (durability != null || acceptLoss)) {
      return "--durability and --accept-loss are for the embedded store";
    }
    if (!controllers && !controllerJars.isEmpty()) {
      return "--controllers and --no-controllers exclude each other";
    }
    String problem = schedulersProblem();
    if (problem == null) {
      problem = identity.problem();
    }
    if (problem != null) {
      return problem;
    }
    if (hasEmpty(controllerJars) || hasEmpty(schedulerPlugins)) {
      return (hasEmpty(controllerJars) ? "--controllers" : "--scheduler-plugins")
          + " has an empty path: give jars, or folders with a jar, divided by single commas, as"
          + " a.jar,b.jar";
    }
    if (!schedulerPlugins.isEmpty() && (!controllers || schedulers.isEmpty())) {
      return "--scheduler-plugins are for the scheduler, which --no-controllers and --schedulers"
          + " none leave out";
    }
    return null;
  }

  private @Nullable String schedulersProblem() {
    if (schedulers.contains(NO_SCHEDULERS)) {
      return "--schedulers takes names of schedulers, or none and nothing else";
    }
    for (int i = 0; i < schedulers.size(); i++) {
      String name = schedulers.get(i);
      if (name.isEmpty()) {
        return "--schedulers has an empty name: divide names by single commas, as batch,web, or"
            + " say none";
      }
      if (!TextFormat.DNS_SUBDOMAIN.problems(name).isEmpty()) {
        return "--schedulers has '"
            + name
            + "', which is no name that a scheduler can have: use lower case letters, digits, '-'"
            + " and '.', as in batch-scheduler";
      }
      if (schedulers.indexOf(name) < i) {
        return "--schedulers has '" + name + "' twice: name each scheduler once";
      }
    }
    return null;
  }

  private static boolean hasEmpty(List<Path> paths) {
    return paths.contains(Path.of(""));
  }

  /** Its parts between commas; an empty one is for {@link #problem} to tell. */
  static List<String> parts(String value) {
    return List.of(value.split(",", -1));
  }

  private boolean embedded() {
    return store instanceof StoreChoice.Word.Named(var name) && name.equals("embedded");
  }

  Path folder() {
    return data == null ? Home.path().resolve(".evenkeel") : data;
  }

  Path kubeconfigFile() {
    return kubeconfig == null ? folder().resolve("kubeconfig") : kubeconfig;
  }

  Limit.Settings limitSettings(Build build) {
    ServerSettings server =
        ServerSettings.DEFAULTS
            .withVersion(new ServerSettings.BuildInfo(build.version(), build.commit()))
            .withServices(services)
            .withAnonymousHealth(anonymousHealth);
    return new Limit.Settings(server, HttpLimits.DEFAULTS).with(limits);
  }

  StoreChoice choice() {
    // Not a switch: on types it makes a class when it is first reached, which no record of a start
    // holds, and takes a start some 20 ms.
    if (store instanceof StoreChoice.Word.Address(var options)) {
      return new StoreChoice.Etcd(options);
    }
    return embedded()
        ? new StoreChoice.Embedded(
            folder().resolve("data"), durability == null ? Durability.SYNC : durability, acceptLoss)
        : new StoreChoice.Memory();
  }
}
