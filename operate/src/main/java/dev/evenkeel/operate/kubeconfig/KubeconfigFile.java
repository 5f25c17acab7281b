package dev.evenkeel.operate.kubeconfig;

import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.json.JsonException;
import dev.evenkeel.serve.http.tls.Credentials;
import dev.evenkeel.serve.http.tls.PrivateFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes the file. One that is there already keeps everything that is not ours: our entries, all
 * called {@code evenkeel}, are added to it or replaced in it.
 */
public final class KubeconfigFile {

  /** The name of our cluster, of our context and of the user with the certificate. */
  public static final String NAME = "evenkeel";

  /** The user with the token, for tools that take no certificate. */
  public static final String TOKEN_USER = "evenkeel-token";

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private KubeconfigFile() {}

  private static String text(ObjectNode config) {
    return new String(Json.encode(config, Json.Format.YAML), StandardCharsets.UTF_8);
  }

  /**
   * Writes or completes the file.
   *
   * @return whether our context is the current one in it
   * @throws ServerAccessException if the file is there and is no kubeconfig, or cannot be written
   */
  public static boolean write(Path file, String serverUrl, Credentials credentials) {
    if (holds(file, text(complete(fresh(), serverUrl, credentials)))) {
      return true;
    }
    ObjectNode config = complete(existing(file), serverUrl, credentials);
    try {
      Path absolute = file.toAbsolutePath();
      Path folder = absolute.getParent();
      if (folder != null && !Files.exists(folder)) {
        PrivateFiles.makeFolder(folder);
      }
      // A link stays a link: what it leads to is written.
      PrivateFiles.write(Files.exists(absolute) ? absolute.toRealPath() : absolute, text(config));
    } catch (IOException e) {
      throw new ServerAccessException(
          "cannot write " + file + ": " + e + ". Use --kubeconfig FILE.", e);
    }
    return config.path("current-context").asString("").equals(NAME);
  }

  /** Whether the file is just this: so it is at most starts, and need not be understood. */
  private static boolean holds(Path file, String text) {
    try {
      return Files.exists(file)
          && Arrays.equals(Files.readAllBytes(file), text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      return false; // whoever reads it next says so
    }
  }

  private static ObjectNode complete(ObjectNode config, String serverUrl, Credentials credentials) {
    putNamed(config, "clusters", NAME, "cluster", cluster(serverUrl, credentials));
    putNamed(config, "users", NAME, "user", certificateUser(credentials));
    putNamed(
        config,
        "users",
        TOKEN_USER,
        "user",
        NODES.objectNode().put("token", credentials.adminToken()));
    putNamed(
        config,
        "contexts",
        NAME,
        "context",
        NODES.objectNode().put("cluster", NAME).put("user", NAME));
    if (config.path("current-context").asString("").isEmpty()) {
      config.put("current-context", NAME);
    }
    return config;
  }

  private static ObjectNode existing(Path file) {
    if (!Files.exists(file)) {
      return fresh();
    }
    try {
      byte[] bytes = Files.readAllBytes(file);
      if (new String(bytes, StandardCharsets.UTF_8).isBlank()) {
        return fresh();
      }
      JsonNode tree = Json.decode(bytes, Json.Format.YAML).tree();
      if (tree instanceof ObjectNode config && config.path("kind").asString("").equals("Config")) {
        return config;
      }
    } catch (IOException e) {
      throw new ServerAccessException(
          "cannot read " + file + ": " + e + ". Use --kubeconfig FILE.", e);
    } catch (JsonException e) {
      throw foreign(file);
    }
    throw foreign(file);
  }

  private static ServerAccessException foreign(Path file) {
    return new ServerAccessException(
        file + " is there and is no kubeconfig; it stays as it is. Use --kubeconfig FILE.", null);
  }

  private static ObjectNode fresh() {
    return NODES.objectNode().put("apiVersion", "v1").put("kind", "Config");
  }

  private static ObjectNode cluster(String serverUrl, Credentials credentials) {
    return NODES
        .objectNode()
        .put("server", serverUrl)
        .put("certificate-authority-data", base64(credentials.authorityPem()));
  }

  private static ObjectNode certificateUser(Credentials credentials) {
    return NODES
        .objectNode()
        .put("client-certificate-data", base64(credentials.adminCertificatePem()))
        .put("client-key-data", base64(credentials.adminKeyPem()));
  }

  private static void putNamed(
      ObjectNode config, String list, String name, String field, ObjectNode value) {
    ArrayNode entries =
        config.get(list) instanceof ArrayNode present ? present : config.putArray(list);
    for (JsonNode entry : entries) {
      if (entry instanceof ObjectNode object && object.path("name").asString("").equals(name)) {
        object.set(field, value);
        return;
      }
    }
    entries.addObject().put("name", name).set(field, value);
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
  }
}
