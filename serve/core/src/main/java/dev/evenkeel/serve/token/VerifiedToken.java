package dev.evenkeel.serve.token;

import dev.evenkeel.serve.caller.Authentication;
import dev.evenkeel.serve.caller.Caller;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A token whose signature was verified, and who it makes of a request. */
final class VerifiedToken {

  private static final String EXTRA = "authentication.kubernetes.io/";

  private final TokenClaims claims;
  private final Caller caller;
  private final BoundObject account;
  private final @Nullable BoundObject pod;
  private final @Nullable BoundObject secret;
  private final @Nullable BoundObject node;

  VerifiedToken(TokenClaims claims) {
    this.claims = claims;
    this.caller = caller(claims);
    this.account = new BoundObject(claims.account());
    this.pod = of(claims.pod());
    this.secret = of(claims.secret());
    this.node = of(claims.node());
  }

  private static @Nullable BoundObject of(TokenClaims.@Nullable Bound claimed) {
    return claimed == null ? null : new BoundObject(claimed);
  }

  private static Caller caller(TokenClaims claims) {
    SortedMap<String, List<String>> extra = new TreeMap<>();
    if (!claims.id().isEmpty()) {
      extra.put(EXTRA + "credential-id", List.of("JTI=" + claims.id()));
    }
    put(extra, "pod", claims.pod());
    put(extra, "node", claims.node());
    return new Caller(
        claims.userName(),
        List.of(
            "system:serviceaccounts",
            "system:serviceaccounts:" + claims.namespace(),
            Authentication.AUTHENTICATED),
        claims.account().uid(),
        extra);
  }

  private static void put(
      SortedMap<String, List<String>> extra, String kind, TokenClaims.@Nullable Bound bound) {
    if (bound != null) {
      extra.put(EXTRA + kind + "-name", List.of(bound.name()));
      if (!bound.uid().isEmpty()) {
        extra.put(EXTRA + kind + "-uid", List.of(bound.uid()));
      }
    }
  }

  TokenClaims claims() {
    return claims;
  }

  Caller caller() {
    return caller;
  }

  BoundObject account() {
    return account;
  }

  @Nullable BoundObject pod() {
    return pod;
  }

  @Nullable BoundObject secret() {
    return secret;
  }

  @Nullable BoundObject node() {
    return node;
  }
}
