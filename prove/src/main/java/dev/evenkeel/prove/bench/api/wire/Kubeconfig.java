package dev.evenkeel.prove.bench.api.wire;

import dev.evenkeel.kernel.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads a kubeconfig: its current context's server and credentials. */
public final class Kubeconfig {

  private Kubeconfig() {}

  /**
   * @throws IllegalArgumentException if something is missing in it
   */
  public static Target target(Path file) throws IOException {
    JsonNode config = Json.decode(Files.readAllBytes(file), Json.Format.YAML).tree();
    String current = config.path("current-context").asString("");
    JsonNode context = named(config, "contexts", current).path("context");
    JsonNode cluster =
        named(config, "clusters", context.path("cluster").asString("")).path("cluster");
    JsonNode user = named(config, "users", context.path("user").asString("")).path("user");
    Path folder = file.toAbsolutePath().getParent();
    return Target.of(
        cluster.path("server").asString(""),
        new Target.Credentials(
            token(user, folder),
            bytes(cluster, "certificate-authority", folder),
            bytes(user, "client-certificate", folder),
            bytes(user, "client-key", folder),
            cluster.path("insecure-skip-tls-verify").asBoolean(false)));
  }

  private static JsonNode named(JsonNode config, String list, String name) {
    for (JsonNode entry : config.path(list)) {
      if (entry.path("name").asString("").equals(name)) {
        return entry;
      }
    }
    throw new IllegalArgumentException("the kubeconfig has no '" + name + "' among its " + list);
  }

  private static @Nullable String token(JsonNode user, @Nullable Path folder) throws IOException {
    if (user.has("token")) {
      return user.path("token").asString("");
    }
    if (user.has("tokenFile")) {
      return Files.readString(resolve(folder, user.path("tokenFile").asString(""))).trim();
    }
    return null;
  }

  /** From the field itself with "-data" behind its name, or from the file that it names. */
  private static byte @Nullable [] bytes(JsonNode node, String field, @Nullable Path folder)
      throws IOException {
    String data = node.path(field + "-data").asString("");
    if (!data.isEmpty()) {
      return Base64.getMimeDecoder().decode(data.getBytes(StandardCharsets.US_ASCII));
    }
    String file = node.path(field).asString("");
    return file.isEmpty() ? null : Files.readAllBytes(resolve(folder, file));
  }

  private static Path resolve(@Nullable Path folder, String file) {
    return folder == null ? Path.of(file) : folder.resolve(file);
  }
}
