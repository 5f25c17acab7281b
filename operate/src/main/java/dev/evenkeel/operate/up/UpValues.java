package dev.evenkeel.operate.up;

import dev.evenkeel.serve.service.ServiceRanges;
import dev.evenkeel.store.rocksdb.Durability;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What the options of {@code up} say, gathered one by one: the one place that knows what each is
 * called and how its value is read. Both ways to read a command line use it: {@link
 * UpSettings#plain} and {@link UpCommand}, which has the help as well.
 */
final class UpValues {
  private StoreChoice.Word store = StoreChoice.Word.parse(UpSettings.STORE_DEFAULT);
  private ListenAddress listen = ListenAddress.parse(UpSettings.LISTEN_DEFAULT);
  private @Nullable Path data;
  private @Nullable Path kubeconfig;
  private @Nullable Durability durability;
  private boolean acceptLoss;
  private final List<Limit.Setting> limits = new ArrayList<>();
  private boolean controllers = true;
  private final List<Path> controllerJars = new ArrayList<>();
  private final List<String> schedulers = new ArrayList<>();
  private final List<Path> schedulerPlugins = new ArrayList<>();
  private ServiceRanges services = ServiceRanges.parse(UpSettings.SERVICES_DEFAULT);
  private boolean anonymousHealth = true;
  private final List<String> issuers = new ArrayList<>();
  private final List<String> audiences = new ArrayList<>();
  private String jwksUri = "";
  private @Nullable Path signingKey;
  private @Nullable Path tokenFile;
  private final List<Path> verificationKeys = new ArrayList<>();
  private boolean rehearse;

  /** Reads an option without a value; false if there is none of this name. */
  boolean flag(String word) {
    switch (word) {
      case "--accept-loss" -> acceptLoss = true;
      case "--no-controllers" -> controllers = false;
      case "--no-anonymous-health" -> anonymousHealth = false;
      case "--rehearse" -> rehearse = true;
      default -> {
        return false;
      }
    }
    return true;
  }

  /**
   * Reads an option with its value; false if there is none of this name.
   *
   * @throws IllegalArgumentException if the value cannot be; the message is for whoever typed it
   */
  boolean option(String name, String value) {
    switch (name) {
      case "--store" -> store = StoreChoice.Word.parse(value);
      case "--listen" -> listen = ListenAddress.parse(value);
      case "--data" -> data = Path.of(value);
      case "--kubeconfig" -> kubeconfig = Path.of(value);
      case "--controllers" -> add(value, controllerJars);
      case "--scheduler-plugins" -> add(value, schedulerPlugins);
      case "--schedulers" -> schedulers.addAll(UpSettings.parts(value));
      case "--service-cidr" -> services = ServiceRanges.parse(value);
      case "--limit" -> limits.add(Limit.Setting.parse(value));
      case "--durability" -> durability = durability(value);
      default -> {
        return identityOption(name, value);
      }
    }
    return true;
  }

  private boolean identityOption(String name, String value) {
    switch (name) {
      case "--service-account-issuer" -> issuers.add(value);
      case "--service-account-jwks-uri" -> jwksUri = value;
      case "--service-account-signing-key-file" -> signingKey = Path.of(value);
      case "--service-account-key-file" -> verificationKeys.add(Path.of(value));
      case "--token-auth-file" -> tokenFile = Path.of(value);
      case "--api-audiences" -> audiences.addAll(UpSettings.parts(value));
      default -> {
        return false;
      }
    }
    return true;
  }

  private static Durability durability(String value) {
    return switch (value.toLowerCase(Locale.ROOT)) {
      case "sync" -> Durability.SYNC;
      case "os" -> Durability.OS;
      default ->
          throw new IllegalArgumentException("'" + value + "' is no durability; write sync or os");
    };
  }

  private static void add(String value, List<Path> paths) {
    for (String path : UpSettings.parts(value)) {
      paths.add(Path.of(path));
    }
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
        controllers,
        controllerJars,
        schedulers.isEmpty() ? List.of(UpSettings.SCHEDULERS_DEFAULT) : schedulers,
        schedulerPlugins,
        services,
        anonymousHealth,
        new IdentitySettings(issuers, audiences, jwksUri, signingKey, verificationKeys, tokenFile),
        rehearse);
  }
}
