package dev.evenkeel.prove.bench.api.wire;

import dev.evenkeel.observe.http.ConfigurationException;
import dev.evenkeel.observe.http.HttpSettings;
import dev.evenkeel.observe.http.Identity;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The server and the credentials of a kubeconfig's current context, for the load generator. */
public final class KubeconfigTarget {

  private KubeconfigTarget() {}

  /**
   * @throws IllegalArgumentException if something is missing in it
   */
  public static Target target(Path file) throws IOException {
    HttpSettings settings;
    try {
      settings = dev.evenkeel.observe.http.Kubeconfig.read(file).settings();
    } catch (ConfigurationException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
    var own = settings.identity() instanceof Identity.Certificate certified ? certified : null;
    return Target.of(
        settings.server().toString(),
        new Target.Credentials(
            token(settings.identity()),
            bytes(settings.trust().authorityPem()),
            own == null ? null : bytes(own.certificatePem()),
            own == null ? null : bytes(own.keyPem()),
            settings.trust().anybody()));
  }

  private static @Nullable String token(Identity identity) throws IOException {
    return switch (identity) {
      case Identity.Token(String token) -> token;
      case Identity.TokenFile(Path file) -> Files.readString(file).strip();
      case Identity.Anonymous _, Identity.Certificate _ -> null;
    };
  }

  private static byte @Nullable [] bytes(@Nullable String pem) {
    return pem == null ? null : pem.getBytes(StandardCharsets.US_ASCII);
  }
}
