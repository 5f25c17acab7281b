package dev.evenkeel.serve.read;

import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.selector.FieldSelector;
import dev.evenkeel.kernel.selector.LabelSelector;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.cache.Scope;
import dev.evenkeel.serve.call.Call;
import dev.evenkeel.serve.kinds.catalog.Catalog;
import dev.evenkeel.serve.kinds.catalog.SelectableField;
import dev.evenkeel.serve.resource.Served;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What a request's namespace, name and selectors select. */
public final class Scopes {

  private Scopes() {}

  /** The scope of a list, a watch or a deletecollection. */
  public static Scope of(Call call, Served served) {
    LabelSelector labels = LabelSelector.parse(call.query().text("labelSelector"));
    String name = call.target().name();
    // A name in the path is the old form of a watch of one object.
    FieldSelector fields =
        FieldSelector.parse(
            name.isEmpty() ? call.query().text("fieldSelector") : "metadata.name=" + name);
    Scope scope = Scope.of(call.target().namespace());
    if (labels.isEverything() && fields.isEverything()) {
      return scope;
    }
    Map<String, Value> values = values(served, fields);
    Scope filtered =
        scope.where(
            "labels " + labels + " fields " + fields,
            object ->
                (labels.isEverything() || labels.matches(object.labels()))
                    && (fields.isEverything()
                        || fields.matches(path -> value(object, path, values))));
    return indexed(filtered, fields, values);
  }

  /** Where a selectable field's value is among those that are kept beside an object. */
  private record Value(List<Integer> fields, String absent) {

    String of(CachedObject object) {
      for (int field : fields) {
        String value = object.field(field);
        if (!value.isEmpty()) {
          return value;
        }
      }
      return absent;
    }
  }

  private static Map<String, Value> values(Served served, FieldSelector selector) {
    if (selector.isEverything()) {
      return Map.of();
    }
    Map<String, Value> values = new HashMap<>();
    for (SelectableField field : Catalog.selectableFields(served.definition())) {
      List<Integer> places =
          field.storedPaths().stream()
              .map(served.cache().indexedFields()::indexOf)
              .filter(place -> place >= 0)
              .toList();
      values.put(field.path(), new Value(places, field.absent()));
    }
    boolean special = !values.isEmpty() || served.definition().rules().isCustom();
    for (FieldSelector.Requirement requirement : selector.requirements()) {
      String path = requirement.path();
      boolean known =
          path.equals("metadata.name")
              || (path.equals("metadata.namespace")
                  && (served.definition().namespaced() || !special))
              || values.containsKey(path);
      if (!known) {
        throw Status.badRequest(unknown(served, path, special)).asException();
      }
    }
    return values;
  }

  /** Kinds with fields of their own to select by have words of their own for it. */
  private static String unknown(Served served, String path, boolean special) {
    if (!special) {
      return "\""
          + path
          + "\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\"";
    }
    return switch (served.plural() + "." + served.group()) {
      case "jobs.batch" -> "field label \"" + path + "\" not supported for Job";
      case "resourceslices.resource.k8s.io" ->
          "field label not supported for "
              + served.gvk().apiVersion()
              + ", Kind=ResourceSlice: "
              + path;
      default -> "field label not supported: " + path;
    };
  }

  private static Scope indexed(Scope scope, FieldSelector fields, Map<String, Value> values) {
    String name = fields.exactValue("metadata.name");
    if (name != null) {
      return scope.named(name);
    }
    for (Map.Entry<String, Value> known : values.entrySet()) {
      String wanted = fields.exactValue(known.getKey());
      // Only what stands in one place, and is there, can be looked up by its value.
      if (wanted != null
          && !wanted.isEmpty()
          && !wanted.equals(known.getValue().absent())
          && known.getValue().fields().size() == 1) {
        return scope.withField(known.getValue().fields().getFirst(), wanted);
      }
    }
    return scope;
  }

  private static String value(CachedObject object, String path, Map<String, Value> values) {
    return switch (path) {
      case "metadata.name" -> object.name();
      case "metadata.namespace" -> object.namespace();
      default -> {
        Value value = values.get(path);
        yield value == null ? "" : value.of(object);
      }
    };
  }
}
