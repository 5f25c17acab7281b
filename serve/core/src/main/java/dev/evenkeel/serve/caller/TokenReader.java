package dev.evenkeel.serve.caller;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Finds out whose tokens are, of one kind. */
public interface TokenReader {

  /**
   * Looks at a token.
   *
   * @param audiences it must be meant for one of these
   */
  CompletableFuture<TokenFinding> read(String token, List<String> audiences);
}
