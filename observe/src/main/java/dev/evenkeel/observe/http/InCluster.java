package dev.evenkeel.observe.http;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** What a cluster gives its pods: where its API is, whom to trust, and a token. */
public final class InCluster {

  private static final Path FOLDER = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

  private InCluster() {}

  /** Whether this process runs in a pod with a service account. */
  public static boolean isHere() {
    return isHere(System.getenv(), FOLDER);
  }

  static boolean isHere(Map<String, String> environment, Path folder) {
    return environment.containsKey("KUBERNETES_SERVICE_HOST")
        && Files.isReadable(folder.resolve("token"));
  }

  /**
   * The cluster that this process runs in.
   *
   * @throws ConfigurationException if it runs in none
   */
  public static HttpSettings read() {
    return read(System.getenv(), FOLDER);
  }

  static HttpSettings read(Map<String, String> environment, Path folder) {
    String host = environment.getOrDefault("KUBERNETES_SERVICE_HOST", "");
    String port = environment.getOrDefault("KUBERNETES_SERVICE_PORT", "443");
    if (host.isEmpty()) {
      throw new ConfigurationException(
          "this process runs in no cluster: KUBERNETES_SERVICE_HOST is not set. Use a kubeconfig.",
          null);
    }
    String authority = text(folder.resolve("ca.crt"));
    Path namespace = folder.resolve("namespace");
    return new HttpSettings(
        URI.create("https://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port),
        HttpSettings.Trust.authority(authority),
        new Identity.TokenFile(folder.resolve("token")),
        Files.isReadable(namespace) ? text(namespace).strip() : "default",
        java.util.List.of(),
        HttpSettings.Timeouts.DEFAULTS);
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new ConfigurationException(
          file + " cannot be read; does the pod mount its service account's token? " + e, e);
    }
  }
}
