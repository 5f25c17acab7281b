package dev.evenkeel.serve.cel.value;

import dev.evenkeel.serve.cel.type.DeclaredType.ListMerge;
import java.util.List;

/** A list. */
public abstract class ListValue {

  public abstract int size();

  /**
   * @param index from 0 to below the size
   */
  public abstract Object get(int index);

  public ListMerge merge() {
    return ListMerge.ATOMIC;
  }

  public List<String> keys() {
    return List.of();
  }
}
