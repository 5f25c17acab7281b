package dev.evenkeel.serve.cel.json;

import dev.evenkeel.serve.cel.meter.Meter;
import dev.evenkeel.serve.cel.type.DeclaredType;
import dev.evenkeel.serve.cel.type.DeclaredType.ListMerge;
import dev.evenkeel.serve.cel.value.ListValue;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;

/** A JSON array, looked at in place. */
final class JsonList extends ListValue {

  private final ArrayNode array;
  private final DeclaredType type;
  private final Meter meter;

  JsonList(ArrayNode array, DeclaredType type, Meter meter) {
    this.array = array;
    this.type = type;
    this.meter = meter;
  }

  ArrayNode array() {
    return array;
  }

  @Override
  public int size() {
    return array.size();
  }

  @Override
  public Object get(int index) {
    DeclaredType element = type.element();
    return JsonValues.of(array.get(index), element == null ? DeclaredType.DYN : element, meter);
  }

  @Override
  public ListMerge merge() {
    return type.listMerge();
  }

  @Override
  public List<String> keys() {
    return type.listKeys();
  }
}
