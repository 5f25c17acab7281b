package dev.evenkeel.kernel.schema;

import dev.evenkeel.kernel.json.GoText;
import dev.evenkeel.kernel.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Collects what is wrong with an object. Owned by the one validation that made it. */
public final class Problems {

  /** More than that help nobody, and an object of a million faults must not make a huge answer. */
  private static final int ERRORS_MAX = 100;

  /** What all values that are shown may take together before each of them is cut. */
  private static final int VALUES_CHARS_MAX = 32 * 1024;

  private static final int VALUE_CHARS_MAX = 200;

  /** Of an object that is wrong as a whole, nobody wants to read more. */
  private static final int TREE_CHARS_MAX = 500;

  private final List<FieldError> errors = new ArrayList<>();
  private int shownChars;

  public List<FieldError> errors() {
    return List.copyOf(errors);
  }

  public boolean isEmpty() {
    return errors.isEmpty();
  }

  public int count() {
    return errors.size();
  }

  /** Of what is required twice, by a schema and by a kind's rules, the one with a reason stays. */
  public void required(String field, String detail) {
    String message = withDetail("Required value", detail);
    for (int i = 0; i < errors.size(); i++) {
      FieldError told = errors.get(i);
      if (told.reason() == FieldError.Reason.REQUIRED && told.field().equals(field)) {
        if (told.message().length() < message.length()) {
          errors.set(i, new FieldError(told.reason(), field, message));
        }
        return;
      }
    }
    add(FieldError.Reason.REQUIRED, field, message);
  }

  public void invalid(String field, JsonNode value, String detail) {
    add(FieldError.Reason.INVALID, field, withDetail("Invalid value: " + shown(value), detail));
  }

  public void invalid(String field, String value, String detail) {
    add(
        FieldError.Reason.INVALID,
        field,
        withDetail("Invalid value: " + GoText.quoted(cut(value)), detail));
  }

  public void notSupported(String field, String value, Collection<String> supported) {
    unsupported(field, GoText.quoted(cut(value)), supported);
  }

  /** The same for a value that is no string. */
  public void notSupported(String field, JsonNode value, Collection<String> supported) {
    unsupported(field, shown(value), supported);
  }

  private void unsupported(String field, String shown, Collection<String> supported) {
    String list = supported.stream().map(s -> "\"" + s + "\"").collect(Collectors.joining(", "));
    add(
        FieldError.Reason.NOT_SUPPORTED,
        field,
        "Unsupported value: " + shown + ": supported values: " + list);
  }

  /** A fault for which the value itself would tell nothing. */
  public void invalid(String field, String detail) {
    add(FieldError.Reason.INVALID, field, "Invalid value: " + detail);
  }

  public void forbidden(String field, String detail) {
    add(FieldError.Reason.FORBIDDEN, field, withDetail("Forbidden", detail));
  }

  public void duplicate(String field, JsonNode value) {
    add(FieldError.Reason.DUPLICATE, field, "Duplicate value: " + shown(value));
  }

  public void notFound(String field, String value) {
    add(FieldError.Reason.NOT_FOUND, field, "Not found: " + GoText.quoted(cut(value)));
  }

  public void tooLong(String field, int bytesMax) {
    add(FieldError.Reason.TOO_LONG, field, "Too long: may not be more than " + bytesMax + " bytes");
  }

  public void tooMany(String field, int actual, int max) {
    add(
        FieldError.Reason.TOO_MANY,
        field,
        "Too many: " + actual + ": must have at most " + max + " items");
  }

  public void wrongType(String field, JsonNode value, String detail) {
    add(
        FieldError.Reason.TYPE_INVALID,
        field,
        withDetail("Invalid value: " + shown(value), detail));
  }

  /** Adds it once: what the schema and a kind's rules both find is one problem to the user. */
  public void add(FieldError.Reason reason, String field, String message) {
    var error = new FieldError(reason, field, message);
    if (errors.size() < ERRORS_MAX && !errors.contains(error)) {
      errors.add(error);
    }
  }

  private static String withDetail(String head, String detail) {
    return detail.isEmpty() ? head : head + ": " + detail;
  }

  private String shown(JsonNode value) {
    return value.isString()
        ? GoText.quoted(cut(value.stringValue()))
        : cut(new String(Json.encode(value), StandardCharsets.UTF_8), TREE_CHARS_MAX);
  }

  private String cut(String text) {
    return cut(text, VALUES_CHARS_MAX);
  }

  private String cut(String text, int charsMax) {
    shownChars += text.length();
    if (shownChars > VALUES_CHARS_MAX && text.length() > VALUE_CHARS_MAX) {
      return text.substring(0, VALUE_CHARS_MAX) + "...";
    }
    return text.length() <= charsMax ? text : text.substring(0, charsMax) + "...";
  }
}
