package dev.evenkeel.serve.caller;

import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.env.Clock;
import dev.evenkeel.serve.api.ApiRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
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

  private static final String BEARER = "Bearer ";

  private final Map<TokenDigest, Caller> fixed = new HashMap<>();
  private final boolean anonymousHealth;
  private final List<TokenReader> readers;
  private final List<String> audiences;
  private final FailedAttempts failures;
  private final Consumer<ApiRequest> failed;

  /**
   * @param tokens who is let in by a token that never changes
   * @param readers know the other kinds of tokens
   * @param audiences what this server is called in tokens
   * @param failed is told of each attempt with a token that somebody may have made up
   */
  public Authentication(
      Map<TokenDigest, Caller> tokens,
      boolean anonymousHealth,
      List<TokenReader> readers,
      List<String> audiences,
      Clock clock,
      Consumer<ApiRequest> failed) {
    tokens.forEach((token, caller) -> fixed.put(token, authenticated(caller)));
    this.anonymousHealth = anonymousHealth;
    this.readers = List.copyOf(readers);
    this.audiences = List.copyOf(audiences);
    this.failures = new FailedAttempts(clock);
    this.failed = failed;
  }

  /** Answered with who asks; it fails with the refusal if that is nobody. */
  public CompletableFuture<Caller> authenticate(ApiRequest request) {
    String token = bearer(request);
    if (token == null || token.isEmpty()) {
      return CompletableFuture.completedFuture(withoutToken(request, token != null));
    }
    if (failures.areTooMany(request.address()) && !isKnown(token)) {
      throw Status.tooManyRequests("too many attempts to authenticate have failed", 1)
          .asException();
    }
    CompletableFuture<TokenFinding> finding = find(token, audiences);
    // Most are known at once: what comes next then needs no future of its own.
    return finding.isDone() && !finding.isCompletedExceptionally()
        ? CompletableFuture.completedFuture(caller(request, finding.join()))
        : finding.thenApply(found -> caller(request, found));
  }

  private Caller caller(ApiRequest request, TokenFinding finding) {
    if (finding instanceof TokenFinding.Accepted(var caller, var _)) {
      return caller;
    }
    boolean guessed = !(finding instanceof TokenFinding.Refused(var _, var mayBe)) || mayBe;
    if (guessed && request.peer() == null) {
      failures.count(request.address());
      failed.accept(request);
    }
    return withoutToken(request, true);
  }

  private boolean isKnown(String token) {
    return fixed.containsKey(TokenDigest.of(token))
        || readers.stream().anyMatch(reader -> reader.isKnown(token));
  }

  /**
   * @param wrongToken a wrong token is a mistake worth telling, whatever is asked for
   */
  private Caller withoutToken(ApiRequest request, boolean wrongToken) {
    ApiRequest.Peer peer = request.peer();
    if (peer != null) {
      return caller(peer);
    }
    if (anonymousHealth && !wrongToken && PUBLIC_PATHS.contains(request.path())) {
      return ANONYMOUS;
    }
    throw Status.unauthorized().asException();
  }

  private static @Nullable String bearer(ApiRequest request) {
    String header = request.header("authorization");
    return header != null && header.regionMatches(true, 0, BEARER, 0, BEARER.length())
        ? header.substring(BEARER.length()).strip()
        : null;
  }

  /** What this server is called in tokens. */
  public List<String> audiences() {
    return audiences;
  }

  /**
   * Finds out whose a token is.
   *
   * @param wanted it must be meant for one of these
   */
  public CompletableFuture<TokenFinding> find(String token, List<String> wanted) {
    Caller known = fixed.get(TokenDigest.of(token));
    if (known != null) {
      return CompletableFuture.completedFuture(ownAudience(known, wanted));
    }
    return find(token, wanted, 0);
  }

  /** A token that names no audience is meant for this server. */
  private TokenFinding ownAudience(Caller known, List<String> wanted) {
    List<String> shared = audiences.stream().filter(wanted::contains).toList();
    return shared.isEmpty() && !audiences.isEmpty()
        ? TokenFinding.UNKNOWN
        : new TokenFinding.Accepted(known, shared);
  }

  private CompletableFuture<TokenFinding> find(String token, List<String> wanted, int from) {
    for (int i = from; i < readers.size(); i++) {
      CompletableFuture<TokenFinding> finding = readers.get(i).read(token, wanted);
      if (!finding.isDone() || finding.isCompletedExceptionally()) {
        int next = i + 1;
        return finding.thenCompose(
            found ->
                found instanceof TokenFinding.Unknown
                    ? find(token, wanted, next)
                    : CompletableFuture.completedFuture(found));
      }
      if (!(finding.join() instanceof TokenFinding.Unknown)) {
        return finding;
      }
    }
    return CompletableFuture.completedFuture(TokenFinding.UNKNOWN);
  }

  private static Caller authenticated(Caller told) {
    List<String> groups = new ArrayList<>(told.groups());
    groups.add(AUTHENTICATED);
    return new Caller(told.name(), groups, told.uid(), told.extra());
  }

  private static Caller caller(ApiRequest.Peer peer) {
    List<String> groups = new ArrayList<>(peer.groups());
    groups.add(AUTHENTICATED);
    return new Caller(peer.name(), groups);
  }
}
