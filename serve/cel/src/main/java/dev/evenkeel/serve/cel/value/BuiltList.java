package dev.evenkeel.serve.cel.value;

import dev.evenkeel.serve.cel.meter.Meter;
import dev.evenkeel.serve.cel.type.DeclaredType.ListMerge;
import java.util.ArrayList;
import java.util.List;

/**
 * A list that an expression made.
 *
 * <p>Invariants: the first {@code length} elements of the backing never change; those after them
 * belong to longer lists that share it, so that a list built one element at a time is copied never.
 * Threading: owned by the evaluation.
 */
public final class BuiltList extends ListValue {

  private final List<Object> backing;
  private final int length;
  private final ListMerge merge;
  private final List<String> keys;

  private BuiltList(List<Object> backing, ListMerge merge, List<String> keys) {
    this.backing = backing;
    this.length = backing.size();
    this.merge = merge;
    this.keys = keys;
  }

  /** Takes over the elements. */
  public static BuiltList of(List<Object> elements) {
    return new BuiltList(elements, ListMerge.ATOMIC, List.of());
  }

  public static BuiltList of(List<Object> elements, ListMerge merge, List<String> keys) {
    return new BuiltList(elements, merge, keys);
  }

  @Override
  public int size() {
    return length;
  }

  @Override
  public Object get(int index) {
    return backing.get(index);
  }

  @Override
  public ListMerge merge() {
    return merge;
  }

  @Override
  public List<String> keys() {
    return keys;
  }

  /** The elements of both, where order is all there is to a list. */
  public static BuiltList joined(ListValue first, ListValue second, Meter meter) {
    List<Object> elements;
    if (first instanceof BuiltList built && built.length == built.backing.size()) {
      elements = built.backing;
    } else {
      meter.work(4L * first.size());
      elements = new ArrayList<>(Math.addExact(first.size(), second.size()));
      for (int i = 0; i < first.size(); i++) {
        elements.add(first.get(i));
      }
    }
    meter.work(4L * second.size());
    int count = second.size();
    for (int i = 0; i < count; i++) {
      elements.add(second.get(i));
    }
    return of(elements);
  }
}
