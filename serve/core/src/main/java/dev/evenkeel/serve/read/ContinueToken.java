package dev.evenkeel.serve.read;

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
    JsonNode json;
    try {
      json = Json.parseObject(Base64.getUrlDecoder().decode(text));
    } catch (JsonException e) {
      throw invalid(String.valueOf(e.getMessage()));
    } catch (IllegalArgumentException e) {
      throw invalid("illegal base64 data at input byte " + firstIllegal(text));
    }
    if (!json.path("v").asString("").equals("meta.k8s.io/v1")) {
      throw invalid(
          "server does not recognize this encoded version " + json.path("v").asString(""));
    }
    long revision = json.path("rv").asLong(0);
    String start = json.path("start").asString("");
    if (revision == 0 || revision < INCONSISTENT) {
      throw invalid("incorrect encoded start resourceVersion (version meta.k8s.io/v1)");
    }
    if (start.isEmpty()) {
      throw invalid("encoded start key empty (version meta.k8s.io/v1)");
    }
    if (start.contains("..")) {
      throw invalid(start);
    }
    return new ContinueToken(revision, start);
  }

  private static int firstIllegal(String text) {
    int at = 0;
    while (at < text.length()
        && (Character.isLetterOrDigit(text.charAt(at)) || "-_".indexOf(text.charAt(at)) >= 0)) {
      at++;
    }
    return at;
  }

  private static dev.evenkeel.kernel.api.ApiException invalid(String why) {
    return Status.badRequest("invalid continue token: continue key is not valid: " + why)
        .asException();
  }
}
