package dev.evenkeel.serve.cel.value;

/** A type as a value, as {@code type(x)} makes it. */
public record TypeValue(String name) {}
