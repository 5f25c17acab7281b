package dev.evenkeel.serve;

import dev.evenkeel.kernel.env.SimulatedEnv;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.serve.api.ApiHandler;
import dev.evenkeel.serve.api.ApiRequest;
import dev.evenkeel.serve.api.ApiResponse;
import dev.evenkeel.serve.api.BodyStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Calls the core in the simulation: every request runs until nothing is left to do at once. */
final class Client {

  static final ApiRequest.Peer ADMIN =
      new ApiRequest.Peer("kubernetes-admin", List.of("system:masters"));

  private final SimulatedEnv env;
  private final ApiHandler server;

  Client(SimulatedEnv env, ApiHandler server) {
    this.env = env;
    this.server = server;
  }

  /** An answer with its body, if it is one. */
  record Answer(int status, List<ApiResponse.Header> headers, JsonNode body) {

    ObjectNode object() {
      return (ObjectNode) body;
    }

    String text(String... path) {
      JsonNode here = body;
      for (String step : path) {
        here = here.path(step);
      }
      return here.isValueNode() ? here.asString() : here.toString();
    }
  }

  ApiResponse raw(String method, String pathAndQuery, Map<String, String> headers, byte[] body) {
    return joined(begin(method, pathAndQuery, headers, body));
  }

  /** The same by somebody else. */
  ApiResponse rawOf(
      ApiRequest.Peer peer,
      String method,
      String pathAndQuery,
      Map<String, String> headers,
      byte[] body) {
    CompletableFuture<ApiResponse> answer = send(peer, method, pathAndQuery, headers, body);
    env.runDue();
    return joined(answer);
  }

  private ApiResponse joined(CompletableFuture<ApiResponse> answer) {
    for (int i = 0; !answer.isDone() && i < 100; i++) {
      env.runFor(java.time.Duration.ofMillis(100));
    }
    return answer.join();
  }

  CompletableFuture<ApiResponse> begin(
      String method, String pathAndQuery, Map<String, String> headers, byte[] body) {
    CompletableFuture<ApiResponse> answer = send(method, pathAndQuery, headers, body);
    env.runDue();
    return answer;
  }

  /** Hands a request in, and leaves the world as it is. */
  CompletableFuture<ApiResponse> send(
      String method, String pathAndQuery, Map<String, String> headers, byte[] body) {
    return send(ADMIN, method, pathAndQuery, headers, body);
  }

  private CompletableFuture<ApiResponse> send(
      ApiRequest.Peer peer,
      String method,
      String pathAndQuery,
      Map<String, String> headers,
      byte[] body) {
    int question = pathAndQuery.indexOf('?');
    String path = question < 0 ? pathAndQuery : pathAndQuery.substring(0, question);
    String query = question < 0 ? "" : pathAndQuery.substring(question + 1);
    return server.handle(
        new ApiRequest(method, path, query, headers, peer, new ApiRequest.Body(body)));
  }

  Answer call(String method, String path, String contentType, String body) {
    ApiResponse response =
        raw(
            method,
            path,
            Map.of("content-type", contentType),
            body.getBytes(StandardCharsets.UTF_8));
    return answer(response);
  }

  static Answer answer(ApiResponse response) {
    byte[] bytes =
        switch (response.content()) {
          case ApiResponse.Whole whole -> whole.bytes();
          case ApiResponse.Streamed streamed -> collect(streamed.stream());
        };
    boolean words =
        response.headers().stream()
            .anyMatch(
                header ->
                    header.name().equals("Content-Type") && header.value().startsWith("text/"));
    return new Answer(
        response.status(),
        response.headers(),
        words
            ? JsonNodeFactory.instance.stringNode(new String(bytes, StandardCharsets.UTF_8))
            : Json.parse(bytes));
  }

  private static byte[] collect(BodyStream stream) {
    var bytes = new ByteArrayOutputStream();
    BodyStream.Pull pull;
    do {
      pull = stream.pull(sink(bytes), 1_000);
    } while (pull == BodyStream.Pull.MORE);
    return bytes.toByteArray();
  }

  private static BodyStream.Sink sink(ByteArrayOutputStream bytes) {
    return (head, body, tail) -> {
      bytes.writeBytes(head);
      bytes.writeBytes(body);
      bytes.writeBytes(tail);
    };
  }

  Answer get(String path) {
    return call("GET", path, "application/json", "");
  }

  Answer post(String path, String body) {
    return call("POST", path, "application/json", body);
  }

  Answer put(String path, String body) {
    return call("PUT", path, "application/json", body);
  }

  Answer patch(String path, String type, String body) {
    return call("PATCH", path, "application/" + type + "+json", body);
  }

  Answer delete(String path) {
    return call("DELETE", path, "application/json", "");
  }

  Answer createConfigMap(String namespace, String name, String data) {
    return post(
        "/api/v1/namespaces/" + namespace + "/configmaps",
        "{\"metadata\":{\"name\":\"" + name + "\"},\"data\":{\"v\":\"" + data + "\"}}");
  }

  /** An open watch whose events are pulled when the test says so. */
  final class Events {
    private final BodyStream stream;
    private boolean over;

    private Events(BodyStream stream) {
      this.stream = stream;
    }

    /** What is ready, up to about so many bytes. */
    List<JsonNode> pull(int bytesMax) {
      env.runDue();
      List<JsonNode> events = new ArrayList<>();
      BodyStream.Pull pull =
          stream.pull(
              (head, body, tail) -> {
                var bytes = new ByteArrayOutputStream();
                sink(bytes).piece(head, body, tail);
                events.add(Json.parse(bytes.toByteArray()));
              },
              bytesMax);
      over |= pull == BodyStream.Pull.END;
      return events;
    }

    List<JsonNode> pullAll() {
      List<JsonNode> all = new ArrayList<>();
      List<JsonNode> some = pull(10_000);
      while (!some.isEmpty()) {
        all.addAll(some);
        some = over ? List.of() : pull(10_000);
      }
      return all;
    }

    boolean isOver() {
      return over;
    }

    BodyStream stream() {
      return stream;
    }

    void close() {
      stream.close();
      env.runDue();
    }
  }

  Events watch(String path) {
    return eventsOf(raw("GET", path, Map.of(), new byte[0]));
  }

  Events eventsOf(ApiResponse response) {
    if (response.content() instanceof ApiResponse.Streamed streamed) {
      return new Events(streamed.stream());
    }
    throw new AssertionError("no watch but " + answer(response));
  }
}
