package dev.evenkeel.operate.up;

import dev.evenkeel.operate.build.Build;
import dev.evenkeel.serve.ServerSettings;
import dev.evenkeel.serve.http.HttpLimits;
import dev.evenkeel.store.rocksdb.Durability;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What {@code up} was told.
 *
 * @param controllers whether any run
 * @param controllerJars users' own, and folders of them
 * @param schedulers the names under which pods are scheduled; nobody's if empty
 * @param schedulerPlugins users' own jars, and folders of them
 */
public record UpSettings(
    StoreChoice.Word store,
    ListenAddress listen,
    @Nullable Path data,
    @Nullable Path kubeconfig,
    int nodes,
    @Nullable Durability durability,
    boolean acceptLoss,
    List<Limit.Setting> limits,
    boolean controllers,
    List<Path> controllerJars,
    List<String> schedulers,
    List<Path> schedulerPlugins,
    boolean warmUp,
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

  /** Said in place of names where pods are scheduled by others. */
  static final String NO_SCHEDULERS = "none";

  /**
   * Reads options that are written as plainly as they mostly are, without the parser of all
   * commands: to load that one takes a third of a start. Null for all else, also for what is wrong:
   * the parser knows how to say it.
   */
  public static @Nullable UpSettings plain(List<String> words) {
    var reader = new Reader();
    try {
      for (int i = 0; i < words.size(); i++) {
        String word = words.get(i);
        int equals = word.indexOf('=');
        String name = equals < 0 ? word : word.substring(0, equals);
        boolean flag = reader.flag(word);
        if (!flag) {
          String value = equals < 0 ? words.get(++i) : word.substring(equals + 1);
          if (!reader.option(name, value)) {
            return null;
          }
        }
      }
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      return null;
    }
    UpSettings settings = reader.settings();
    return settings.problem() == null ? settings : null;
  }

  /** What does not go together, if anything. */
  @Nullable String problem() {
    if (nodes < 0) {
      return "--nodes must be 0 or more, not " + nodes;
    }
    if (!embedded() && (durability != null || acceptLoss)) {
      return "--durability and --accept-loss are for the embedded store";
    }
    if (!controllers && !controllerJars.isEmpty()) {
      return "--controllers and --no-controllers exclude each other";
    }
    if (schedulers.contains(NO_SCHEDULERS) || schedulers.contains("")) {
      return "--schedulers takes names of schedulers, or none and nothing else";
    }
    if (!schedulerPlugins.isEmpty() && (!controllers || schedulers.isEmpty())) {
      return "--scheduler-plugins are for the scheduler, which --no-controllers and --schedulers"
          + " none leave out";
    }
    return null;
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
        ServerSettings.DEFAULTS.withVersion(
            new ServerSettings.BuildInfo(build.version(), build.commit()));
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

  /** Collects options. */
  private static final class Reader {
    private StoreChoice.Word store = StoreChoice.Word.parse(STORE_DEFAULT);
    private ListenAddress listen = ListenAddress.parse(LISTEN_DEFAULT);
    private @Nullable Path data;
    private @Nullable Path kubeconfig;
    private int nodes;
    private @Nullable Durability durability;
    private boolean acceptLoss;
    private final List<Limit.Setting> limits = new ArrayList<>();
    private boolean controllers = true;
    private final List<Path> controllerJars = new ArrayList<>();
    private List<String> schedulers = List.of(SCHEDULERS_DEFAULT);
    private final List<Path> schedulerPlugins = new ArrayList<>();
    private boolean warmUp = true;
    private boolean rehearse;

    boolean flag(String word) {
      switch (word) {
        case "--accept-loss" -> acceptLoss = true;
        case "--no-controllers" -> controllers = false;
        case "--no-warm-up" -> warmUp = false;
        case "--rehearse" -> rehearse = true;
        default -> {
          return false;
        }
      }
      return true;
    }

    boolean option(String name, String value) {
      switch (name) {
        case "--store" -> store = StoreChoice.Word.parse(value);
        case "--listen" -> listen = ListenAddress.parse(value);
        case "--data" -> data = Path.of(value);
        case "--kubeconfig" -> kubeconfig = Path.of(value);
        case "--controllers" -> add(value, controllerJars);
        case "--scheduler-plugins" -> add(value, schedulerPlugins);
        case "--schedulers" -> schedulers = List.of(value.split(",", -1));
        case "--nodes" -> nodes = Integer.parseInt(value);
        case "--limit" -> limits.add(Limit.Setting.parse(value));
        case "--durability" -> durability = Durability.valueOf(value.toUpperCase(Locale.ROOT));
        default -> {
          return false;
        }
      }
      return true;
    }

    private static void add(String value, List<Path> paths) {
      for (String path : value.split(",", -1)) {
        paths.add(Path.of(path));
      }
    }

    UpSettings settings() {
      return new UpSettings(
          store,
          listen,
          data,
          kubeconfig,
          nodes,
          durability,
          acceptLoss,
          limits,
          controllers,
          controllerJars,
          schedulers,
          schedulerPlugins,
          warmUp,
          rehearse);
    }
  }
}
