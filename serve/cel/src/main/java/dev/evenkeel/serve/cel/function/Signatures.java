package dev.evenkeel.serve.cel.function;

import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.TypeParamType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Reads signatures: {@code string::charAt(int) -> string} is called on a string, {@code
 * sets.contains(list(T), list(T)) -> bool} on nothing. Capitals are type parameters.
 */
public final class Signatures {

  public record Signature(String name, CelOverloadDecl overload) {}

  private static final Map<String, CelType> SCALARS =
      Map.of(
          "bool", SimpleType.BOOL,
          "int", SimpleType.INT,
          "uint", SimpleType.UINT,
          "double", SimpleType.DOUBLE,
          "string", SimpleType.STRING,
          "bytes", SimpleType.BYTES,
          "dyn", SimpleType.DYN,
          "timestamp", SimpleType.TIMESTAMP,
          "duration", SimpleType.DURATION);

  private Signatures() {}

  public static Signature of(String id, String text) {
    int arrow = text.lastIndexOf(" -> ");
    int open = text.indexOf('(', Math.max(0, text.indexOf("::")));
    CelType result = type(text.substring(arrow + 4));
    var parameters = new ArrayList<CelType>();
    String head = text.substring(0, open);
    int member = head.indexOf("::");
    if (member >= 0) {
      parameters.add(type(head.substring(0, member)));
    }
    for (String parameter : parts(text.substring(open + 1, arrow - 1))) {
      parameters.add(type(parameter));
    }
    String name = member >= 0 ? head.substring(member + 2) : head;
    return new Signature(
        name,
        member >= 0
            ? CelOverloadDecl.newMemberOverload(id, result, parameters)
            : CelOverloadDecl.newGlobalOverload(id, result, parameters));
  }

  static CelType type(String text) {
    CelType scalar = SCALARS.get(text);
    if (scalar != null) {
      return scalar;
    }
    int open = text.indexOf('(');
    if (open < 0) {
      return text.length() == 1 ? TypeParamType.create(text) : OpaqueType.create(text);
    }
    List<String> parts = parts(text.substring(open + 1, text.length() - 1));
    CelType first = type(parts.getFirst());
    return switch (text.substring(0, open)) {
      case "list" -> ListType.create(first);
      case "map" -> MapType.create(first, type(parts.get(1)));
      case "optional" -> OptionalType.create(first);
      default -> throw new IllegalArgumentException(text);
    };
  }

  private static List<String> parts(String text) {
    var parts = new ArrayList<String>();
    int depth = 0;
    int start = 0;
    for (int i = 0; i < text.length(); i++) {
      switch (text.charAt(i)) {
        case '(' -> depth++;
        case ')' -> depth--;
        case ',' -> {
          if (depth == 0) {
            parts.add(text.substring(start, i).strip());
            start = i + 1;
          }
        }
        default -> {}
      }
    }
    if (start < text.length()) {
      parts.add(text.substring(start).strip());
    }
    return parts;
  }
}
