package dev.evenkeel.serve.describe;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A protobuf message, taken apart without knowing what it means. */
record Protobuf(Map<Integer, List<byte[]>> fields) {

  static Protobuf read(byte[] bytes) {
    Map<Integer, List<byte[]>> fields = new HashMap<>();
    int[] at = {0};
    while (at[0] < bytes.length) {
      int tag = varint(bytes, at);
      int from = at[0];
      switch (tag & 7) {
        case 0 -> {
          int value = varint(bytes, at);
          add(fields, tag >>> 3, new byte[] {(byte) value});
        }
        case 1 -> {
          at[0] = from + Long.BYTES;
          add(fields, tag >>> 3, Arrays.copyOfRange(bytes, from, at[0]));
        }
        case 2 -> {
          int length = varint(bytes, at);
          from = at[0];
          at[0] = from + length;
          add(fields, tag >>> 3, Arrays.copyOfRange(bytes, from, at[0]));
        }
        default -> throw new IllegalArgumentException("wire type " + (tag & 7));
      }
    }
    if (at[0] != bytes.length) {
      throw new IllegalArgumentException("it ends in the middle of a field");
    }
    return new Protobuf(fields);
  }

  boolean has(int number) {
    return fields.containsKey(number);
  }

  Protobuf message(int number) {
    return read(fields.getOrDefault(number, List.of()).getFirst());
  }

  List<Protobuf> messages(int number) {
    return fields.getOrDefault(number, List.of()).stream().map(Protobuf::read).toList();
  }

  String text(int number) {
    return texts(number).getFirst();
  }

  List<String> texts(int number) {
    return fields.getOrDefault(number, List.of()).stream()
        .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
        .toList();
  }

  private static void add(Map<Integer, List<byte[]>> fields, int number, byte[] value) {
    fields.computeIfAbsent(number, _ -> new ArrayList<>()).add(value);
  }

  private static int varint(byte[] bytes, int[] at) {
    int value = 0;
    for (int shift = 0; ; shift += 7) {
      byte next = bytes[at[0]++];
      value |= (next & 0x7f) << shift;
      if (next >= 0) {
        return value;
      }
    }
  }
}
