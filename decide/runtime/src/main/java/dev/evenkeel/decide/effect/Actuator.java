package dev.evenkeel.decide.effect;

import dev.evenkeel.decide.lead.Term;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Acts on something that is no object of the API: load balancers of a cloud, names in a DNS zone.
 *
 * <p>The runtime looks before it acts, and looks again where it cannot know what came of it. It
 * repeats an operation only after it has looked and not found what was wanted, and then under the
 * same id. What was sent before may still be on its way: so an actuator hands the id, or the key,
 * to a system that does the same thing under it once, and no request without.
 *
 * <p><b>Threading:</b> called on the controller's loop: neither method blocks. Futures may be
 * completed on any thread; one that is never completed is given up as unknown.
 */
public interface Actuator {

  /**
   * Something to be done.
   *
   * @param id of the intent, not of the attempt: it is the same whenever the same is wanted of the
   *     same generation of the same object, also after a restart
   * @param key of the thing, for as long as its object lives
   * @param wanted fields that the thing should have; null if it should not be there
   * @param term in which it was decided, for systems that can refuse those of former leaders
   */
  record Operation(String id, String key, @Nullable ObjectNode wanted, Term term) {}

  /** What came of an operation. */
  sealed interface Outcome {

    /**
     * It was done.
     *
     * @param now the thing as it is now, with at least the fields that were wanted; null if gone
     */
    record Done(@Nullable ObjectNode now) implements Outcome {}

    /** It was not done, and was not begun. */
    record Refused(String why) implements Outcome {}

    /** It may have been done, or may still be. */
    record Unknown(String why) implements Outcome {}
  }

  /** How plans name it. */
  String name();

  /** The thing under a key as it is now; empty if it is not there. Fails if that cannot be told. */
  CompletableFuture<Optional<ObjectNode>> find(String key);

  /** Does it, or what is left of it. A future that fails is an unknown outcome. */
  CompletableFuture<Outcome> act(Operation operation);
}
