package dev.evenkeel.serve.cel.value;

/**
 * An object that an expression made to be applied; it is no map to expressions.
 *
 * @param typeName {@code Object}, and the path to its place after that
 */
public record ObjectValue(String typeName, BuiltMap fields) implements Opaque {

  /** The value of a field; of one that was not set it is null, as upstream has it. */
  public Object field(String name) {
    Object value = fields.find(name);
    return value == null ? NullValue.NULL : value;
  }
}
