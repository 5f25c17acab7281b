package dev.evenkeel.serve.kinds.wire;

import dev.evenkeel.serve.kinds.wire.WireType.Place;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds fields by the bytes of their names, so that a name need not become a string to be looked
 * up. An open table, at most half full; names that share a place follow each other.
 *
 * <p>Threading: immutable.
 */
final class NameTable {

  private final List<Place> places;
  private final byte[] @Nullable [] names;
  private final @Nullable Place[] found;

  NameTable(List<Place> places) {
    this.places = List.copyOf(places);
    int size = Integer.highestOneBit(Math.max(1, places.size())) * 4;
    this.names = new byte[size][];
    this.found = new Place[size];
    for (Place place : places) {
      byte[] name = place.field().name().getBytes(StandardCharsets.UTF_8);
      int at = slot(name, 0, name.length);
      while (names[at] != null) {
        at = next(at);
      }
      names[at] = name;
      found[at] = place;
    }
  }

  List<Place> places() {
    return places;
  }

  @Nullable Place find(byte[] bytes, int start, int end) {
    int at = slot(bytes, start, end);
    byte[] name;
    while ((name = names[at]) != null) {
      if (name.length == end - start && Arrays.equals(name, 0, name.length, bytes, start, end)) {
        return found[at];
      }
      at = next(at);
    }
    return null;
  }

  private int next(int at) {
    return (at + 1) & (names.length - 1);
  }

  private int slot(byte[] bytes, int start, int end) {
    int hash = 0;
    for (int i = start; i < end; i++) {
      hash = hash * 31 + bytes[i];
    }
    return (hash ^ (hash >>> 7)) & (names.length - 1);
  }
}
