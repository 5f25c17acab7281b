package dev.evenkeel.serve.cel;

import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypes;
import dev.cel.common.types.ListType;
import dev.evenkeel.serve.cel.type.MutationTypes;

/** What an expression is to make. */
public enum CelResultType {
  BOOL("bool"),
  STRING("string"),
  /** A text, or null for none: what audit annotations are made of. */
  STRING_OR_NULL("string"),
  /** An object to apply. */
  MUTATION("Object"),
  /** A list of patches. */
  PATCHES("list(JSONPatch)"),
  ANY("any");

  private final String shown;

  CelResultType(String shown) {
    this.shown = shown;
  }

  /** As it is called in messages. */
  public String shown() {
    return shown;
  }

  boolean accepts(CelType type) {
    return switch (this) {
      case BOOL -> type.kind() == CelKind.BOOL;
      case STRING -> type.kind() == CelKind.STRING;
      case STRING_OR_NULL -> type.kind() == CelKind.STRING || type.kind() == CelKind.NULL_TYPE;
      case MUTATION -> type.name().equals(MutationTypes.OBJECT);
      case PATCHES ->
          type instanceof ListType list && list.elemType().name().equals(MutationTypes.PATCH);
      case ANY -> true;
    };
  }

  /** What to say of an expression that makes something else. */
  String refusal(CelType found) {
    return switch (this) {
      case MUTATION, PATCHES -> "must evaluate to " + shown + " but got " + CelTypes.format(found);
      case BOOL, STRING, STRING_OR_NULL, ANY -> "cel expression must evaluate to a " + shown;
    };
  }
}
