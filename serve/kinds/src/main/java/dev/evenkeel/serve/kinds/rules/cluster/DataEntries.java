package dev.evenkeel.serve.kinds.rules.cluster;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.serve.kinds.rules.check.Place;
import dev.evenkeel.serve.kinds.rules.check.Same;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Entries of config maps and secrets. */
final class DataEntries {

  static final int BYTES_MAX = 1024 * 1024;

  private static final int UTF8_BYTES_A_CHAR_MAX = 3;

  private DataEntries() {}

  /**
   * Whether all values together are more than may be stored. They are counted only if they have so
   * many characters that they could be: almost none have.
   */
  static boolean areTooLong(JsonNode texts, JsonNode base64) {
    return (chars(texts) + chars(base64)) * UTF8_BYTES_A_CHAR_MAX > BYTES_MAX
        && bytes(texts, false) + bytes(base64, true) > BYTES_MAX;
  }

  private static long chars(JsonNode data) {
    long chars = 0;
    for (JsonNode value : data) {
      chars += Meta.text(value).length();
    }
    return chars;
  }

  private static long bytes(JsonNode data, boolean base64) {
    long bytes = 0;
    for (JsonNode value : data) {
      bytes += base64 ? decodedLength(Meta.text(value)) : utf8Length(Meta.text(value));
    }
    return bytes;
  }

  private static long decodedLength(String base64) {
    int length = base64.length();
    int padding = base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0;
    return length / 4 * 3L - padding;
  }

  /** Without encoding: values may be a megabyte. */
  private static long utf8Length(String text) {
    long bytes = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      bytes += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
    }
    return bytes;
  }

  /** What was declared unchangeable stays so, with its contents. */
  static void validateImmutable(Place whole, JsonNode old, List<String> fields) {
    if (!old.path("immutable").asBoolean(false)) {
      return;
    }
    String detail = "field is immutable when `immutable` is set";
    if (!whole.at("immutable").flag()) {
      whole.at("immutable").forbidden(detail);
    }
    for (String field : fields) {
      if (!Same.same(whole.at(field).node(), old.path(field))) {
        whole.at(field).forbidden(detail);
      }
    }
  }
}
