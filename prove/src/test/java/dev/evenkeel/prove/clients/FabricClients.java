package dev.evenkeel.prove.clients;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;

/** fabric8's client, set up as its users do. */
final class FabricClients {

  private FabricClients() {}

  /** With the admin's token, and watches over WebSocket: the client's own choice. */
  static KubernetesClient of(RunningServer server) {
    return build(withToken(server).build());
  }

  static KubernetesClient withPlainWatches(RunningServer server) {
    return build(withToken(server).withOnlyHttpWatches(true).build());
  }

  /** From the kubeconfig as it was written. */
  static KubernetesClient withCertificate(RunningServer server) {
    try {
      return build(Config.fromKubeconfig(Files.readString(server.kubeconfig())));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ConfigBuilder withToken(RunningServer server) {
    return new ConfigBuilder(Config.empty())
        .withMasterUrl(server.url())
        .withNamespace("default")
        .withCaCertData(server.credentials().authorityPem())
        .withOauthToken(server.credentials().adminToken())
        .withWatchReconnectInterval(100)
        .withRequestRetryBackoffInterval(100)
        .withRequestRetryBackoffLimit(3);
  }

  private static KubernetesClient build(Config config) {
    return new KubernetesClientBuilder().withConfig(config).build();
  }
}
