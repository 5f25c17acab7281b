package dev.evenkeel.serve.token;

import dev.evenkeel.kernel.api.Meta;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a token says, as Kubernetes has it. Times are in seconds since 1970.
 *
 * @param id unlike that of any other token
 * @param pod what it is bound to, and dies with; a node beside a pod is where the pod runs
 * @param warnAfterSeconds when it should have been replaced; 0 if nobody minds
 */
public record TokenClaims(
    String issuer,
    List<String> audiences,
    String id,
    long issuedAtSeconds,
    long notBeforeSeconds,
    long expirySeconds,
    String namespace,
    Bound account,
    @Nullable Bound pod,
    @Nullable Bound secret,
    @Nullable Bound node,
    long warnAfterSeconds) {

  /** The latest time there is any use for, far from where sums overflow. */
  private static final long SECONDS_MAX = 1L << 40;

  /** An object by its name, and that one only. */
  public record Bound(String name, String uid) {}

  public TokenClaims {
    audiences = List.copyOf(audiences);
  }

  String userName() {
    return "system:serviceaccount:" + namespace + ":" + account.name();
  }

  /** With fields in the order in which upstream's encoder writes them. */
  public ObjectNode toJson() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    audiences.forEach(json.putArray("aud")::add);
    json.put("exp", expirySeconds).put("iat", issuedAtSeconds).put("iss", issuer).put("jti", id);
    ObjectNode kubernetes = json.putObject("kubernetes.io");
    kubernetes.put("namespace", namespace);
    put(kubernetes, "node", node);
    put(kubernetes, "pod", pod);
    put(kubernetes, "secret", secret);
    put(kubernetes, "serviceaccount", account);
    if (warnAfterSeconds != 0) {
      kubernetes.put("warnafter", warnAfterSeconds);
    }
    return json.put("nbf", notBeforeSeconds).put("sub", userName());
  }

  private static void put(ObjectNode json, String field, @Nullable Bound bound) {
    if (bound != null) {
      ObjectNode object = json.putObject(field).put("name", bound.name());
      if (!bound.uid().isEmpty()) {
        object.put("uid", bound.uid());
      }
    }
  }

  /**
   * Reads what a token says.
   *
   * @throws TokenException if anything that matters is missing or not what it should be
   */
  static TokenClaims of(ObjectNode json) throws TokenException {
    JsonNode kubernetes = json.path("kubernetes.io");
    Bound account = bound(kubernetes.path("serviceaccount"), true);
    if (account == null) {
      throw malformed();
    }
    var claims =
        new TokenClaims(
            text(json, "iss", true),
            audiences(json.path("aud")),
            text(json, "jti", false),
            seconds(json, "iat", false),
            seconds(json, "nbf", false),
            seconds(json, "exp", true),
            text(kubernetes, "namespace", true),
            account,
            bound(kubernetes.path("pod"), true),
            bound(kubernetes.path("secret"), true),
            // Of a pod's node nothing but the name may be known.
            bound(kubernetes.path("node"), kubernetes.path("pod").isMissingNode()),
            seconds(kubernetes, "warnafter", false));
    if (!text(json, "sub", true).equals(claims.userName())) {
      throw malformed();
    }
    return claims;
  }

  private static List<String> audiences(JsonNode given) throws TokenException {
    if (given.isString()) {
      return List.of(given.stringValue());
    }
    List<String> audiences = new ArrayList<>(given.size());
    for (JsonNode each : given) {
      if (!each.isString()) {
        throw malformed();
      }
      audiences.add(each.stringValue());
    }
    if (audiences.isEmpty() || !given.isArray()) {
      throw malformed();
    }
    return audiences;
  }

  private static @Nullable Bound bound(JsonNode given, boolean uidIsKnown) throws TokenException {
    return given.isMissingNode()
        ? null
        : new Bound(text(given, "name", true), text(given, "uid", uidIsKnown));
  }

  private static String text(JsonNode json, String field, boolean required) throws TokenException {
    JsonNode given = json.path(field);
    String text = Meta.text(given);
    if ((required && text.isEmpty()) || !(given.isMissingNode() || given.isString())) {
      throw malformed();
    }
    return text;
  }

  private static long seconds(JsonNode json, String field, boolean required) throws TokenException {
    JsonNode given = json.path(field);
    if (given.isMissingNode() && !required) {
      return 0;
    }
    if (!given.isNumber() || !(Math.abs(given.doubleValue()) <= SECONDS_MAX)) {
      throw malformed();
    }
    return (long) given.doubleValue();
  }

  private static TokenException malformed() {
    return new TokenException("the token's claims are malformed");
  }
}
