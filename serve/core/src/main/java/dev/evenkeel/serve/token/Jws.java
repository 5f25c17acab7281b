package dev.evenkeel.serve.token;

import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.json.JsonException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A signed text in the compact form of RFC 7515: header, payload and signature, each in base64url,
 * with dots between them. Read strictly: one text has one meaning.
 */
final class Jws {

  /** Far more than any claim needs. */
  static final int CHARS_MAX = 64 * 1024;

  private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
  private static final Base64.Decoder DECODER = Base64.getUrlDecoder();

  private final ObjectNode header;
  private final ObjectNode payload;
  private final byte[] signed;
  private final byte[] signature;

  private Jws(ObjectNode header, ObjectNode payload, byte[] signed, byte[] signature) {
    this.header = header;
    this.payload = payload;
    this.signed = signed;
    this.signature = signature;
  }

  static String sign(SigningKey key, ObjectNode payload) {
    ObjectNode header = JsonNodeFactory.instance.objectNode();
    header.put("alg", key.verification().algorithm().name()).put("kid", key.verification().id());
    String content =
        ENCODER.encodeToString(Json.encode(header))
            + "."
            + ENCODER.encodeToString(Json.encode(payload));
    byte[] signature = key.sign(content.getBytes(StandardCharsets.US_ASCII));
    return content + "." + ENCODER.encodeToString(signature);
  }

  /** Whether a text has the shape of one; it need not be one. */
  static boolean isLike(String text) {
    int first = text.indexOf('.');
    int second = text.indexOf('.', first + 1);
    return first > 0 && second > first && text.indexOf('.', second + 1) < 0;
  }

  /**
   * Reads a text, of which nothing is to be believed yet.
   *
   * @throws TokenException if it is none, or says anything that we would have to understand and do
   *     not
   */
  static Jws parse(String text) throws TokenException {
    if (text.length() > CHARS_MAX || !isLike(text)) {
      throw malformed();
    }
    int first = text.indexOf('.');
    int second = text.lastIndexOf('.');
    ObjectNode header = object(decoded(text.substring(0, first)));
    if (header.has("crit") || header.has("b64")) {
      throw new TokenException("the token has header parameters that are not understood");
    }
    if (!header.path("alg").isString() || !isAbsentOrText(header.path("kid"))) {
      throw malformed();
    }
    return new Jws(
        header,
        object(decoded(text.substring(first + 1, second))),
        text.substring(0, second).getBytes(StandardCharsets.US_ASCII),
        decoded(text.substring(second + 1)));
  }

  private static boolean isAbsentOrText(JsonNode node) {
    return node.isMissingNode() || node.isString();
  }

  /** Canonical base64url alone: no padding, no spaces, no bits that nobody looks at. */
  private static byte[] decoded(String part) throws TokenException {
    try {
      byte[] bytes = DECODER.decode(part.getBytes(StandardCharsets.ISO_8859_1));
      if (ENCODER.encodeToString(bytes).equals(part)) {
        return bytes;
      }
    } catch (IllegalArgumentException e) {
      // It is no base64 at all.
    }
    throw malformed();
  }

  private static ObjectNode object(byte[] json) throws TokenException {
    try {
      Json.Decoded decoded = Json.decode(json, Json.Format.JSON);
      if (decoded.duplicates().isEmpty() && decoded.tree() instanceof ObjectNode object) {
        return object;
      }
    } catch (JsonException e) {
      // Its message may show what it stumbled over.
    }
    throw malformed();
  }

  private static TokenException malformed() {
    return new TokenException("the token is malformed");
  }

  /** What it claims, verified or not. */
  ObjectNode payload() {
    return payload;
  }

  /** Verifies the signature with the key that it names. */
  void verify(KeyRing ring) throws TokenException {
    JsonNode named = header.path("kid");
    List<VerificationKey> keys = ring.named(named.isString() ? named.stringValue() : "");
    if (keys.isEmpty()) {
      throw new TokenException("invalid signature, no keys found");
    }
    String algorithm = header.path("alg").stringValue();
    for (VerificationKey key : keys) {
      if (key.algorithm().name().equals(algorithm) && key.hasSigned(signed, signature)) {
        return;
      }
    }
    throw new TokenException("invalid signature");
  }

  /** Of a token no part is shown. */
  @Override
  public String toString() {
    return "Jws";
  }
}
