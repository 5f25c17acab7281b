package dev.evenkeel.serve.cel;

import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;

/** What an expression is to make. */
public enum CelResultType {
  BOOL("bool"),
  STRING("string"),
  /** A text, or null for none: what audit annotations are made of. */
  STRING_OR_NULL("string"),
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
      case ANY -> true;
    };
  }
}
