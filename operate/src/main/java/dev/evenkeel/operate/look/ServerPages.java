package dev.evenkeel.operate.look;

import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.json.JsonException;
import dev.evenkeel.operate.kubeconfig.ServerAccess;
import dev.evenkeel.operate.kubeconfig.ServerAccessException;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import tools.jackson.databind.node.ObjectNode;

/** Reads what a server shows of itself. */
final class ServerPages {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private ServerPages() {}

  /**
   * @throws ServerAccessException if the server cannot be reached or has no such page; the message
   *     is for whoever typed the command
   */
  static ObjectNode read(ServerAccess where, String path) throws InterruptedException {
    return read(where, path, "application/json");
  }

  /**
   * The same in a form of the caller's choice.
   *
   * @param accept a media type of JSON
   */
  static ObjectNode read(ServerAccess where, String path, String accept)
      throws InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(where.server().resolve(path))
            .timeout(PATIENCE)
            .header("accept", accept)
            .GET();
    if (where.token() != null) {
      request.header("authorization", "Bearer " + where.token());
    }
    try (HttpClient client = HttpClient.newBuilder().sslContext(where.sslContext()).build()) {
      HttpResponse<byte[]> answer =
          client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
      return switch (answer.statusCode()) {
        case 200 -> Json.parseObject(answer.body());
        case 404 ->
            throw new ServerAccessException(
                where.server()
                    + " has no "
                    + path
                    + ": it is no Evenkeel, or was started with --no-controllers.",
                null);
        case 401, 403 ->
            throw new ServerAccessException(
                where.server() + " does not let the user of this kubeconfig read " + path + ".",
                null);
        default ->
            throw new ServerAccessException(
                where.server() + " answered " + answer.statusCode() + " for " + path + ".", null);
      };
    } catch (IOException e) {
      throw new ServerAccessException(
          "cannot reach " + where.server() + ": " + e.getMessage() + ". Is evenkeel up running?",
          e);
    } catch (JsonException e) {
      throw new ServerAccessException(where.server() + path + " is no JSON: " + e.getMessage(), e);
    }
  }
}
