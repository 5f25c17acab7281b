package dev.evenkeel.serve.rights;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.json.GoText;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A binding: subjects hold a role, in the binding's namespace or everywhere.
 *
 * @param namespace empty if it holds everywhere
 * @param ofClusterRole whether the role is one of the cluster, and not of the namespace
 * @param roleKnown false if the reference is of a kind that nobody knows
 */
record Grant(
    String namespace,
    String name,
    boolean roleKnown,
    boolean ofClusterRole,
    String role,
    List<Subject> subjects) {

  /**
   * Who is given the role.
   *
   * @param key of those who are meant: a user's name or a group's, told apart by the first letter
   * @param shown in upstream's words
   */
  record Subject(String key, String shown) {}

  static final String USER = "u:";
  static final String GROUP = "g:";

  /** The binding of an object. */
  static Grant of(ObjectNode binding, String namespace, String name) {
    JsonNode role = binding.path("roleRef");
    String kind = Meta.text(role.path("kind"));
    List<Subject> subjects = new ArrayList<>();
    for (JsonNode subject : binding.path("subjects")) {
      Subject read = subject(subject, namespace);
      if (read != null) {
        subjects.add(read);
      }
    }
    boolean ofCluster = kind.equals("ClusterRole");
    return new Grant(
        namespace,
        name,
        ofCluster || (kind.equals("Role") && !namespace.isEmpty()),
        ofCluster,
        Meta.text(role.path("name")),
        subjects);
  }

  private static @Nullable Subject subject(JsonNode subject, String bindingNamespace) {
    String kind = Meta.text(subject.path("kind"));
    String name = Meta.text(subject.path("name"));
    String plain = kind + " " + GoText.quoted(name);
    return switch (kind) {
      case "User" -> new Subject(USER + name, plain);
      case "Group" -> new Subject(GROUP + name, plain);
      case "ServiceAccount" -> {
        String given = Meta.text(subject.path("namespace"));
        String namespace = given.isEmpty() ? bindingNamespace : given;
        yield namespace.isEmpty()
            ? null
            : new Subject(
                USER + "system:serviceaccount:" + namespace + ":" + name,
                kind + " " + GoText.quoted(name + "/" + namespace));
      }
      default -> null;
    };
  }

  /** Where the role is found among all roles. */
  String roleKey() {
    return roleKey(ofClusterRole ? "" : namespace, role);
  }

  static String roleKey(String namespace, String name) {
    return namespace + "/" + name;
  }

  String allowedBy(Subject subject) {
    return "RBAC: allowed by "
        + (namespace.isEmpty() ? "ClusterRoleBinding " : "RoleBinding ")
        + GoText.quoted(namespace.isEmpty() ? name : name + "/" + namespace)
        + " of "
        + roleKind()
        + " "
        + GoText.quoted(role)
        + " to "
        + subject.shown();
  }

  /** In upstream's words. */
  String roleIsMissing() {
    return (ofClusterRole ? "clusterrole" : "role")
        + ".rbac.authorization.k8s.io "
        + GoText.quoted(role)
        + " not found";
  }

  private String roleKind() {
    return ofClusterRole ? "ClusterRole" : "Role";
  }
}
