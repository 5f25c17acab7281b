package dev.evenkeel.serve.rights;

/**
 * What an authorizer says.
 *
 * @param reason why; for whoever may know it. Empty if there is nothing to say
 */
public record Verdict(Decision decision, String reason) {

  /** Whoever has no opinion leaves it to the next; if nobody has one it is a no. */
  public enum Decision {
    ALLOWED,
    NO_OPINION,
    DENIED
  }

  static final Verdict ALLOWED = new Verdict(Decision.ALLOWED, "");

  static final Verdict NO_OPINION = new Verdict(Decision.NO_OPINION, "");

  public boolean isAllowed() {
    return decision == Decision.ALLOWED;
  }

  public boolean isDenied() {
    return decision == Decision.DENIED;
  }
}
