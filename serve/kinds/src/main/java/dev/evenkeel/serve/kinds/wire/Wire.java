package dev.evenkeel.serve.kinds.wire;

/** The ways in which protobuf writes a value: the low three bits of what stands before it. */
final class Wire {

  static final int VARINT = 0;
  static final int FIXED64 = 1;
  static final int LENGTH = 2;
  static final int GROUP = 3;
  static final int GROUP_END = 4;
  static final int FIXED32 = 5;

  private Wire() {}
}
