package dev.evenkeel.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.serve.api.ApiRequest;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Roles, bindings, and those who hold them, in a few words. */
final class RoleWorld {

  private static final String GROUP = "/apis/rbac.authorization.k8s.io/v1/";

  private final Client client;

  RoleWorld(Client client) {
    this.client = client;
  }

  static String path(String namespace, String plural) {
    return GROUP + (namespace.isEmpty() ? "" : "namespaces/" + namespace + "/") + plural;
  }

  static String user(String name) {
    return "{\"kind\":\"User\",\"name\":\"" + name + "\"}";
  }

  void namespace(String name) {
    made(client.post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"" + name + "\"}}"));
  }

  private static void made(Client.Answer answer) {
    assertThat(answer.status()).as("%s", answer).isBetween(200, 201);
  }

  /** Lists are written with commas. */
  static String rule(String verbs, String groups, String resources, String... names) {
    ObjectNode rule = JsonNodeFactory.instance.objectNode();
    put(rule, "verbs", verbs);
    put(rule, "apiGroups", groups);
    put(rule, "resources", resources);
    for (String some : names) {
      put(rule, "resourceNames", some);
    }
    return rule.toString();
  }

  private static void put(ObjectNode rule, String field, String words) {
    List.of(words.split(",", -1)).forEach(rule.putArray(field)::add);
  }

  static String roleOf(String name, String... rules) {
    return "{\"metadata\":{\"name\":\"" + name + "\"},\"rules\":[" + String.join(",", rules) + "]}";
  }

  void role(
      String namespace,
      String name,
      String verbs,
      String groups,
      String resources,
      String... names) {
    put("roles", namespace, roleOf(name, rule(verbs, groups, resources, names)));
  }

  void clusterRole(String name, String verbs, String groups, String resources, String... names) {
    put("clusterroles", "", roleOf(name, rule(verbs, groups, resources, names)));
  }

  static String binding(String name, String roleKind, String role, String... subjects) {
    return "{\"metadata\":{\"name\":\"%s\"},\"roleRef\":{\"kind\":\"%s\",\"name\":\"%s\",\"apiGroup\":\"rbac.authorization.k8s.io\"},\"subjects\":[%s]}"
        .formatted(name, roleKind, role, String.join(",", subjects));
  }

  void bind(String namespace, String name, String roleKind, String role, String... subjects) {
    put(
        namespace.isEmpty() ? "clusterrolebindings" : "rolebindings",
        namespace,
        binding(name, roleKind, role, subjects));
  }

  /** Creates or replaces. */
  void put(String plural, String namespace, String body) {
    String name = Json.parse(body.getBytes(StandardCharsets.UTF_8)).at("/metadata/name").asString();
    made(client.put(path(namespace, plural) + "/" + name, body));
  }

  void delete(String namespace, String plural, String name) {
    made(client.delete(path(namespace, plural) + "/" + name));
  }

  Client.Answer as(String user, String method, String path) {
    return as(user, method, path, "");
  }

  Client.Answer as(String user, String method, String path, String body) {
    return with(Map.of("impersonate-user", user), method, path, body);
  }

  Client.Answer with(Map<String, String> headers, String method, String path, String body) {
    Map<String, String> all = new HashMap<>(headers);
    all.putIfAbsent("content-type", "application/json");
    return Client.answer(client.raw(method, path, all, body.getBytes(StandardCharsets.UTF_8)));
  }

  /** A GET by somebody who came with a name of their own. */
  Client.Answer peer(String user, Map<String, String> headers, String path) {
    return Client.answer(
        client.rawOf(new ApiRequest.Peer(user, List.of()), "GET", path, headers, new byte[0]));
  }
}
