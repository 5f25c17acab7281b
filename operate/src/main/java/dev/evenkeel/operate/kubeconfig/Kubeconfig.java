package dev.evenkeel.operate.kubeconfig;

import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.json.JsonException;
import dev.evenkeel.serve.http.tls.Pem;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/**
 * Where a server is, and who to be there: the current context of a kubeconfig file.
 *
 * @param authorityPem whom to trust, null for those the JDK trusts
 * @param certificatePem who to be, null if there is no certificate
 * @param keyPem the certificate's key
 * @param token who to be, null if there is no token
 */
public record Kubeconfig(
    URI server,
    @Nullable String authorityPem,
    @Nullable String certificatePem,
    @Nullable String keyPem,
    @Nullable String token) {

  /** Names none of the secrets. */
  @Override
  public String toString() {
    return "Kubeconfig[" + server + "]";
  }

  /**
   * Reads the file's current context.
   *
   * @throws KubeconfigException if there is no such file, or it leads nowhere
   */
  public static Kubeconfig read(Path file) {
    JsonNode config;
    try {
      config = Json.decode(Files.readAllBytes(file), Json.Format.YAML).tree();
    } catch (java.nio.file.NoSuchFileException e) {
      throw new KubeconfigException(
          "there is no " + file + ". Start a server with evenkeel up, or use --kubeconfig FILE.",
          e);
    } catch (IOException e) {
      throw new KubeconfigException("cannot read " + file + ": " + e, e);
    } catch (JsonException e) {
      throw new KubeconfigException(file + " is no kubeconfig: " + e.getMessage(), e);
    }
    String current = config.path("current-context").asString("");
    JsonNode context = named(config, "contexts", current).path("context");
    JsonNode cluster =
        named(config, "clusters", context.path("cluster").asString("")).path("cluster");
    JsonNode user = named(config, "users", context.path("user").asString("")).path("user");
    String server = cluster.path("server").asString("");
    if (server.isEmpty()) {
      throw new KubeconfigException(
          file + " names no server for its current context '" + current + "'.", null);
    }
    return new Kubeconfig(
        URI.create(server),
        data(file, cluster, "certificate-authority"),
        data(file, user, "client-certificate"),
        data(file, user, "client-key"),
        user.path("token").isString() ? user.path("token").stringValue() : null);
  }

  /** Trusts the server, and shows the certificate if there is one. */
  public SSLContext sslContext() {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(
          certificatePem == null || keyPem == null
              ? null
              : keys(certificatePem, keyPem).getKeyManagers(),
          authorityPem == null ? null : trust(authorityPem).getTrustManagers(),
          null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new KubeconfigException("its certificates cannot be used: " + e.getMessage(), e);
    }
  }

  private static TrustManagerFactory trust(String pem)
      throws GeneralSecurityException, IOException {
    KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
    trusted.load(null, null);
    trusted.setCertificateEntry("authority", Pem.certificate(pem));
    var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(trusted);
    return factory;
  }

  private static KeyManagerFactory keys(String certificate, String key)
      throws GeneralSecurityException, IOException {
    KeyStore own = KeyStore.getInstance(KeyStore.getDefaultType());
    own.load(null, null);
    own.setKeyEntry(
        "own", Pem.privateKey(key), new char[0], new Certificate[] {Pem.certificate(certificate)});
    var factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(own, new char[0]);
    return factory;
  }

  private static JsonNode named(JsonNode config, String list, String name) {
    for (JsonNode entry : config.path(list)) {
      if (entry.path("name").asString("").equals(name)) {
        return entry;
      }
    }
    return MissingNode.getInstance();
  }

  /** Given in the file itself, or as the path of another one beside it. */
  private static @Nullable String data(Path file, JsonNode owner, String field) {
    JsonNode inline = owner.path(field + "-data");
    try {
      if (inline.isString()) {
        return new String(
            Base64.getDecoder().decode(inline.stringValue()), StandardCharsets.US_ASCII);
      }
      JsonNode elsewhere = owner.path(field);
      return elsewhere.isString()
          ? Files.readString(
              file.toAbsolutePath().resolveSibling(elsewhere.stringValue()),
              StandardCharsets.US_ASCII)
          : null;
    } catch (IOException | IllegalArgumentException e) {
      throw new KubeconfigException("the " + field + " of " + file + " cannot be read: " + e, e);
    }
  }
}
