package dev.evenkeel.kernel.patch;

import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** How patches are refused, in upstream's words. */
final class PatchErrors {

  private static final int VALUE_CHARS_MAX = 200;
  private static final int MESSAGE_CHARS_MAX = 1_000;

  private PatchErrors() {}

  /** It is no patch at all. */
  static ApiException malformed(String why) {
    return Status.badRequest(cut(why)).asException();
  }

  /**
   * It is a patch, but not for this object. As upstream, the client is not told why; whoever
   * catches it is.
   *
   * @param where the part of the patch that is to blame
   */
  static ApiException doesNotApply(String where, String why) {
    var status =
        new Status(
            422,
            "Invalid",
            "the server rejected our request due to an error in our request",
            new Status.Details("", "", "", "", List.of(), 0),
            null);
    return new ApiException(status, where + ": " + cut(why));
  }

  static ApiException tooLarge(String why) {
    return Status.tooLarge("Request entity too large: " + why).asException();
  }

  /** The value for an error's text, cut where it gets long. */
  static String shown(JsonNode value) {
    return cut(new String(Json.encode(value), StandardCharsets.UTF_8), VALUE_CHARS_MAX);
  }

  /** A path or a name in a patch can be as long as the body. */
  private static String cut(String text) {
    return cut(text, MESSAGE_CHARS_MAX);
  }

  private static String cut(String text, int charsMax) {
    return text.length() <= charsMax ? text : text.substring(0, charsMax) + "...";
  }
}
