package dev.evenkeel.serve.caller;

import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.serve.api.ApiRequest;
import dev.evenkeel.serve.request.Target;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds out who asks, by client certificate or by token, and what they may. Nobody is anonymous,
 * but for those who ask whether the server is well, if the settings let them.
 */
public final class Authentication {

  static final String AUTHENTICATED = "system:authenticated";

  private static final Caller ANONYMOUS =
      new Caller("system:anonymous", List.of("system:unauthenticated"));

  /** What says no more than that there is a server, and which. */
  private static final Set<String> PUBLIC_PATHS =
      Set.of("/healthz", "/livez", "/readyz", "/version", "/version/");

  /** What everybody who is known may read, with all below. */
  private static final Set<String> DISCOVERY = Set.of("api", "apis", "openapi");

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

  /** Whom the caller acts as: themselves, or somebody else if they say so and may. */
  public Caller actingAs(Caller caller, ApiRequest request) {
    Impersonation wanted = Impersonation.of(request);
    if (wanted == null) {
      return caller;
    }
    if (!caller.isMaster()) {
      throw Status.forbidden(
              "",
              wanted.resource(),
              wanted.name(),
              cannot(caller, "impersonate", wanted.resource(), "", wanted.namespace()))
          .asException();
    }
    return wanted.caller();
  }

  /** Until there are roles: masters may do everything, others ask what they may. */
  public void authorize(Caller caller, String verb, Target.Resource target) {
    boolean asks = target.plural().startsWith("selfsubject") && target.group().endsWith(".k8s.io");
    if (!caller.isMaster() && !asks) {
      String resource =
          target.subresource().isEmpty()
              ? target.plural()
              : target.plural() + "/" + target.subresource();
      // A namespace counts as being in itself.
      boolean namespace = target.group().isEmpty() && target.plural().equals("namespaces");
      throw Status.forbidden(
              target.group(),
              target.plural(),
              target.name(),
              cannot(
                  caller,
                  verb,
                  resource,
                  target.group(),
                  namespace ? target.name() : target.namespace()))
          .asException();
    }
  }

  /** The same for what is no object: pages about the server itself. */
  public void authorize(Caller caller, ApiRequest request, Target.Other target) {
    String first = target.segments().isEmpty() ? "" : target.segments().getFirst();
    boolean reads = request.method().equals("GET") || request.method().equals("HEAD");
    boolean open =
        reads
            && (PUBLIC_PATHS.contains(request.path())
                || (DISCOVERY.contains(first) && caller.groups().contains(AUTHENTICATED)));
    if (!caller.isMaster() && !open) {
      throw Status.of(
              403,
              "Forbidden",
              "forbidden: User \""
                  + caller.name()
                  + "\" cannot "
                  + request.method().toLowerCase(Locale.ROOT)
                  + " path \""
                  + request.path()
                  + "\"")
          .asException();
    }
  }

  /** In the words that clients know. */
  static String cannot(
      Caller caller, String verb, String resource, String group, String namespace) {
    return "User \""
        + caller.name()
        + "\" cannot "
        + verb
        + " resource \""
        + resource
        + "\" in API group \""
        + group
        + "\" "
        + (namespace.isEmpty() ? "at the cluster scope" : "in the namespace \"" + namespace + "\"");
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
