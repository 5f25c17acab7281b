package dev.evenkeel.serve.rights;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The roles and bindings that every cluster has, read from {@code default.roles}. */
public final class DefaultRoles {

  private static final String VERSION = "rbac.authorization.k8s.io/v1";
  private static final String GROUP = "rbac.authorization.k8s.io";
  private static final String RESOURCE = "default.roles";

  /** Those who set it to false on an object have it left alone. */
  public static final String AUTO_UPDATE = "rbac.authorization.kubernetes.io/autoupdate";

  private DefaultRoles() {}

  /**
   * An object that is to be there.
   *
   * @param namespace empty for the cluster
   */
  public record Default(String plural, String namespace, String name, ObjectNode object) {

    /** Of the collection that it is in. */
    public String path() {
      return "/apis/"
          + VERSION
          + (namespace.isEmpty() ? "" : "/namespaces/" + namespace)
          + "/"
          + plural;
    }
  }

  /** All of them, roles before those bindings that are to them. */
  public static List<Default> all() {
    try (InputStream stream = DefaultRoles.class.getResourceAsStream(RESOURCE)) {
      if (stream == null) {
        throw new IllegalStateException(RESOURCE + " is missing from the build");
      }
      return read(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<Default> read(String text) {
    List<Default> roles = new ArrayList<>();
    List<Default> bindings = new ArrayList<>();
    for (String line : text.lines().toList()) {
      String stripped = line.strip();
      if (stripped.isEmpty() || stripped.startsWith("#")) {
        continue;
      }
      List<String> words = List.of(stripped.split(" +"));
      if (!line.startsWith(" ")) {
        roles.add(role(words));
      } else if (words.getFirst().equals("held")) {
        bindings.add(binding(roles.getLast(), words));
      } else {
        addTo(roles.getLast().object(), words);
      }
    }
    roles.addAll(bindings);
    return roles;
  }

  private static Default role(List<String> words) {
    String namespace = words.size() > 2 && words.get(2).equals("in") ? words.get(3) : "";
    boolean ofCluster = namespace.isEmpty();
    ObjectNode role = object(ofCluster ? "ClusterRole" : "Role", namespace, words.get(1));
    int labels = words.indexOf("label");
    if (labels >= 0) {
      ObjectNode all = (ObjectNode) role.path("metadata").path("labels");
      words.subList(labels + 1, words.size()).forEach(label -> all.put(label, "true"));
    }
    return new Default(ofCluster ? "clusterroles" : "roles", namespace, words.get(1), role);
  }

  private static ObjectNode object(String kind, String namespace, String name) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    object.put("apiVersion", VERSION).put("kind", kind);
    ObjectNode metadata = object.putObject("metadata").put("name", name);
    if (!namespace.isEmpty()) {
      metadata.put("namespace", namespace);
    }
    metadata.putObject("labels").put("kubernetes.io/bootstrapping", "rbac-defaults");
    metadata.putObject("annotations").put(AUTO_UPDATE, "true");
    return object;
  }

  private static void addTo(ObjectNode role, List<String> words) {
    if (words.getFirst().equals("gathers")) {
      role.putObject("aggregationRule")
          .putArray("clusterRoleSelectors")
          .addObject()
          .putObject("matchLabels")
          .put(words.get(1), "true");
      return;
    }
    List<String> verbs = list(words.getFirst());
    boolean paths = words.get(1).equals("at");
    List<String> none = List.of();
    var rule =
        paths
            ? new Rule(verbs, none, none, none, list(words.get(2)))
            : new Rule(
                verbs,
                list(words.get(2)).stream().map(group -> group.equals("-") ? "" : group).toList(),
                list(words.get(3)),
                words.size() > 5 ? list(words.get(5)) : none,
                none);
    var rules = role.withArray("rules");
    rules.addAll(Rule.toJson(List.of(rule)));
  }

  private static List<String> list(String word) {
    return List.of(word.split(","));
  }

  private static Default binding(Default role, List<String> words) {
    int as = words.indexOf("as");
    String name = as < 0 ? role.name() : words.get(as + 1);
    boolean ofCluster = role.namespace().isEmpty();
    ObjectNode binding =
        object(ofCluster ? "ClusterRoleBinding" : "RoleBinding", role.namespace(), name);
    binding
        .putObject("roleRef")
        .put("apiGroup", GROUP)
        .put("kind", ofCluster ? "ClusterRole" : "Role")
        .put("name", role.name());
    int by = words.indexOf("by");
    if (by >= 0) {
      var subjects = binding.putArray("subjects");
      words.subList(by + 1, words.size()).forEach(word -> subjects.add(subject(word)));
    }
    return new Default(
        ofCluster ? "clusterrolebindings" : "rolebindings", role.namespace(), name, binding);
  }

  private static ObjectNode subject(String word) {
    int colon = word.indexOf(':');
    String name = word.substring(colon + 1);
    ObjectNode subject = JsonNodeFactory.instance.objectNode();
    switch (word.substring(0, colon)) {
      case "user" -> subject.put("kind", "User").put("apiGroup", GROUP).put("name", name);
      case "group" -> subject.put("kind", "Group").put("apiGroup", GROUP).put("name", name);
      case "account" -> {
        int slash = name.indexOf('/');
        subject
            .put("kind", "ServiceAccount")
            .put("name", name.substring(slash + 1))
            .put("namespace", name.substring(0, slash));
      }
      default -> throw new IllegalStateException("nobody knows the subject " + word);
    }
    return subject;
  }
}
