package dev.evenkeel.decide.effect;

import dev.evenkeel.decide.lead.Leadership;
import dev.evenkeel.decide.lead.Term;
import dev.evenkeel.decide.plan.Action;
import dev.evenkeel.decide.plan.Desired;
import dev.evenkeel.explain.record.Decision.ActionRecord.Result;
import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.env.FutureFailure;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.kernel.json.Json;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Has a controller's actuators act, and keeps what they saw with each object.
 *
 * <p><b>Invariants:</b> nothing is done to a resource that was not looked at since it last may have
 * changed. What the runtime does not know it forgets, so that it is looked for again.
 *
 * <p><b>Threading:</b> on the runner's loop.
 */
public final class Effects {

  /** An actuator that has not answered after this long is not waited for. */
  static final Duration ANSWER_MAX = Duration.ofSeconds(30);

  /**
   * What came of an effect.
   *
   * @param detail what was said, where it was not done
   */
  public record Done(Result result, String detail) {}

  private final String controller;
  private final Env env;
  private final Loop loop;
  private final Leadership leadership;
  private final Map<String, Actuator> actuators = new HashMap<>(2);

  public Effects(
      String controller, Env env, Loop loop, Leadership leadership, List<Actuator> actuators) {
    this.controller = controller;
    this.env = env;
    this.loop = loop;
    this.leadership = leadership;
    actuators.forEach(it -> this.actuators.put(it.name(), it));
  }

  /** Looks for a resource. The future fails, on the loop, if that cannot be told. */
  public CompletableFuture<ExternalState.Observation> find(
      ExternalState external, ExternalState.Resource resource) {
    return answer(() -> actuator(resource.actuator()).find(key(external.uid(), resource.name())))
        .thenApply(
            (Optional<ObjectNode> found) -> {
              var observation =
                  new ExternalState.Observation(found.orElse(null), env.clock().now());
              external.see(resource, observation);
              return observation;
            });
  }

  /** Never fails; completed on the loop. */
  public CompletableFuture<Done> perform(
      Action.Effect effect, @Nullable ExternalState external, Term term) {
    if (external == null) {
      return now(Result.REFUSED, "the controller has no actuators: add actingThrough()");
    }
    if (!effect.uid().equals(external.uid())) {
      return now(Result.REFUSED, "an object has effects on its own behalf only");
    }
    var resource = new ExternalState.Resource(effect.actuator(), effect.thing());
    ExternalState.Observation observation = external.last(resource);
    if (observation == null) {
      // Two actions on one resource in one plan: the first left it unknown.
      return now(Result.UNKNOWN, "it has to be looked for first");
    }
    if (isAsWanted(effect, observation.state())) {
      return now(Result.UNCHANGED, "");
    }
    if (!leadership.holds(term)) {
      return now(Result.CONFLICT, "it was decided in a " + term + ", which is over");
    }
    var operation =
        new Actuator.Operation(
            id(controller, effect), key(effect.uid(), effect.thing()), effect.wanted(), term);
    external.forget(resource);
    return answer(() -> actuator(effect.actuator()).act(operation))
        .exceptionally(failure -> new Actuator.Outcome.Unknown(text(failure)))
        .thenCompose(outcome -> settled(effect, external, resource, outcome));
  }

  private CompletableFuture<Done> settled(
      Action.Effect effect,
      ExternalState external,
      ExternalState.Resource resource,
      Actuator.Outcome outcome) {
    return switch (outcome) {
      case Actuator.Outcome.Done(ObjectNode state) -> {
        if (!isAsWanted(effect, state)) {
          yield now(Result.REFUSED, "it is said to be done, and is not as wanted: " + state);
        }
        external.see(resource, new ExternalState.Observation(state, env.clock().now()));
        yield now(Result.DONE, "");
      }
      case Actuator.Outcome.Refused(String why) -> now(Result.REFUSED, why);
      case Actuator.Outcome.Unknown(String why) ->
          find(external, resource)
              .thenApply(
                  observation -> {
                    if (isAsWanted(effect, observation.state())) {
                      return new Done(Result.DONE, "it was found done: " + why);
                    }
                    // It may still be on its way: who decides next looks again.
                    external.forget(resource);
                    return new Done(Result.UNKNOWN, why);
                  })
              .exceptionally(
                  failure ->
                      new Done(Result.UNKNOWN, why + "; looking for it failed: " + text(failure)));
    };
  }

  private static boolean isAsWanted(Action.Effect effect, @Nullable ObjectNode state) {
    ObjectNode wanted = effect.wanted();
    return wanted == null ? state == null : state != null && Desired.has(state, wanted);
  }

  private Actuator actuator(String name) {
    Actuator known = actuators.get(name);
    if (known == null) {
      throw new IllegalStateException(
          "the controller has no actuator " + name + ": add actingThrough()");
    }
    return known;
  }

  private String key(String uid, String resource) {
    return controller + "/" + uid + "/" + resource;
  }

  /** The same for the same intent, whoever asks and however often. */
  public static String id(String controller, Action.Effect effect) {
    ObjectNode wanted = effect.wanted();
    String intent =
        String.join(
            "\n",
            controller,
            effect.uid(),
            Long.toString(effect.generation()),
            effect.actuator(),
            effect.thing(),
            wanted == null ? "" : new String(Json.encode(wanted), StandardCharsets.UTF_8));
    return UUID.nameUUIDFromBytes(intent.getBytes(StandardCharsets.UTF_8)).toString();
  }

  private static CompletableFuture<Done> now(Result result, String detail) {
    return CompletableFuture.completedFuture(new Done(result, detail));
  }

  /** Asks somebody who may throw, may never answer and may answer on any thread. */
  private <R> CompletableFuture<R> answer(Question<R> question) {
    var answer = new CompletableFuture<R>();
    Loop.Timer enough =
        loop.runLater(
            ANSWER_MAX,
            () ->
                answer.completeExceptionally(
                    new IllegalStateException(
                        "no answer within " + ANSWER_MAX.toSeconds() + " s")));
    CompletableFuture<R> asked;
    try {
      asked = question.ask();
    } catch (RuntimeException e) {
      asked = CompletableFuture.failedFuture(e);
    }
    var _ =
        asked.whenComplete(
            (said, failure) -> {
              try {
                loop.execute(
                    () -> {
                      enough.cancel();
                      if (failure == null) {
                        answer.complete(said);
                      } else {
                        answer.completeExceptionally(failure);
                      }
                    });
              } catch (RejectedExecutionException e) {
                // It is closed: nobody waits for it.
              }
            });
    return answer;
  }

  private interface Question<R> {
    CompletableFuture<R> ask();
  }

  private static String text(Throwable failure) {
    Throwable cause = FutureFailure.cause(failure);
    return cause.getMessage() == null ? cause.toString() : cause.getMessage();
  }
}
