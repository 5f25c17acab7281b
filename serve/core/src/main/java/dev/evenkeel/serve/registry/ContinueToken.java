package dev.evenkeel.serve.registry;

import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.json.JsonException;
import java.util.Base64;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Where the next page of a list begins.
 *
 * @param revision of the list, or {@link #INCONSISTENT}
 * @param start the first key that the next page may hold
 */
record ContinueToken(long revision, String start) {

  /** Goes on at the newest state instead of the one the list began with. */
  static final long INCONSISTENT = -1;

  private static final int CHARS_MAX = 4_096;

  /** The page after an object. */
  static ContinueToken after(long revision, String key) {
    return new ContinueToken(revision, key + "\0");
  }

  String encode() {
    JsonNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("v", "meta.k8s.io/v1")
            .put("rv", revision)
            .put("start", start);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(Json.encode(json));
  }

  static ContinueToken parse(String text) {
    if (text.length() > CHARS_MAX) {
      throw invalid("it is too long");
    }
    try {
      JsonNode json = Json.parseObject(Base64.getUrlDecoder().decode(text));
      if (!json.path("v").asString("").equals("meta.k8s.io/v1")) {
        throw invalid("server does not recognize this encoded version");
      }
      if (!json.path("start").isString() || !json.path("rv").isIntegralNumber()) {
        throw invalid("encoded start and version are missing");
      }
      long revision = json.path("rv").longValue();
      String start = json.path("start").stringValue();
      if (start.isEmpty() || start.contains("..") || revision == 0 || revision < INCONSISTENT) {
        throw invalid("incorrect encoded start or version");
      }
      return new ContinueToken(revision, start);
    } catch (IllegalArgumentException | JsonException e) {
      throw invalid("it is none of this server's");
    }
  }

  private static dev.evenkeel.kernel.api.ApiException invalid(String why) {
    return Status.badRequest("continue key is not valid: " + why).asException();
  }
}
