package dev.evenkeel.serve.token;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.env.Clock;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.cache.KindCache;
import dev.evenkeel.serve.caller.Authentication;
import dev.evenkeel.serve.caller.Caller;
import dev.evenkeel.serve.caller.TokenFinding;
import dev.evenkeel.serve.caller.TokenReader;
import dev.evenkeel.serve.resource.ResourceTable;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Tokens with which new nodes come for the first time: {@code ID.SECRET}, each in a secret {@code
 * bootstrap-token-ID} of {@code kube-system}.
 *
 * <p><b>Threading:</b> any.
 */
public final class BootstrapTokens implements TokenReader {

  private static final String GROUP = "system:bootstrappers";
  private static final Pattern TOKEN = Pattern.compile("([a-z0-9]{6})\\.([a-z0-9]{16})");
  private static final Pattern EXTRA_GROUP =
      Pattern.compile("system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]");

  private final List<String> own;
  private final KindCache secrets;
  private final Clock clock;

  /**
   * @param audiences what this server is called: such a token is meant for nobody else
   */
  public BootstrapTokens(List<String> audiences, ResourceTable resources, Clock clock) {
    this.own = List.copyOf(audiences);
    this.secrets = resources.at("", "v1", "secrets").cache();
    this.clock = clock;
  }

  @Override
  public CompletableFuture<TokenFinding> read(String token, List<String> audiences) {
    Matcher parts = TOKEN.matcher(token);
    if (!parts.matches()) {
      return CompletableFuture.completedFuture(TokenFinding.UNKNOWN);
    }
    String id = parts.group(1);
    String secret = parts.group(2);
    return secrets.isReady()
        ? CompletableFuture.completedFuture(find(id, secret, audiences))
        : secrets.ready().thenApply(_ -> find(id, secret, audiences));
  }

  private TokenFinding find(String id, String secret, List<String> audiences) {
    List<String> shared = own.stream().filter(audiences::contains).toList();
    CachedObject object = secrets.newest().tree().get("kube-system/bootstrap-token-" + id);
    Caller caller = object == null ? null : caller(Json.parseObject(object.json()), id, secret);
    return caller == null || (shared.isEmpty() && !own.isEmpty())
        ? TokenFinding.UNKNOWN
        : new TokenFinding.Accepted(caller, shared);
  }

  private @Nullable Caller caller(ObjectNode object, String id, String secret) {
    JsonNode data = object.path("data");
    boolean right =
        MessageDigest.isEqual(
            value(data, "token-secret").getBytes(StandardCharsets.UTF_8),
            secret.getBytes(StandardCharsets.UTF_8));
    if (!right
        || object.path("metadata").has("deletionTimestamp")
        || !Meta.text(object.path("type")).equals("bootstrap.kubernetes.io/token")
        || !value(data, "token-id").equals(id)
        || hasExpired(value(data, "expiration"))
        || !value(data, "usage-bootstrap-authentication").equals("true")) {
      return null;
    }
    var groups = new TreeSet<String>();
    groups.add(GROUP);
    String extra = value(data, "auth-extra-groups");
    for (String group : extra.isEmpty() ? List.<String>of() : List.of(extra.split(",", -1))) {
      if (!EXTRA_GROUP.matcher(group).matches()) {
        return null;
      }
      groups.add(group);
    }
    List<String> all = new ArrayList<>(groups);
    all.add(Authentication.AUTHENTICATED);
    return new Caller("system:bootstrap:" + id, all);
  }

  /** A time that cannot be read is over. */
  private boolean hasExpired(String expiration) {
    if (expiration.isEmpty()) {
      return false;
    }
    try {
      return !OffsetDateTime.parse(expiration).toInstant().isAfter(clock.now());
    } catch (DateTimeException e) {
      return true;
    }
  }

  private static String value(JsonNode data, String key) {
    try {
      return new String(
          Base64.getDecoder().decode(Meta.text(data.path(key))), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return "";
    }
  }
}
