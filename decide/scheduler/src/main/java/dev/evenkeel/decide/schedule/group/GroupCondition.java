package dev.evenkeel.decide.schedule.group;

/**
 * Why the pods of a group wait, as they were told last.
 *
 * @param reason in a word
 * @param message for people
 */
public record GroupCondition(String reason, String message) {

  private static final String NO_ROOM = "NotEnoughRoom";

  /** There is too little room for enough of them. */
  public static GroupCondition noRoom(String message) {
    return new GroupCondition(NO_ROOM, message);
  }

  /** The server did not bind them. */
  public static GroupCondition refused(String message) {
    return new GroupCondition("BindingRefused", message);
  }

  /** They have nodes, and a plugin has them wait. */
  public static GroupCondition waits(String message) {
    return new GroupCondition("WaitingForPermit", message);
  }

  /** A plugin did not let them be bound. */
  public static GroupCondition stopped(String message) {
    return new GroupCondition("StoppedByPlugin", message);
  }

  /** They were not bound, and nobody refused it. */
  public static GroupCondition notBound(String message) {
    return new GroupCondition("NotBound", message);
  }

  /** Placing them failed, which says nothing about the nodes. */
  public static GroupCondition failed(String message) {
    return new GroupCondition("SchedulerError", message);
  }

  /** Whether finding room makes it untrue. */
  public boolean isOfRoom() {
    return reason.equals(NO_ROOM);
  }
}
