package dev.evenkeel.serve.kinds.wire;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a message, by number and by name.
 *
 * <p>Invariants: fields never change once they were read. They are read when first asked for, since
 * types contain each other and themselves. Threading: any; two threads may both read them, and read
 * the same.
 */
final class WireType {

  private final String name;
  private final Supplier<List<WireField>> source;
  private volatile @Nullable Fields fields;

  WireType(String name, Supplier<List<WireField>> source) {
    this.name = name;
    this.source = source;
  }

  /** Numbers are small and dense, so an array finds them. */
  @SuppressWarnings("ArrayRecordComponent")
  private record Fields(
      @Nullable WireField[] byNumber, Map<String, WireField> byName, List<WireField> inline) {

    static Fields of(List<WireField> all) {
      int max = all.stream().mapToInt(WireField::number).max().orElse(0);
      var byNumber = new @Nullable WireField[max + 1];
      Map<String, WireField> byName = new HashMap<>();
      for (WireField field : all) {
        byNumber[field.number()] = field;
        if (field.count() != WireField.Count.INLINE) {
          byName.put(field.name(), field);
        }
      }
      return new Fields(
          byNumber,
          byName,
          all.stream().filter(field -> field.count() == WireField.Count.INLINE).toList());
    }
  }

  String name() {
    return name;
  }

  @Nullable WireField field(int number) {
    @Nullable WireField[] byNumber = loaded().byNumber;
    return number < byNumber.length ? byNumber[number] : null;
  }

  @Nullable WireField field(String fieldName) {
    return loaded().byName.get(fieldName);
  }

  List<WireField> inline() {
    return loaded().inline;
  }

  private Fields loaded() {
    Fields known = fields;
    if (known == null) {
      known = Fields.of(source.get());
      fields = known;
    }
    return known;
  }

  @Override
  public String toString() {
    return name;
  }
}
