package dev.evenkeel.serve.cel.value;

/** A value that only functions can look into. Its {@code equals} is the language's. */
public interface Opaque {

  String typeName();

  /** Its size where something is charged by size. */
  default long size() {
    return 1;
  }
}
