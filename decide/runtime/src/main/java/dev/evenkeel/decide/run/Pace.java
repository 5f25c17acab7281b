package dev.evenkeel.decide.run;

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
final class Pace {

  /** Texts of servers can be pages; a condition is a line. */
  private static final int FAILURE_CHARS_MAX = 500;

  /**
   * Work on a generation.
   *
   * @param lastFailure empty if there was none
   */
  record Begun(long generation, Instant at, String lastFailure) {

    Begun failed(String why) {
      return new Begun(
          generation,
          at,
          why.length() > FAILURE_CHARS_MAX ? why.substring(0, FAILURE_CHARS_MAX) + "…" : why);
    }
  }

  private final Controller.Deadline deadline;

  Pace(Controller.Deadline deadline) {
    this.deadline = deadline;
  }

  /** Begins to count, unless it does already. */
  static Begun begun(@Nullable Begun known, Look<?> look) {
    long generation = Look.generation(look.object);
    return known != null && known.generation() == generation
        ? known
        : new Begun(generation, look.view.now(), "");
  }

  /** How long is left; zero or less once it is over. */
  Duration left(Cached<?> object, Begun begun, Instant now) {
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
  boolean say(Plan plan, Cached<?> object, View view, Begun begun, boolean settles) {
    if (settles) {
      if (plan.condition(object, deadline.condition()) == null
          && reason(object).equals(Condition.DEADLINE_EXCEEDED)) {
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
  Plan complaint(Cached<?> object, View view, Begun begun) {
    return isSaid(object)
        ? Plan.empty()
        : Plan.empty().overdue(view, object, deadline.condition(), text(begun));
  }

  /** Whether nothing is left to do once a plan is carried out, as far as its condition tells. */
  boolean isSettledBy(Plan plan, Cached<?> object) {
    Condition said = plan.condition(object, deadline.condition());
    return said == null || said.holds() == Condition.Holds.TRUE;
  }

  /** Whether it was said of this generation already. */
  boolean isSaid(Cached<?> object) {
    JsonNode known = known(object);
    return known != null
        && Meta.text(known.path("reason")).equals(Condition.DEADLINE_EXCEEDED)
        && object
            .text("metadata", "generation")
            .equals(Long.toString(known.path("observedGeneration").asLong(0)));
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
