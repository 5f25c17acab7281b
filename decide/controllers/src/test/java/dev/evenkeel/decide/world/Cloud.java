package dev.evenkeel.decide.world;

import dev.evenkeel.decide.effect.Actuator;
import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.env.Loop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import tools.jackson.databind.node.ObjectNode;

/**
 * A cloud with gates, as clouds are: it takes its time, loses requests and answers, refuses for a
 * while, and gives whoever asks twice for a gate two of them. It outlives the controllers.
 */
public final class Cloud implements Actuator {

  /** What goes wrong with a request. */
  private enum Fault {
    NONE,
    REFUSED,
    ANSWER_LOST,
    REQUEST_LOST,
    SILENCE
  }

  public final Map<String, List<ObjectNode>> gates = new HashMap<>();
  public final Set<String> ids = new HashSet<>();
  public int acts;
  public int made;
  public int finds;
  public int faultPercent;

  /** It does what it is asked to, and says nothing. */
  public boolean silent;

  public boolean knowsIds;

  /** How long requests are on their way; nobody is told that they arrived. */
  public Duration lateness = Duration.ZERO;

  public String refusing = "";
  private final Set<String> carriedOut = new HashSet<>();
  private final Loop loop;
  private final Random random;

  public Cloud(Env env, Random random, int faultPercent) {
    this.loop = env.loop("cloud");
    this.random = random;
    this.faultPercent = faultPercent;
  }

  @Override
  public String name() {
    return "cloud";
  }

  @Override
  public CompletableFuture<Optional<ObjectNode>> find(String key) {
    finds++;
    var answer = new CompletableFuture<Optional<ObjectNode>>();
    Fault fault = fault();
    Optional<ObjectNode> found = at(key).stream().findFirst().map(ObjectNode::deepCopy);
    later(
        () -> {
          switch (fault) {
            case NONE -> answer.complete(found);
            case REFUSED, ANSWER_LOST, REQUEST_LOST ->
                answer.completeExceptionally(new IllegalStateException("the cloud is not there"));
            case SILENCE -> {}
          }
        });
    return answer;
  }

  @Override
  public CompletableFuture<Outcome> act(Operation operation) {
    acts++;
    ids.add(operation.id());
    var answer = new CompletableFuture<Outcome>();
    if (!refusing.isEmpty()) {
      later(() -> answer.complete(new Outcome.Refused(refusing + " (request " + acts + ")")));
      return answer;
    }
    if (!lateness.isZero()) {
      loop.runLater(lateness, () -> carryOut(operation));
      return answer;
    }
    Outcome outcome =
        switch (silent ? Fault.SILENCE : fault()) {
          case NONE -> new Outcome.Done(carryOut(operation));
          case REFUSED -> new Outcome.Refused("not today");
          case ANSWER_LOST -> {
            carryOut(operation);
            yield new Outcome.Unknown("the answer was lost");
          }
          case REQUEST_LOST -> new Outcome.Unknown("the request was lost");
          case SILENCE -> {
            carryOut(operation);
            yield null;
          }
        };
    if (outcome != null) {
      later(() -> answer.complete(outcome));
    }
    return answer;
  }

  @SuppressWarnings("NullAway") // null is an answer: it is gone
  private ObjectNode carryOut(Operation operation) {
    List<ObjectNode> there = at(operation.key());
    ObjectNode wanted = operation.wanted();
    if (wanted == null) {
      there.clear();
      return null;
    }
    if (knowsIds && !carriedOut.add(operation.id())) {
      return there.getFirst().deepCopy();
    }
    if (there.isEmpty() || isThere(there, wanted)) {
      // Who asks for the same again gets another one.
      made++;
      there.add(wanted.deepCopy().put("ip", "198.51.100." + made));
    } else {
      there.forEach(gate -> gate.setAll(wanted));
    }
    return there.getFirst().deepCopy();
  }

  private static boolean isThere(List<ObjectNode> there, ObjectNode wanted) {
    return there.stream().anyMatch(it -> it.path("port").equals(wanted.path("port")));
  }

  private List<ObjectNode> at(String key) {
    return gates.computeIfAbsent(key, _ -> new ArrayList<>());
  }

  private Fault fault() {
    return random.nextInt(100) < faultPercent
        ? Fault.values()[random.nextInt(Fault.values().length)]
        : Fault.NONE;
  }

  private void later(Runnable task) {
    try {
      loop.runLater(Duration.ofMillis(random.nextInt(30)), task);
    } catch (RejectedExecutionException e) {
      // The world has ended.
    }
  }
}
