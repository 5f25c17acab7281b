package dev.evenkeel.serve.caller;

import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.serve.api.ApiRequest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds out who asks, by client certificate or by token. Nobody is anonymous, but for those who ask
 * whether the server is well, if the settings let them.
 */
public final class Authentication {

  /** Everybody who said who they are is in it. */
  public static final String AUTHENTICATED = "system:authenticated";

  private static final Caller ANONYMOUS =
      new Caller("system:anonymous", List.of("system:unauthenticated"));

  /** What says no more than that there is a server, and which. */
  private static final Set<String> PUBLIC_PATHS =
      Set.of("/healthz", "/livez", "/readyz", "/version", "/version/");

  // By digest: a look-up's time then tells nothing about how much of a token was right.
  private final Map<String, Caller> byTokenDigest = new HashMap<>();

  private final boolean anonymousHealth;

  public Authentication(Map<String, ApiRequest.Peer> tokens, boolean anonymousHealth) {
    tokens.forEach((token, peer) -> byTokenDigest.put(digest(token), caller(peer)));
    this.anonymousHealth = anonymousHealth;
  }

  public Caller authenticate(ApiRequest request) {
    String header = request.header("authorization");
    boolean token = header != null && header.regionMatches(true, 0, "Bearer ", 0, 7);
    if (header != null && token) {
      Caller caller = callerOf(header.substring(7).strip());
      if (caller != null) {
        return caller;
      }
    }
    if (request.peer() != null) {
      return caller(request.peer());
    }
    // A wrong token is a mistake worth telling, whatever is asked for.
    if (anonymousHealth && !token && PUBLIC_PATHS.contains(request.path())) {
      return ANONYMOUS;
    }
    throw Status.unauthorized().asException();
  }

  public @Nullable Caller callerOf(String token) {
    return token.isEmpty() ? null : byTokenDigest.get(digest(token));
  }

  private static Caller caller(ApiRequest.Peer peer) {
    List<String> groups = new ArrayList<>(peer.groups());
    groups.add(AUTHENTICATED);
    return new Caller(peer.name(), groups);
  }

  private static String digest(String token) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
