package dev.evenkeel.decide.schedule.group;

/**
 * Why the pods of a group wait, as they were told last.
 *
 * @param reason in a word
 * @param message for people
 */
public record Said(String reason, String message) {

  private static final String NO_ROOM = "NotEnoughRoom";

  /** There is too little room for enough of them. */
  public static Said noRoom(String message) {
    return new Said(NO_ROOM, message);
  }

  /** The server did not bind them. */
  public static Said refused(String message) {
    return new Said("BindingRefused", message);
  }

  /** They have nodes, and a plugin has them wait. */
  public static Said waits(String message) {
    return new Said("WaitingForPermit", message);
  }

  /** A plugin did not let them be bound. */
  public static Said stopped(String message) {
    return new Said("StoppedByPlugin", message);
  }

  /** They were not bound, and nobody refused it. */
  public static Said notBound(String message) {
    return new Said("NotBound", message);
  }

  /** Placing them failed, which says nothing about the nodes. */
  public static Said failed(String message) {
    return new Said("SchedulerError", message);
  }

  /** Whether finding room makes it untrue. */
  public boolean isOfRoom() {
    return reason.equals(NO_ROOM);
  }
}
