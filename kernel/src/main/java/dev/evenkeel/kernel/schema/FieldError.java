package dev.evenkeel.kernel.schema;

/**
 * One thing wrong with one field, in the words that Kubernetes' clients know.
 *
 * @param field the path, for example {@code spec.containers[0].name}
 * @param message what follows the path: {@code Invalid value: -1: must be greater than or equal to
 *     0}, {@code Required value}, …
 */
public record FieldError(Reason reason, String field, String message) {

  /** The {@code reason} of a cause in a Status. */
  public enum Reason {
    NOT_FOUND("FieldValueNotFound"),
    REQUIRED("FieldValueRequired"),
    DUPLICATE("FieldValueDuplicate"),
    INVALID("FieldValueInvalid"),
    NOT_SUPPORTED("FieldValueNotSupported"),
    FORBIDDEN("FieldValueForbidden"),
    TOO_LONG("FieldValueTooLong"),
    TOO_MANY("FieldValueTooMany"),
    TYPE_INVALID("FieldValueTypeInvalid"),
    INTERNAL("InternalError");

    private final String word;

    Reason(String word) {
      this.word = word;
    }

    public String word() {
      return word;
    }
  }

  @Override
  public String toString() {
    return field + ": " + message;
  }
}
