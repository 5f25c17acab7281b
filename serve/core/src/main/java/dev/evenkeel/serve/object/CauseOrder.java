package dev.evenkeel.serve.object;

import dev.evenkeel.kernel.schema.FieldError;
import dev.evenkeel.kernel.schema.Schema;
import dev.evenkeel.serve.kinds.wire.DeclaredOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The order in which a refusal tells its causes. A kind's rules tell theirs in upstream's order.
 * What the schema found was found by the alphabet and before them: it goes to where upstream, which
 * looks at fields mostly as they are declared, would have told it.
 */
final class CauseOrder {

  private CauseOrder() {}

  /**
   * @param from where among the errors those that the schema found begin
   * @param to where they end
   */
  static List<FieldError> of(List<FieldError> errors, int from, int to, Schema.Struct type) {
    if (errors.size() < 2 || from == to) {
      return errors;
    }
    List<FieldError> found = new ArrayList<>();
    for (FieldError error : errors.subList(from, to)) {
      int at = found.size();
      while (at > 0 && isBefore(type, error, found.get(at - 1))) {
        at--;
      }
      found.add(at, error);
    }
    List<FieldError> ordered = new ArrayList<>(errors.subList(0, from));
    int next = 0;
    for (FieldError error : errors.subList(to, errors.size())) {
      while (next < found.size() && !isBefore(type, error, found.get(next))) {
        ordered.add(found.get(next++));
      }
      ordered.add(error);
    }
    ordered.addAll(found.subList(next, found.size()));
    return ordered;
  }

  private static boolean isBefore(Schema.Struct type, FieldError error, FieldError other) {
    return DeclaredOrder.isBefore(type, error.field(), other.field());
  }
}
