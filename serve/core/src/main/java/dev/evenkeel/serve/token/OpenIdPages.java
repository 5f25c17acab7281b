package dev.evenkeel.serve.token;

import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.serve.api.ApiResponse;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * By which others verify tokens of ours: OpenID Connect's discovery document and the set of keys,
 * as far as verifying needs them.
 */
public final class OpenIdPages {

  /** Where the keys are. */
  public static final String KEYS_PATH = "/openid/v1/jwks";

  /** Where a client that knows nothing but the issuer begins. */
  public static final String CONFIGURATION_PATH = "/.well-known/openid-configuration";

  /** A key signs for no less than that after it was published, if it is rotated with care. */
  private static final int KEPT_SECONDS_MAX = 3600;

  private final TokenSettings settings;

  /** The server's own address, {@code https://HOST:PORT}; empty until it is known. */
  private volatile String ownUrl = "";

  public OpenIdPages(TokenSettings settings) {
    this.settings = settings;
  }

  public void ownUrl(String url) {
    ownUrl = url;
  }

  /** The page at a path, null if there is none. */
  public @Nullable ApiResponse page(List<String> segments) {
    return switch ("/" + String.join("/", segments)) {
      case KEYS_PATH -> answer("application/jwk-set+json", keys());
      case CONFIGURATION_PATH -> answer("application/json", configuration());
      default -> null;
    };
  }

  private static ApiResponse answer(String type, ObjectNode body) {
    return new ApiResponse(
        200,
        List.of(
            new ApiResponse.Header("Content-Type", type),
            new ApiResponse.Header("Cache-Control", "public, max-age=" + KEPT_SECONDS_MAX)),
        new ApiResponse.Whole(Json.encode(body)));
  }

  private ObjectNode keys() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    ArrayNode keys = json.putArray("keys");
    settings.keys().verifying().forEach(key -> keys.add(key.jwk()));
    return json;
  }

  private ObjectNode configuration() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("issuer", settings.issuers().getFirst());
    json.put(
        "jwks_uri",
        settings.jwksUri().isEmpty()
            ? (ownUrl.isEmpty() ? settings.issuers().getFirst() : ownUrl) + KEYS_PATH
            : settings.jwksUri());
    json.putArray("response_types_supported").add("id_token");
    json.putArray("subject_types_supported").add("public");
    ArrayNode algorithms = json.putArray("id_token_signing_alg_values_supported");
    var names = new TreeSet<String>();
    settings.keys().verifying().forEach(key -> names.add(key.algorithm().name()));
    names.forEach(algorithms::add);
    return json;
  }
}
