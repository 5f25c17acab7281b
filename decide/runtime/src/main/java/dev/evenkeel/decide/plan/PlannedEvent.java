package dev.evenkeel.decide.plan;

/**
 * What users are told of an object, as an event.
 *
 * @param reason in one word, for example {@code SuccessfulCreate}
 * @param message for people; {@value #NAME} stands for the name of the object that an action was
 *     about, which the server may have made
 */
public record PlannedEvent(Type type, String reason, String message) {

  public static final String NAME = "{}";

  private static final String DONE = "Successful";
  private static final String REFUSED = "Failed";

  /** How it is meant. */
  public enum Type {
    NORMAL("Normal"),
    WARNING("Warning");

    private final String word;

    Type(String word) {
      this.word = word;
    }

    /** As the API writes it. */
    public String word() {
      return word;
    }
  }

  /** With the name in its place. */
  public PlannedEvent about(String name) {
    return new PlannedEvent(type, reason, message.replace(NAME, name));
  }

  /** What to tell if the action was refused: {@code FailedCreate} for {@code SuccessfulCreate}. */
  public PlannedEvent refused(String verb, String why) {
    String word = reason.startsWith(DONE) ? REFUSED + reason.substring(DONE.length()) : reason;
    return new PlannedEvent(Type.WARNING, word, "Error: " + verb + " was refused: " + why);
  }
}
