package dev.evenkeel.decide.guard;

import dev.evenkeel.decide.plan.Condition;
import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.decide.plan.View;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.observe.object.Cached;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Says when the work on a generation takes too long. It counts from the first look of this process
 * at the generation; what was said before a restart stays said.
 *
 * <p><b>Threading:</b> of the runner's loop; no state of its own.
 */
public final class ProgressDeadline {

  /** Texts of servers can be pages; a condition is a line. */
  private static final int FAILURE_CHARS_MAX = 500;

  /**
   * How long the work on a generation may take, and the condition that says so if it does.
   *
   * @param condition its type, for example {@code Ready}
   */
  public record Deadline(Duration after, String condition) {}

  /**
   * Work on a generation.
   *
   * @param lastFailure empty if there was none
   */
  public record Begun(long generation, Instant at, String lastFailure) {

    public Begun failed(String why) {
      return new Begun(
          generation,
          at,
          why.length() > FAILURE_CHARS_MAX ? why.substring(0, FAILURE_CHARS_MAX) + "…" : why);
    }
  }

  private final Deadline deadline;

  public ProgressDeadline(Deadline deadline) {
    this.deadline = deadline;
  }

  /** An object's generation; 0 if it counts none. */
  public static long generation(@Nullable Cached<?> object) {
    String text = object == null ? "" : object.text("metadata", "generation");
    return text.isEmpty() ? 0 : Long.parseLong(text);
  }

  /** Begins to count, unless it does already. */
  public static Begun begun(@Nullable Begun known, Cached<?> object, Instant now) {
    long generation = generation(object);
    return known != null && known.generation() == generation
        ? known
        : new Begun(generation, now, "");
  }

  /** How long is left; zero or less once it is over. */
  public Duration left(Cached<?> object, Begun begun, Instant now) {
    return isSaid(object)
        ? Duration.ZERO
        : Duration.between(now, begun.at().plus(deadline.after()));
  }

  /**
   * Has a plan that is to be carried out say what is to be said once the time is over.
   *
   * @param settles whether nothing is left to do once it is carried out
   * @return whether it is said for the first time
   */
  public boolean say(Plan plan, Cached<?> object, View view, Begun begun, boolean settles) {
    if (settles) {
      if (plan.condition(object, deadline.condition()) == null && isOurs(object)) {
        plan.condition(
            view,
            object,
            Condition.isTrue(deadline.condition(), "Settled", "all is as it should be"));
      }
      return false;
    }
    if (isSaid(object)) {
      // As it was said: a text that changed each time would wake the object each time.
      plan.condition(
          view,
          object,
          Condition.isFalse(deadline.condition(), Condition.DEADLINE_EXCEEDED, message(object)));
      return false;
    }
    plan.overdue(view, object, deadline.condition(), text(begun));
    return true;
  }

  /**
   * What is left to say when a look failed. It is said once: a text that changed with each attempt
   * would wake the object each time, and there would be no backoff.
   */
  public Plan complaint(Cached<?> object, View view, Begun begun) {
    return isSaid(object)
        ? Plan.empty()
        : Plan.empty().overdue(view, object, deadline.condition(), text(begun));
  }

  /** Says that nothing is planned for an object; once, for the same reason. */
  public Plan waiting(Cached<?> object, View view, String why) {
    return isSaid(object) || isWaitingSaid(object)
        ? Plan.empty()
        : Plan.empty()
            .condition(
                view,
                object,
                Condition.unknown(deadline.condition(), Condition.WAITING_FOR_VIEW, why));
  }

  /** Whether it was said that nothing is planned, which is not so any more once something is. */
  public boolean isWaitingSaid(Cached<?> object) {
    return reason(object).equals(Condition.WAITING_FOR_VIEW);
  }

  private boolean isOurs(Cached<?> object) {
    return isWaitingSaid(object) || reason(object).equals(Condition.DEADLINE_EXCEEDED);
  }

  /** Whether nothing is left to do once a plan is carried out, as far as its condition tells. */
  public boolean isSettledBy(Plan plan, Cached<?> object) {
    Condition said = plan.condition(object, deadline.condition());
    return said == null || said.holds() == Condition.Holds.TRUE;
  }

  /** Whether it was said of this generation already. */
  private boolean isSaid(Cached<?> object) {
    JsonNode known = known(object);
    return known != null
        && Meta.text(known.path("reason")).equals(Condition.DEADLINE_EXCEEDED)
        && known.path("observedGeneration").asLong(-1) == generation(object);
  }

  private String text(Begun begun) {
    String text = "not settled within " + deadline.after().toSeconds() + " s";
    return begun.lastFailure().isEmpty() ? text : text + ": " + begun.lastFailure();
  }

  private String reason(Cached<?> object) {
    JsonNode known = known(object);
    return known == null ? "" : Meta.text(known.path("reason"));
  }

  private String message(Cached<?> object) {
    JsonNode known = known(object);
    return known == null ? "" : Meta.text(known.path("message"));
  }

  private @Nullable JsonNode known(Cached<?> object) {
    for (JsonNode condition : object.tree().path("status").path("conditions")) {
      if (Meta.text(condition.path("type")).equals(deadline.condition())) {
        return condition;
      }
    }
    return null;
  }
}
