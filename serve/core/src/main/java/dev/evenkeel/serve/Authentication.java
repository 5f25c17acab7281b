package dev.evenkeel.serve;

import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.serve.api.ApiRequest;
import dev.evenkeel.serve.registry.Caller;
import dev.evenkeel.serve.request.Target;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds out who asks: by client certificate or by token. Nobody is anonymous. */
final class Authentication {

  static final String AUTHENTICATED = "system:authenticated";

  // By digest: a look-up's time then tells nothing about how much of a token was right.
  private final Map<String, Caller> byTokenDigest = new HashMap<>();

  Authentication(Map<String, ApiRequest.Peer> tokens) {
    tokens.forEach((token, peer) -> byTokenDigest.put(digest(token), caller(peer)));
  }

  Caller authenticate(ApiRequest request) {
    String header = request.header("authorization");
    if (header != null && header.regionMatches(true, 0, "Bearer ", 0, 7)) {
      Caller caller = callerOf(header.substring(7).strip());
      if (caller != null) {
        return caller;
      }
    }
    if (request.peer() != null) {
      return caller(request.peer());
    }
    throw Status.unauthorized().asException();
  }

  /** Whom the caller acts as: themselves, or somebody else if they say so and may. */
  Caller actingAs(Caller caller, ApiRequest request) {
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
  void authorize(Caller caller, String verb, Target.Resource target) {
    boolean asks = target.plural().startsWith("selfsubject") && target.group().endsWith(".k8s.io");
    if (!caller.isMaster() && !asks) {
      throw Status.forbidden(
              target.group(),
              target.plural(),
              target.name(),
              cannot(caller, verb, target.plural(), target.group(), target.namespace()))
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

  @Nullable Caller callerOf(String token) {
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
