package dev.evenkeel.serve.token;

import dev.evenkeel.serve.caller.TokenDigest;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Tokens whose signatures were verified, by their digests: the tokens themselves are not kept.
 *
 * <p><b>Invariants:</b> it holds {@link #GENERATION_MAX} twice at most. Only what a key of ours has
 * signed gets in, so nobody fills it with what they made up.
 *
 * <p><b>Threading:</b> any.
 */
final class VerifiedTokens {

  /** As many as there are pods of a large cluster, in each of two generations. */
  static final int GENERATION_MAX = 20_000;

  /*
   * Two generations instead of a queue by use: when the young one is full it becomes the old one,
   * and the old one is forgotten. What is found in the old one moves to the young one. Reading takes
   * no lock, and what is used often is never forgotten.
   */
  private record Generations(
      ConcurrentHashMap<TokenDigest, VerifiedToken> young,
      ConcurrentHashMap<TokenDigest, VerifiedToken> old) {}

  private volatile Generations generations =
      new Generations(new ConcurrentHashMap<>(), new ConcurrentHashMap<>());

  @Nullable VerifiedToken find(String token) {
    TokenDigest digest = TokenDigest.of(token);
    Generations now = generations;
    VerifiedToken found = now.young.get(digest);
    if (found == null) {
      found = now.old.get(digest);
      if (found != null) {
        add(digest, found);
      }
    }
    return found;
  }

  void add(String token, VerifiedToken verified) {
    add(TokenDigest.of(token), verified);
  }

  private void add(TokenDigest digest, VerifiedToken verified) {
    if (generations.young.size() >= GENERATION_MAX) {
      turn();
    }
    generations.young.put(digest, verified);
  }

  private synchronized void turn() {
    Generations now = generations;
    if (now.young.size() >= GENERATION_MAX) {
      generations = new Generations(new ConcurrentHashMap<>(), now.young);
    }
  }

  int size() {
    Generations now = generations;
    return now.young.size() + now.old.size();
  }
}
