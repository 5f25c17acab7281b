package dev.evenkeel.serve.webhook;

import dev.evenkeel.kernel.api.Meta;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Where a webhook is, as its configuration says. */
sealed interface Place {

  int DEFAULT_PORT = 443;

  /** How messages call it. */
  String shown();

  @Nullable String authorityPem();

  record Url(URI url, @Nullable String authorityPem) implements Place {
    @Override
    public String shown() {
      return url.toString();
    }

    int port() {
      return url.getPort() < 0 ? DEFAULT_PORT : url.getPort();
    }
  }

  /**
   * @param path empty or with a slash in front
   */
  record Service(
      String namespace, String name, int port, String path, @Nullable String authorityPem)
      implements Place {
    @Override
    public String shown() {
      return "https://" + host() + ":" + port + path;
    }

    /** What the certificate must name. */
    String host() {
      return name + "." + namespace + ".svc";
    }
  }

  /** What cannot be decoded vouches for nobody, which is found out when it is called. */
  private static String decoded(String bundle) {
    try {
      return new String(Base64.getMimeDecoder().decode(bundle), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return bundle;
    }
  }

  /** Reads a {@code clientConfig}, which the kind's rules have found right. */
  static Place read(JsonNode client) {
    String bundle = Meta.text(client.path("caBundle"));
    String authority = bundle.isEmpty() ? null : decoded(bundle);
    JsonNode service = client.path("service");
    if (!service.isObject()) {
      return new Url(URI.create(Meta.text(client.path("url"))), authority);
    }
    return new Service(
        Meta.text(service.path("namespace")),
        Meta.text(service.path("name")),
        service.path("port").asInt(DEFAULT_PORT),
        Meta.text(service.path("path")),
        authority);
  }
}
