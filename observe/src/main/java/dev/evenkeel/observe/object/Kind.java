package dev.evenkeel.observe.object;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.kernel.define.CustomKind;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import tools.jackson.databind.node.ObjectNode;

/**
 * A kind as a client names it: where its objects are, and what they are decoded to. Two kinds are
 * equal, and share a cache, if they are in the same place and decode alike.
 *
 * @param plural as in paths, for example {@code pods}
 */
public record Kind<T>(Gvk gvk, String plural, boolean namespaced, Decoder<T> decoder) {

  /** A kind whose objects are trees. */
  public static Kind<ObjectNode> untyped(
      String apiVersion, String kind, String plural, boolean namespaced) {
    return new Kind<>(Gvk.of(apiVersion, kind), plural, namespaced, Decoder.TREE);
  }

  /** A kind whose objects become records, of which the components are the fields of interest. */
  public static <T> Kind<T> of(
      String apiVersion, String kind, String plural, boolean namespaced, Class<T> type) {
    return new Kind<>(Gvk.of(apiVersion, kind), plural, namespaced, Decoder.of(type));
  }

  /** The kind of a record that is a {@link CustomKind}. */
  public static <T> Kind<T> custom(Class<T> type) {
    CustomKind custom = type.getAnnotation(CustomKind.class);
    if (custom == null) {
      throw new IllegalArgumentException(type.getName() + " is no @CustomKind");
    }
    String kind = custom.kind().isEmpty() ? type.getSimpleName() : custom.kind();
    return new Kind<>(
        new Gvk(custom.group(), custom.version(), kind),
        custom.plural().isEmpty() ? kind.toLowerCase(Locale.ROOT) + "s" : custom.plural(),
        custom.namespaced(),
        Decoder.of(type));
  }

  /** The path of all objects, or of those in a namespace if it is not empty. */
  public String collectionPath(String namespace) {
    if (!namespace.isEmpty() && !namespaced) {
      throw new IllegalArgumentException(plural + " are not in namespaces");
    }
    return (gvk.group().isEmpty() ? "/api/" : "/apis/" + gvk.group() + "/")
        + gvk.version()
        + (namespace.isEmpty() ? "" : "/namespaces/" + encoded(namespace))
        + "/"
        + plural;
  }

  /** The path of one object. */
  public String objectPath(String namespace, String name) {
    if (name.isEmpty() || (namespaced && namespace.isEmpty())) {
      throw new IllegalArgumentException(
          "one of the " + plural + " is named by " + (namespaced ? "namespace and name" : "name"));
    }
    return collectionPath(namespace) + "/" + encoded(name);
  }

  /** Names with a colon, such as RBAC's, stay readable; whatever else is odd is encoded. */
  private static String encoded(String segment) {
    return URLEncoder.encode(segment, StandardCharsets.UTF_8)
        .replace("+", "%20")
        .replace("%3A", ":");
  }

  /** {@code pods} or {@code deployments.apps}. */
  @Override
  public String toString() {
    return gvk.group().isEmpty() ? plural : plural + "." + gvk.group();
  }
}
