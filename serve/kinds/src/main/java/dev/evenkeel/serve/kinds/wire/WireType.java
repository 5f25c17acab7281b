package dev.evenkeel.serve.kinds.wire;

import java.util.ArrayList;
import java.util.List;
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

  /**
   * Where a field stands.
   *
   * @param within numbers of the messages that it is in, from the outermost, which JSON does not
   *     show
   */
  @SuppressWarnings("ArrayRecordComponent")
  record Place(int[] within, WireField field) {

    Place inside(int number) {
      int[] deeper = new int[within.length + 1];
      deeper[0] = number;
      System.arraycopy(within, 0, deeper, 1, within.length);
      return new Place(deeper, field);
    }
  }

  /** Numbers are small and dense, so an array finds them; names are found by {@link NameTable}. */
  @SuppressWarnings("ArrayRecordComponent")
  private record Fields(@Nullable WireField[] byNumber, NameTable byName) {

    static Fields of(List<WireField> all) {
      int max = all.stream().mapToInt(WireField::number).max().orElse(0);
      var byNumber = new @Nullable WireField[max + 1];
      List<Place> places = new ArrayList<>();
      for (WireField field : all) {
        byNumber[field.number()] = field;
        if (field.count() == WireField.Count.INLINE) {
          for (Place place : field.type().places()) {
            places.add(place.inside(field.number()));
          }
        } else {
          places.add(new Place(new int[0], field));
        }
      }
      return new Fields(byNumber, new NameTable(places));
    }
  }

  String name() {
    return name;
  }

  @Nullable WireField field(int number) {
    @Nullable WireField[] byNumber = loaded().byNumber;
    return number < byNumber.length ? byNumber[number] : null;
  }

  /** Where the field stands whose name is there in the bytes, null if there is none. */
  @Nullable Place place(byte[] bytes, int start, int end) {
    return loaded().byName.find(bytes, start, end);
  }

  /** All fields, also of the messages that JSON does not show. */
  List<Place> places() {
    return loaded().byName.places();
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
