package dev.evenkeel.observe.http;

import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.json.JsonException;
import dev.evenkeel.observe.transport.Header;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Kubeconfig files as kubectl reads them: several are one, where the first that names a thing wins,
 * and paths in a file are relative to it.
 *
 * <p>Not understood, and refused when the context in use needs it: programs that make credentials
 * ({@code exec}), {@code auth-provider}, user name and password, and proxies.
 */
public final class Kubeconfig {

  private record Source(Path file, JsonNode tree) {}

  /** An entry, and the file that its paths are relative to. */
  private record Entry(Path file, String name, JsonNode content) {
    String text(String field) {
      return content.path(field).asString("");
    }
  }

  private final List<Source> sources;

  private Kubeconfig(List<Source> sources) {
    this.sources = sources;
  }

  /** The files in {@code KUBECONFIG}, or else {@code ~/.kube/config}. */
  public static Kubeconfig standard() {
    return standard(System.getenv(), Path.of(System.getProperty("user.home")));
  }

  static Kubeconfig standard(Map<String, String> environment, Path home) {
    String paths = environment.getOrDefault("KUBECONFIG", "");
    List<Path> files = new ArrayList<>();
    for (String path : paths.split(java.util.regex.Pattern.quote(File.pathSeparator), -1)) {
      // As kubectl does: a file of the list that is not there is passed over.
      if (!path.isEmpty() && Files.exists(Path.of(path))) {
        files.add(Path.of(path));
      }
    }
    return read(files.isEmpty() ? List.of(home.resolve(".kube").resolve("config")) : files);
  }

  public static Kubeconfig read(Path file) {
    return read(List.of(file));
  }

  /**
   * Reads the files, the most important first.
   *
   * @throws ConfigurationException if one is not there or is no kubeconfig
   */
  public static Kubeconfig read(List<Path> files) {
    List<Source> sources = new ArrayList<>();
    for (Path file : files) {
      try {
        sources.add(
            new Source(file, Json.decode(Files.readAllBytes(file), Json.Format.YAML).tree()));
      } catch (IOException e) {
        throw new ConfigurationException(
            "the kubeconfig " + file + " cannot be read: " + e + ". Is there a server?", e);
      } catch (JsonException e) {
        throw new ConfigurationException(file + " is no kubeconfig: " + e.getMessage(), e);
      }
    }
    return new Kubeconfig(List.copyOf(sources));
  }

  /** The names of the contexts. */
  public List<String> contexts() {
    List<String> names = new ArrayList<>();
    for (Source source : sources) {
      for (JsonNode entry : source.tree.path("contexts")) {
        String name = entry.path("name").asString("");
        if (!names.contains(name)) {
          names.add(name);
        }
      }
    }
    return names;
  }

  /** The context that is used if none is named; empty if none is set. */
  public String currentContext() {
    for (Source source : sources) {
      String current = source.tree.path("current-context").asString("");
      if (!current.isEmpty()) {
        return current;
      }
    }
    return "";
  }

  /**
   * Where the current context leads.
   *
   * @throws ConfigurationException if it leads nowhere
   */
  public HttpSettings settings() {
    String current = currentContext();
    if (current.isEmpty()) {
      throw new ConfigurationException(
          where()
              + " has no current-context. Set it with kubectl config use-context NAME; there are "
              + contexts()
              + ".",
          null);
    }
    return settings(current);
  }

  /**
   * Where a context leads.
   *
   * @throws ConfigurationException if there is no such context, or it needs what is not understood
   */
  public HttpSettings settings(String context) {
    Entry chosen = named("contexts", "context", context);
    if (chosen == null) {
      throw new ConfigurationException(
          where() + " has no context '" + context + "'; there are " + contexts() + ".", null);
    }
    Entry cluster = needed("clusters", "cluster", chosen.text("cluster"), context);
    String userName = chosen.text("user");
    Entry user = userName.isEmpty() ? null : needed("users", "user", userName, context);
    String server = cluster.text("server");
    if (server.isEmpty()) {
      throw new ConfigurationException(
          "the cluster '" + cluster.name + "' of " + cluster.file + " names no server.", null);
    }
    if (!cluster.text("proxy-url").isEmpty()) {
      throw new ConfigurationException(
          "the cluster '"
              + cluster.name
              + "' of "
              + cluster.file
              + " is reached through a proxy (proxy-url), which is not supported.",
          null);
    }
    String namespace = chosen.text("namespace");
    return new HttpSettings(
        address(server, cluster),
        trust(cluster),
        user == null ? new Identity.Anonymous() : identity(user),
        namespace.isEmpty() ? "default" : namespace,
        user == null ? List.of() : impersonation(user),
        HttpSettings.Timeouts.DEFAULTS);
  }

  private static URI address(String server, Entry cluster) {
    try {
      return URI.create(server);
    } catch (IllegalArgumentException e) {
      throw new ConfigurationException(
          "the server of the cluster '" + cluster.name + "' is no address: " + server, e);
    }
  }

  private static HttpSettings.Trust trust(Entry cluster) {
    String serverName = cluster.text("tls-server-name");
    return new HttpSettings.Trust(
        data(cluster, "certificate-authority"),
        serverName.isEmpty() ? null : serverName,
        cluster.content.path("insecure-skip-tls-verify").asBoolean(false));
  }

  /** In kubectl's order: a certificate first, then the token's file, then the token. */
  private static Identity identity(Entry user) {
    for (String unsupported : List.of("exec", "auth-provider", "username")) {
      if (!user.content.path(unsupported).isMissingNode()) {
        throw new ConfigurationException(
            "the user '"
                + user.name
                + "' of "
                + user.file
                + " logs in by '"
                + unsupported
                + "', which is not supported. Give it a client certificate, a token or a"
                + " tokenFile.",
            null);
      }
    }
    String certificate = data(user, "client-certificate");
    String key = data(user, "client-key");
    if (certificate != null && key != null) {
      return new Identity.Certificate(certificate, key);
    }
    if (certificate != null || key != null) {
      throw new ConfigurationException(
          "the user '"
              + user.name
              + "' of "
              + user.file
              + " has a client-certificate or a client-key, but not both.",
          null);
    }
    String file = user.text("tokenFile");
    if (!file.isEmpty()) {
      return new Identity.TokenFile(beside(user.file, file));
    }
    String token = user.text("token");
    return token.isEmpty() ? new Identity.Anonymous() : new Identity.Token(token);
  }

  private static List<Header> impersonation(Entry user) {
    List<Header> headers = new ArrayList<>();
    String as = user.text("as");
    if (!as.isEmpty()) {
      headers.add(new Header("Impersonate-User", as));
      for (JsonNode group : user.content.path("as-groups")) {
        headers.add(new Header("Impersonate-Group", group.asString("")));
      }
    }
    return headers;
  }

  /** Given in the file itself, or as the path of another one. */
  private static @Nullable String data(Entry owner, String field) {
    String inline = owner.text(field + "-data");
    try {
      if (!inline.isEmpty()) {
        return new String(Base64.getMimeDecoder().decode(inline), StandardCharsets.US_ASCII);
      }
      String elsewhere = owner.text(field);
      return elsewhere.isEmpty() ? null : Files.readString(beside(owner.file, elsewhere));
    } catch (IOException | IllegalArgumentException e) {
      throw new ConfigurationException(
          "the " + field + " of '" + owner.name + "' in " + owner.file + " cannot be read: " + e,
          e);
    }
  }

  private static Path beside(Path file, String path) {
    return file.toAbsolutePath().resolveSibling(path);
  }

  private Entry needed(String list, String field, String name, String context) {
    Entry entry = named(list, field, name);
    if (entry == null) {
      throw new ConfigurationException(
          "the context '"
              + context
              + "' of "
              + where()
              + " leads to the "
              + field
              + " '"
              + name
              + "', which is not there.",
          null);
    }
    return entry;
  }

  private @Nullable Entry named(String list, String field, String name) {
    for (Source source : sources) {
      for (JsonNode entry : source.tree.path(list)) {
        if (entry.path("name").asString("").equals(name)) {
          return new Entry(source.file, name, entry.path(field));
        }
      }
    }
    return null;
  }

  private String where() {
    return sources.isEmpty() ? "the kubeconfig" : sources.get(0).file.toString();
  }
}
