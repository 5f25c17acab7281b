package dev.evenkeel.serve.token;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.env.Clock;
import dev.evenkeel.serve.cache.KindCache;
import dev.evenkeel.serve.caller.TokenFinding;
import dev.evenkeel.serve.caller.TokenReader;
import dev.evenkeel.serve.resource.ResourceTable;
import dev.evenkeel.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Tokens of service accounts: verified once, and looked at again with every request, for the
 * account and what the token is bound to may be gone by then.
 *
 * <p><b>Invariants:</b> a token that is let in has a signature by one of the keys, its time has
 * come and is not over, and the objects it names are those that it named when it was issued. A
 * refusal that rests on a cache that lags is made again on the newest state.
 *
 * <p><b>Threading:</b> any.
 */
public final class AccountTokens implements TokenReader {

  /** How far clocks may be apart; also how long what is deleted still counts. */
  static final long LEEWAY_SECONDS = 60;

  private final TokenSettings settings;
  private final Store store;
  private final Clock clock;
  private final List<KindCache> caches;
  private final KindCache accounts;
  private final KindCache pods;
  private final KindCache secrets;
  private final KindCache nodes;
  private final VerifiedTokens verified = new VerifiedTokens();

  public AccountTokens(TokenSettings settings, ResourceTable resources, Store store, Clock clock) {
    this.settings = settings;
    this.store = store;
    this.clock = clock;
    this.accounts = resources.at("", "v1", "serviceaccounts").cache();
    this.pods = resources.at("", "v1", "pods").cache();
    this.secrets = resources.at("", "v1", "secrets").cache();
    this.nodes = resources.at("", "v1", "nodes").cache();
    this.caches = List.of(accounts, pods, secrets, nodes);
  }

  @Override
  public CompletableFuture<TokenFinding> read(String token, List<String> audiences) {
    if (!Jws.isLike(token)) {
      return CompletableFuture.completedFuture(TokenFinding.UNKNOWN);
    }
    VerifiedToken known = verified.find(token);
    if (known == null) {
      try {
        known = verify(token);
      } catch (TokenException e) {
        return refused(String.valueOf(e.getMessage()), true);
      }
      if (known == null) {
        return CompletableFuture.completedFuture(TokenFinding.UNKNOWN);
      }
      verified.add(token, known);
    }
    String fault = timeFault(known.claims());
    if (!fault.isEmpty()) {
      return refused(fault, false);
    }
    List<String> shared = shared(known.claims().audiences(), audiences);
    if (shared.isEmpty()) {
      return refused(
          "token audiences %s is invalid for the target audiences %s"
              .formatted(quoted(known.claims().audiences()), quoted(audiences)),
          false);
    }
    return standing(known, shared);
  }

  @Override
  public boolean isKnown(String token) {
    return verified.find(token) != null;
  }

  private static CompletableFuture<TokenFinding> refused(String why, boolean guessed) {
    return CompletableFuture.completedFuture(new TokenFinding.Refused(why, guessed));
  }

  /** Null for a token of another issuer: somebody else may know it. */
  private @Nullable VerifiedToken verify(String token) throws TokenException {
    Jws jws = Jws.parse(token);
    if (!settings.issuers().contains(Meta.text(jws.payload().path("iss")))) {
      return null;
    }
    jws.verify(settings.keys());
    return new VerifiedToken(TokenClaims.of(jws.payload()));
  }

  private String timeFault(TokenClaims claims) {
    long now = clock.now().getEpochSecond();
    if (now - LEEWAY_SECONDS > claims.expirySeconds()) {
      return "service account token has expired";
    }
    if (now + LEEWAY_SECONDS < claims.notBeforeSeconds()) {
      return "service account token is not valid yet";
    }
    if (now + LEEWAY_SECONDS < claims.issuedAtSeconds()) {
      return "service account token is issued in the future";
    }
    return "";
  }

  /** Those of the token that are asked for, as often as there are any. */
  private static List<String> shared(List<String> ofToken, List<String> wanted) {
    if (wanted.containsAll(ofToken)) {
      return ofToken;
    }
    List<String> shared = new ArrayList<>(ofToken);
    shared.retainAll(wanted);
    return shared;
  }

  private static String quoted(List<String> texts) {
    return texts.stream()
        .map(dev.evenkeel.kernel.json.GoText::quoted)
        .collect(java.util.stream.Collectors.joining(" ", "[", "]"));
  }

  /** Whether what the token names is there still. */
  private CompletableFuture<TokenFinding> standing(VerifiedToken token, List<String> audiences) {
    if (areReady() && fault(token).isEmpty()) {
      return CompletableFuture.completedFuture(accepted(token, audiences));
    }
    return newest()
        .thenApply(
            _ -> {
              String fault = fault(token);
              return fault.isEmpty()
                  ? accepted(token, audiences)
                  : new TokenFinding.Refused(fault, false);
            });
  }

  private static TokenFinding accepted(VerifiedToken token, List<String> audiences) {
    return new TokenFinding.Accepted(token.caller(), audiences);
  }

  private boolean areReady() {
    for (KindCache cache : caches) {
      if (!cache.isReady()) {
        return false;
      }
    }
    return true;
  }

  private CompletableFuture<?> newest() {
    return CompletableFuture.allOf(
            caches.stream().map(KindCache::ready).toArray(CompletableFuture<?>[]::new))
        .thenCompose(_ -> store.currentRevision())
        .thenCompose(
            revision ->
                CompletableFuture.allOf(
                    caches.stream()
                        .map(cache -> cache.atLeast(revision))
                        .toArray(CompletableFuture<?>[]::new)));
  }

  /** What is wrong with what the token names, as the caches show it; empty if nothing is. */
  private String fault(VerifiedToken token) {
    long deadline = clock.now().getEpochSecond() - LEEWAY_SECONDS;
    TokenClaims claims = token.claims();
    String name = claims.namespace() + "/" + claims.account().name();
    switch (token.account().look(accounts.newest().tree().get(name), deadline)) {
      case GONE -> {
        return "serviceaccounts "
            + dev.evenkeel.kernel.json.GoText.quoted(claims.account().name())
            + " not found";
      }
      case OTHER -> {
        return "service account UID does not match claim (" + claims.account().uid() + ")";
      }
      case DELETED -> {
        return "service account " + name + " has been deleted";
      }
      case THERE -> {}
    }
    String fault = fault(token.secret(), secrets, claims.namespace(), "secret", deadline);
    if (fault.isEmpty()) {
      fault = fault(token.pod(), pods, claims.namespace(), "pod", deadline);
    }
    // A pod's node is told, and the token does not depend on it.
    return fault.isEmpty() && token.pod() == null
        ? fault(token.node(), nodes, "", "node", deadline)
        : fault;
  }

  private static String fault(
      @Nullable BoundObject bound, KindCache cache, String namespace, String kind, long deadline) {
    if (bound == null) {
      return "";
    }
    String key = namespace.isEmpty() ? bound.name() : namespace + "/" + bound.name();
    return switch (bound.look(cache.newest().tree().get(key), deadline)) {
      case THERE -> "";
      case OTHER ->
          "%s UID does not match service account %s ref claim (%s)"
              .formatted(kind, kind, bound.uid());
      case GONE, DELETED -> "service account token has been invalidated";
    };
  }
}
