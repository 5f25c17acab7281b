package dev.evenkeel.decide.controllers.collect;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.observe.object.Kind;
import dev.evenkeel.observe.transport.Client;
import dev.evenkeel.observe.transport.Query;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Which kinds a server has, each once, in the version that the server prefers. */
public final class ServerKinds {

  private ServerKinds() {}

  /**
   * A kind of a server.
   *
   * @param verbs what can be done with its objects
   */
  public record ServerKind(Kind<ObjectNode> kind, Set<String> verbs) {
    public ServerKind {
      verbs = Set.copyOf(verbs);
    }
  }

  /** Asks the server. Fails if any part of the answer is missing: half a list misleads. */
  public static CompletableFuture<List<ServerKind>> read(Client client) {
    return client
        .read("/apis", new Query())
        .thenCompose(
            groups -> {
              List<String> versions = new ArrayList<>();
              versions.add("v1");
              groups
                  .path("groups")
                  .forEach(
                      group ->
                          group
                              .path("versions")
                              .forEach(it -> versions.add(Meta.text(it.path("groupVersion")))));
              List<CompletableFuture<ObjectNode>> answers =
                  versions.stream()
                      .map(
                          version ->
                              client.read(
                                  (version.indexOf('/') < 0 ? "/api/" : "/apis/") + version,
                                  new Query()))
                      .toList();
              return CompletableFuture.allOf(answers.toArray(new CompletableFuture<?>[0]))
                  .thenApply(_ -> kinds(answers.stream().map(CompletableFuture::join).toList()));
            });
  }

  /** Groups are listed with the preferred version first, so the first of a name counts. */
  private static List<ServerKind> kinds(List<ObjectNode> lists) {
    List<ServerKind> kinds = new ArrayList<>();
    Set<String> known = new HashSet<>();
    for (ObjectNode list : lists) {
      String apiVersion = Meta.text(list.path("groupVersion"));
      String group = apiVersion.substring(0, Math.max(0, apiVersion.indexOf('/')));
      for (JsonNode resource : list.path("resources")) {
        String plural = Meta.text(resource.path("name"));
        if (plural.indexOf('/') < 0 && known.add(group + "/" + plural)) {
          Set<String> verbs = new HashSet<>();
          resource.path("verbs").forEach(verb -> verbs.add(Meta.text(verb)));
          kinds.add(
              new ServerKind(
                  Kind.untyped(
                      apiVersion,
                      Meta.text(resource.path("kind")),
                      plural,
                      resource.path("namespaced").asBoolean(false)),
                  verbs));
        }
      }
    }
    return kinds;
  }
}
