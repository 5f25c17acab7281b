package dev.evenkeel.operate.kubeconfig;

import dev.evenkeel.observe.http.ConfigurationException;
import dev.evenkeel.observe.http.HttpSettings;
import dev.evenkeel.observe.http.Identity;
import dev.evenkeel.observe.http.Tls;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Where the commands' server is, and who to be there: the current context of a kubeconfig file. */
public record ServerAccess(HttpSettings settings) {

  /** Names none of the secrets. */
  @Override
  public String toString() {
    return "Kubeconfig[" + server() + "]";
  }

  /**
   * Reads the file's current context.
   *
   * @throws ServerAccessException if there is no such file, or it leads nowhere
   */
  public static ServerAccess read(Path file) {
    if (!Files.exists(file)) {
      throw new ServerAccessException(
          "there is no " + file + ". Start a server with evenkeel up, or use --kubeconfig FILE.",
          null);
    }
    try {
      return new ServerAccess(dev.evenkeel.observe.http.Kubeconfig.read(file).settings());
    } catch (ConfigurationException e) {
      throw new ServerAccessException(String.valueOf(e.getMessage()), e);
    }
  }

  public URI server() {
    return settings.server();
  }

  /** The same server for somebody who is nobody there. */
  public ServerAccess anonymous() {
    return new ServerAccess(settings.withIdentity(new Identity.Anonymous()));
  }

  /** Who to be, null if there is no token. */
  public @Nullable String token() {
    return switch (settings.identity()) {
      case Identity.Token(String token) -> token;
      case Identity.TokenFile(Path file) -> {
        try {
          yield Files.readString(file, StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
          throw new ServerAccessException("the token in " + file + " cannot be read: " + e, e);
        }
      }
      case Identity.Anonymous _, Identity.Certificate _ -> null;
    };
  }

  /** Trusts the server, and shows the certificate if there is one. */
  public SSLContext sslContext() {
    try {
      return Tls.context(settings);
    } catch (ConfigurationException e) {
      throw new ServerAccessException(String.valueOf(e.getMessage()), e);
    }
  }
}
