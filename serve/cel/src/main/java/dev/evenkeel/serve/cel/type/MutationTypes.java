package dev.evenkeel.serve.cel.type;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The types that changes are made of: {@code JSONPatch}, and {@code Object} with a type for each
 * path below it. Objects have any field of any type; but the checker wants to know the names of
 * fields, so an object has all the names that the expression speaks of.
 */
public final class MutationTypes {

  public static final String OBJECT = "Object";
  public static final String PATCH = "JSONPatch";

  private static final ImmutableMap<String, CelType> PATCH_FIELDS =
      ImmutableMap.of(
          "op", SimpleType.STRING,
          "from", SimpleType.STRING,
          "path", SimpleType.STRING,
          "value", SimpleType.DYN);

  private static final StructType PATCH_TYPE =
      StructType.create(
          PATCH, PATCH_FIELDS.keySet(), name -> Optional.ofNullable(PATCH_FIELDS.get(name)));

  private MutationTypes() {}

  /** The names that an expression speaks of which could be those of fields. */
  public static ImmutableSet<String> names(CelExpr expression) {
    ImmutableSet.Builder<String> names = ImmutableSet.builder();
    collect(expression, names);
    return names.build();
  }

  /**
   * The type of that name, or null if it is none of these.
   *
   * @param fields the names of all the fields that objects have
   */
  public static @Nullable StructType find(String name, ImmutableSet<String> fields) {
    if (name.equals(PATCH)) {
      return PATCH_TYPE;
    }
    return isObject(name)
        ? StructType.create(name, fields, field -> Optional.of(SimpleType.DYN))
        : null;
  }

  public static boolean isObject(String name) {
    return name.equals(OBJECT) || name.startsWith(OBJECT + ".");
  }

  private static void collect(CelExpr expression, ImmutableSet.Builder<String> names) {
    switch (expression.getKind()) {
      case CONSTANT -> {
        // The name in {@code a.?name} is a constant.
        if (expression.constant().getKind() == CelConstant.Kind.STRING_VALUE) {
          names.add(expression.constant().stringValue());
        }
      }
      case SELECT -> {
        names.add(expression.select().field());
        collect(expression.select().operand(), names);
      }
      case CALL -> {
        expression.call().target().ifPresent(target -> collect(target, names));
        expression.call().args().forEach(argument -> collect(argument, names));
      }
      case LIST -> expression.list().elements().forEach(element -> collect(element, names));
      case MAP -> {
        for (CelExpr.CelMap.Entry entry : expression.map().entries()) {
          collect(entry.key(), names);
          collect(entry.value(), names);
        }
      }
      case STRUCT -> {
        for (CelExpr.CelStruct.Entry entry : expression.struct().entries()) {
          names.add(entry.fieldKey());
          collect(entry.value(), names);
        }
      }
      case COMPREHENSION -> {
        CelExpr.CelComprehension loop = expression.comprehension();
        collect(loop.iterRange(), names);
        collect(loop.accuInit(), names);
        collect(loop.loopCondition(), names);
        collect(loop.loopStep(), names);
        collect(loop.result(), names);
      }
      case IDENT, NOT_SET -> {}
    }
  }
}
