package dev.evenkeel.serve.cel;

/** What came of an evaluation, and what it cost. */
public sealed interface CelResult {

  long cost();

  /** It made a value. */
  record Made(CelValue value, long cost) implements CelResult {}

  /** It failed: the data was not what the expression took it for. */
  record Failed(String message, long cost) implements CelResult {

    /** Whether a function was called with what it cannot take, for which upstream has own words. */
    public boolean isNoSuchOverload() {
      return message.startsWith("no such overload");
    }
  }

  /**
   * It was ended because it cost too much.
   *
   * @param ofBudget whether the request's budget was used up, and not just what one call may cost
   */
  record Exceeded(boolean ofBudget, String message, long cost) implements CelResult {}
}
