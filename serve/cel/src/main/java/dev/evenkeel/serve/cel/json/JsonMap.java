package dev.evenkeel.serve.cel.json;

import dev.evenkeel.serve.cel.meter.Meter;
import dev.evenkeel.serve.cel.type.DeclaredType;
import dev.evenkeel.serve.cel.value.MapValue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A JSON object, looked at in place: a map, or an object with the fields of its type. */
final class JsonMap extends MapValue {

  private final ObjectNode object;
  private final DeclaredType type;
  private final Meter meter;

  JsonMap(ObjectNode object, DeclaredType type, Meter meter) {
    this.object = object;
    this.type = type;
    this.meter = meter;
  }

  ObjectNode object() {
    return object;
  }

  private boolean hasFields() {
    return type.kind() == DeclaredType.Kind.OBJECT;
  }

  @Override
  public int size() {
    return hasFields() ? keys().size() : object.size();
  }

  @Override
  public @Nullable Object find(Object key) {
    if (!(key instanceof String name)) {
      return null;
    }
    if (hasFields()) {
      DeclaredType.Field field = type.fields().get(name);
      JsonNode value = field == null ? null : object.get(field.name());
      return field == null || value == null ? null : JsonValues.of(value, field.type(), meter);
    }
    DeclaredType element = type.element();
    JsonNode value = object.get(name);
    return value == null
        ? null
        : JsonValues.of(value, element == null ? DeclaredType.DYN : element, meter);
  }

  @Override
  public Collection<String> keys() {
    if (!hasFields()) {
      return object.propertyNames();
    }
    var present = new ArrayList<String>();
    for (Map.Entry<String, DeclaredType.Field> field : type.fields().entrySet()) {
      if (object.has(field.getValue().name())) {
        present.add(field.getKey());
      }
    }
    return present;
  }

  @Override
  public String typeName() {
    return hasFields() ? type.celType().name() : "map";
  }
}
