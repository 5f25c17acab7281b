package dev.evenkeel.observe.transport;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.json.JsonException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Reads what a server says when it does not do what was asked. */
public final class Statuses {

  private static final int SHOWN_CHARS_MAX = 300;

  private Statuses() {}

  /** The status in a refusal's body; one made of code and text if a proxy or the like answered. */
  public static Status of(int code, int retryAfterSeconds, byte[] body) {
    try {
      JsonNode tree = Json.parse(body);
      if (Meta.text(tree.path("kind")).equals("Status")) {
        return of(code, retryAfterSeconds, tree);
      }
    } catch (JsonException e) {
      // No status: its text is what there is to say.
    }
    String text = new String(body, StandardCharsets.UTF_8).strip();
    return new Status(
        code,
        "",
        text.isEmpty()
            ? "the server answered " + code
            : text.substring(0, Math.min(text.length(), SHOWN_CHARS_MAX)),
        new Status.Details("", "", "", "", List.of(), retryAfterSeconds),
        null);
  }

  /** A status that was decoded, in a body or in a watch's ERROR event. */
  public static Status of(int code, int retryAfterSeconds, JsonNode tree) {
    JsonNode details = tree.path("details");
    List<Status.Cause> causes = new ArrayList<>();
    for (JsonNode cause : details.path("causes")) {
      causes.add(
          new Status.Cause(
              Meta.text(cause.path("reason")),
              Meta.text(cause.path("message")),
              Meta.text(cause.path("field"))));
    }
    String token = Meta.text(tree.path("metadata").path("continue"));
    return new Status(
        tree.path("code").isInt() || tree.path("code").isLong()
            ? tree.path("code").intValue()
            : code,
        Meta.text(tree.path("reason")),
        Meta.text(tree.path("message")),
        new Status.Details(
            Meta.text(details.path("name")),
            Meta.text(details.path("group")),
            Meta.text(details.path("kind")),
            Meta.text(details.path("uid")),
            causes,
            Math.max(retryAfterSeconds, details.path("retryAfterSeconds").asInt(0))),
        token.isEmpty() ? null : token);
  }
}
