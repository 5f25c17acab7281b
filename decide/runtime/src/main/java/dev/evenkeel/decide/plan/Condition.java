package dev.evenkeel.decide.plan;

/**
 * What is said of an object under one type in its status, as {@code kubectl wait} reads it.
 *
 * @param type for example {@code Ready}
 * @param reason in one word
 * @param message for people
 */
public record Condition(String type, Holds holds, String reason, String message) {

  /** What is said of work that took longer than it may. */
  public static final String DEADLINE_EXCEEDED = "DeadlineExceeded";

  /** What is said of an object that is not planned for, because what is known of it is too old. */
  public static final String WAITING_FOR_VIEW = "WaitingForView";

  /** Whether it is so, as the API writes it. */
  public enum Holds {
    TRUE("True"),
    FALSE("False"),
    UNKNOWN("Unknown");

    private final String word;

    Holds(String word) {
      this.word = word;
    }

    /** As the API writes it. */
    public String word() {
      return word;
    }
  }

  public static Condition isTrue(String type, String reason, String message) {
    return new Condition(type, Holds.TRUE, reason, message);
  }

  public static Condition isFalse(String type, String reason, String message) {
    return new Condition(type, Holds.FALSE, reason, message);
  }

  public static Condition unknown(String type, String reason, String message) {
    return new Condition(type, Holds.UNKNOWN, reason, message);
  }
}
