package dev.evenkeel.serve.cel.value;

/** The value {@code null}. */
public enum NullValue {
  NULL
}
