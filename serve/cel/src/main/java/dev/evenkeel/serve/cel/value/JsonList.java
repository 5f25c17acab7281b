package dev.evenkeel.serve.cel.value;

import dev.evenkeel.serve.cel.type.DeclaredType;
import dev.evenkeel.serve.cel.type.DeclaredType.ListMerge;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;

/** A JSON array, looked at in place. */
final class JsonList extends ListValue {

  private final ArrayNode array;
  private final DeclaredType type;

  JsonList(ArrayNode array, DeclaredType type) {
    this.array = array;
    this.type = type;
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
    return JsonValues.of(array.get(index), element == null ? DeclaredType.DYN : element);
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
