package dev.evenkeel.serve.registry;

import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.selector.FieldSelector;
import dev.evenkeel.kernel.selector.LabelSelector;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.cache.Scope;
import java.util.List;

/** What a request's namespace, name and selectors select. */
final class Scopes {

  private Scopes() {}

  /** The scope of a list, a watch or a deletecollection. */
  static Scope of(Call call, Served served) {
    String namespace = call.target().namespace();
    LabelSelector labels = LabelSelector.parse(call.query().text("labelSelector"));
    FieldSelector fields = FieldSelector.parse(call.query().text("fieldSelector"));
    Scope scope = Scope.of(namespace);
    String name = call.target().name();
    if (!name.isEmpty()) {
      // The old form of a watch of one object.
      fields = FieldSelector.parse("metadata.name=" + name);
    }
    if (labels.isEverything() && fields.isEverything()) {
      return scope;
    }
    List<String> known = served.cache().indexedFields();
    for (FieldSelector.Requirement requirement : fields.requirements()) {
      check(requirement.path(), served, known);
    }
    FieldSelector fieldSelector = fields;
    scope =
        scope.where(
            "labels " + labels + " fields " + fields,
            object ->
                (labels.isEverything() || labels.matches(object.labels()))
                    && (fieldSelector.isEverything()
                        || fieldSelector.matches(path -> value(object, path, known))));
    return indexed(scope, fieldSelector, known);
  }

  private static Scope indexed(Scope scope, FieldSelector fields, List<String> known) {
    String name = fields.exactValue("metadata.name");
    if (name != null) {
      return scope.named(name);
    }
    for (int i = 0; i < known.size(); i++) {
      String value = fields.exactValue(known.get(i));
      if (value != null) {
        return scope.withField(i, value);
      }
    }
    return scope;
  }

  private static void check(String path, Served served, List<String> known) {
    boolean meta = path.equals("metadata.name") || path.equals("metadata.namespace");
    if (!meta && !(known.contains(path) && served.definition().selectableFields().contains(path))) {
      throw Status.badRequest(
              "field label not supported: "
                  + path
                  + " (known for "
                  + served.gvk().kind()
                  + ": metadata.name, metadata.namespace"
                  + String.join("", known.stream().map(field -> ", " + field).toList())
                  + ")")
          .asException();
    }
  }

  private static String value(CachedObject object, String path, List<String> known) {
    return switch (path) {
      case "metadata.name" -> object.name();
      case "metadata.namespace" -> object.namespace();
      default -> object.field(known.indexOf(path));
    };
  }
}
