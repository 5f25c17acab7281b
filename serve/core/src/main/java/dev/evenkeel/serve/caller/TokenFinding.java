package dev.evenkeel.serve.caller;

import java.util.List;

/** What became of a token. */
public sealed interface TokenFinding {

  /** It is good. */
  record Accepted(Caller caller, List<String> audiences) implements TokenFinding {}

  /**
   * It is of a known kind, and bad.
   *
   * @param why said to those who may review tokens; never holds any part of the token
   * @param guessed whether whoever sent it might have made it up
   */
  record Refused(String why, boolean guessed) implements TokenFinding {}

  /** It is none that is known here. */
  record Unknown() implements TokenFinding {}

  TokenFinding UNKNOWN = new Unknown();
}
