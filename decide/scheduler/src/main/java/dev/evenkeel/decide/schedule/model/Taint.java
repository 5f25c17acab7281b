package dev.evenkeel.decide.schedule.model;

/** What keeps pods off a node unless they tolerate it. */
public record Taint(String key, String value, Effect effect) {

  /** What it does to pods that do not tolerate it. */
  public enum Effect {
    NO_SCHEDULE,
    PREFER_NO_SCHEDULE,
    NO_EXECUTE,
    /** One that this scheduler does not know; it keeps nobody away. */
    OTHER;

    static Effect of(String word) {
      return switch (word) {
        case "NoSchedule" -> NO_SCHEDULE;
        case "PreferNoSchedule" -> PREFER_NO_SCHEDULE;
        case "NoExecute" -> NO_EXECUTE;
        default -> OTHER;
      };
    }
  }

  /** Whether a pod that does not tolerate it cannot be placed there. */
  public boolean keepsAway() {
    return effect == Effect.NO_SCHEDULE || effect == Effect.NO_EXECUTE;
  }
}
