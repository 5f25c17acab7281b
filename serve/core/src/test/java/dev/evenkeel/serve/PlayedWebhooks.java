package dev.evenkeel.serve;

import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.kernel.env.SimulatedEnv;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.serve.webhook.Outside;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The network in a simulation: webhooks by their paths, each answering after a while. */
final class PlayedWebhooks implements Outside {

  /** One call that came. */
  record Came(Address address, JsonNode request, ObjectNode review) {}

  private record Played(Duration delay, Function<JsonNode, Answer> behaviour) {}

  private final Loop loop;
  private final Map<String, Played> played = new HashMap<>();
  final List<Came> calls = new ArrayList<>();

  PlayedWebhooks(SimulatedEnv env) {
    this.loop = env.loop("played-network");
  }

  /**
   * @param response what it answers, made from the request, without the uid
   */
  void at(String path, Function<JsonNode, String> response) {
    at(path, Duration.ofMillis(1), response);
  }

  void at(String path, Duration delay, Function<JsonNode, String> response) {
    raw(
        path,
        delay,
        request -> {
          ObjectNode answer =
              Json.parseObject(response.apply(request).getBytes(StandardCharsets.UTF_8));
          answer.put("uid", request.path("uid").asString());
          return answered("{\"response\":" + answer + "}");
        });
  }

  /** The same with all of the answer, but for the kind. */
  void raw(String path, Duration delay, Function<JsonNode, Answer> behaviour) {
    played.put(path, new Played(delay, behaviour));
  }

  static Answer answered(String review) {
    ObjectNode tree = Json.parseObject(review.getBytes(StandardCharsets.UTF_8));
    tree.put("kind", "AdmissionReview").put("apiVersion", "admission.k8s.io/v1");
    return new Answer(200, Json.encode(tree));
  }

  static String patch(String operations) {
    String encoded =
        Base64.getEncoder().encodeToString(operations.getBytes(StandardCharsets.UTF_8));
    return "{\"allowed\":true,\"patchType\":\"JSONPatch\",\"patch\":\"" + encoded + "\"}";
  }

  /** How often a path was called. */
  long callsOf(String path) {
    return calls.stream().filter(call -> call.address.path().startsWith(path + "?")).count();
  }

  @Override
  public CompletableFuture<Answer> post(Address address, Message message) {
    ObjectNode review = Json.parseObject(message.body());
    JsonNode request = review.path("request");
    calls.add(new Came(address, request, review));
    String path = address.path().substring(0, address.path().indexOf('?'));
    Played whom = played.get(path);
    if (whom == null) {
      return CompletableFuture.failedFuture(new CallException("connect: connection refused"));
    }
    var answer = new CompletableFuture<Answer>();
    var _ = loop.runLater(whom.delay, () -> answer.complete(whom.behaviour.apply(request)));
    return answer;
  }
}
