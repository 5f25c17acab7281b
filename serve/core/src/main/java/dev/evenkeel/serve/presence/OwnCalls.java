package dev.evenkeel.serve.presence;

import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.serve.api.ApiHandler;
import dev.evenkeel.serve.api.ApiRequest;
import dev.evenkeel.serve.api.ApiResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Asks the server as any client does, under the name that upstream's servers have.
 *
 * <p><b>Threading:</b> answers come on the loop.
 */
final class OwnCalls {

  private static final System.Logger LOG = System.getLogger(OwnCalls.class.getName());

  private static final Map<String, String> HEADERS =
      Map.of("content-type", "application/json", "user-agent", "kube-apiserver");

  private static final ApiRequest.Peer SERVER =
      new ApiRequest.Peer("system:apiserver", List.of("system:masters"));

  private final ApiHandler server;
  private final Loop loop;

  OwnCalls(ApiHandler server, Loop loop) {
    this.server = server;
    this.loop = loop;
  }

  /**
   * What was answered.
   *
   * @param code 0 if nothing was
   */
  record Answer(int code, JsonNode body) {

    boolean isGood() {
      return code >= 200 && code < 300;
    }
  }

  /** Creates an object; that it is there already is as good. */
  void create(String path, ObjectNode object, Consumer<Answer> then) {
    call("POST", path, object, then);
  }

  void update(String path, ObjectNode object, Consumer<Answer> then) {
    call("PUT", path, object, then);
  }

  void delete(String path) {
    call("DELETE", path, null, _ -> {});
  }

  private void call(
      String method, String path, @Nullable ObjectNode object, Consumer<Answer> then) {
    byte[] body = object == null ? new byte[0] : Json.encode(object);
    var request = new ApiRequest(method, path, "", HEADERS, SERVER, new ApiRequest.Body(body));
    var _ =
        server
            .handle(request)
            .whenComplete(
                (response, failure) -> {
                  Answer answer = answer(method + " " + path, response, failure);
                  try {
                    loop.execute(() -> then.accept(answer));
                  } catch (RejectedExecutionException e) {
                    // The server closes.
                  }
                });
  }

  private static Answer answer(
      String asked, @Nullable ApiResponse response, @Nullable Throwable failure) {
    if (response == null || !(response.content() instanceof ApiResponse.Whole(var bytes))) {
      LOG.log(System.Logger.Level.WARNING, asked + " was not answered", failure);
      return new Answer(0, JsonNodeFactory.instance.objectNode());
    }
    JsonNode body = Json.parse(bytes);
    int code = response.status();
    if (code >= 300 && code != 404 && code != 409) {
      LOG.log(
          System.Logger.Level.WARNING,
          () -> asked + " was answered with " + code + ": " + body.path("message"));
    }
    return new Answer(code, body);
  }
}
