package dev.evenkeel.decide.schedule.report;

import dev.evenkeel.decide.lead.Term;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.observe.object.Kind;
import dev.evenkeel.observe.transport.Client;
import dev.evenkeel.observe.transport.PatchType;
import dev.evenkeel.observe.transport.Query;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes what the scheduler has to say on objects of a kind.
 *
 * <p><b>Invariants:</b> one write of an object is on its way at a time, and the next one is made a
 * while later, once the object shows what came of it. It keeps one number for each object at the
 * most.
 *
 * <p><b>Threading:</b> of the scheduler's loop.
 */
final class StatusWriter {

  /**
   * An object is written on no more often, however often what is to be said changes: pods of a
   * group come one by one, and two schedulers that nobody elects may have different things to say.
   */
  static final Duration AT_MOST_EVERY = Duration.ofSeconds(1);

  /** What could not be written is tried again after this. */
  static final Duration AGAIN_AFTER = Duration.ofSeconds(5);

  private static final long ON_ITS_WAY = Long.MAX_VALUE;

  private final Kind<ObjectNode> kind;
  private final Loop loop;
  private final Client client;
  private final OutcomeReporter reporter;
  private final Consumer<String> again;

  /** By the object's key, the version in which it says what was written last. */
  private final Map<String, Long> sent = new HashMap<>();

  /**
   * @param again is given the key of an object that is to be looked at again
   */
  StatusWriter(
      Kind<ObjectNode> kind,
      Loop loop,
      Client client,
      OutcomeReporter reporter,
      Consumer<String> again) {
    this.kind = kind;
    this.loop = loop;
    this.client = client;
    this.reporter = reporter;
    this.again = again;
  }

  /** Whether this version of the object shows what was written last. */
  boolean isShown(String key, long version) {
    return version >= sent.getOrDefault(key, 0L);
  }

  void forget(String key) {
    sent.remove(key);
  }

  void forgetAll() {
    sent.clear();
  }

  /**
   * @param key {@code namespace/name}, or the name of an object in no namespace
   * @param patch a merge patch
   */
  void write(Term term, String key, ObjectNode patch) {
    int slash = key.indexOf('/');
    String namespace = slash < 0 ? "" : key.substring(0, slash);
    Client fenced = term.fence(client);
    Bytes bytes = Bytes.wrap(Json.encode(patch));
    sent.put(key, ON_ITS_WAY);
    reporter.write(
        kind.plural() + " " + key,
        () ->
            fenced
                .patch(
                    kind,
                    namespace,
                    key.substring(slash + 1),
                    "status",
                    PatchType.MERGE,
                    bytes,
                    new Query())
                .whenComplete((answer, failure) -> written(key, answer, failure)));
  }

  private void written(String key, @Nullable ObjectNode answer, @Nullable Throwable failure) {
    String version = answer == null ? "" : Meta.resourceVersion(answer);
    long shownBy = version.isEmpty() ? 0 : Long.parseLong(version);
    try {
      var _ =
          loop.runLater(
              failure == null ? AT_MOST_EVERY : AGAIN_AFTER,
              () -> {
                sent.computeIfPresent(key, (_, _) -> shownBy);
                again.accept(key);
              });
    } catch (RejectedExecutionException e) {
      // It is closed.
    }
  }
}
