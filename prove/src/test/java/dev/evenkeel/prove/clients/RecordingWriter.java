package dev.evenkeel.prove.clients;

import dev.evenkeel.kernel.json.Json;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Makes, changes and deletes objects of its own, one after the other, and records what became of
 * each write. When an answer is lost it looks what happened.
 *
 * <p><b>Threading:</b> a thread of its own.
 */
final class RecordingWriter {

  private final RunningServer server;
  private final HttpClient client;
  private final History history;
  private final int index;
  private final List<String> surprises = new CopyOnWriteArrayList<>();
  private volatile boolean ending;

  RecordingWriter(RunningServer server, HttpClient client, History history, int index) {
    this.server = server;
    this.client = client;
    this.history = history;
    this.index = index;
  }

  static String name(int writer, int round) {
    return "object-" + writer + "-" + round;
  }

  static String namespace(int writer, int round) {
    return List.of("default", "kube-public", "kube-system").get((writer + round) % 3);
  }

  List<String> surprises() {
    return surprises;
  }

  void end() {
    ending = true;
  }

  void run() {
    try {
      for (int round = 0; !ending; round++) {
        String name = name(index, round);
        String namespace = namespace(index, round);
        String maps = "/api/v1/namespaces/" + namespace + "/configmaps";
        write("POST", maps, maps + "/" + name, namespace, name, 0);
        for (int step = 1; step < 4; step++) {
          write("PUT", maps + "/" + name, maps + "/" + name, namespace, name, step);
        }
        // Every third one stays.
        if (round % 3 != 2) {
          delete(maps + "/" + name);
          history.deleted(name);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static String color(int step) {
    return List.of("red", "red", "blue", "red").get(step);
  }

  private void write(
      String method, String target, String object, String namespace, String name, int step)
      throws InterruptedException {
    String body =
        "{\"metadata\":{\"name\":\""
            + name
            + "\",\"labels\":{\"color\":\""
            + color(step)
            + "\"}},\"data\":{\"step\":\""
            + step
            + "\"}}";
    while (true) {
      JsonNode answer = attempt(method, target, body);
      if (answer == null) {
        answer = look(object, step);
      }
      if (answer != null) {
        long version =
            Long.parseLong(answer.path("metadata").path("resourceVersion").asString("0"));
        history.wrote(new History.Version(version, namespace, name, color(step)));
        return;
      }
    }
  }

  /** What the server answers to a write that it took; null if that is not known. */
  private @Nullable JsonNode attempt(String method, String target, String body)
      throws InterruptedException {
    try {
      HttpResponse<String> answer =
          server.send(
              client, method, target, "application/json", body.getBytes(StandardCharsets.UTF_8));
      if (answer.statusCode() < 300) {
        return Json.parseObject(answer.body().getBytes(StandardCharsets.UTF_8));
      }
      if (answer.statusCode() != 429 && answer.statusCode() < 500) {
        surprises.add(method + " " + target + ": " + answer.body());
      }
    } catch (IOException e) {
      // The server is away for a moment.
    }
    Await.pause(20);
    return null;
  }

  /** The object, if the write with this step was done; null if it was not. */
  private @Nullable JsonNode look(String object, int step) throws InterruptedException {
    while (true) {
      try {
        HttpResponse<String> answer =
            server.send(client, "GET", object, "application/json", new byte[0]);
        if (answer.statusCode() == 404) {
          return null;
        }
        if (answer.statusCode() == 200) {
          JsonNode found = Json.parseObject(answer.body().getBytes(StandardCharsets.UTF_8));
          return found.path("data").path("step").asString("").equals(Integer.toString(step))
              ? found
              : null;
        }
      } catch (IOException e) {
        // Still away.
      }
      Await.pause(20);
    }
  }

  private void delete(String object) throws InterruptedException {
    while (true) {
      try {
        int code =
            server.send(client, "DELETE", object, "application/json", new byte[0]).statusCode();
        if (code == 200 || code == 404) {
          return;
        }
      } catch (IOException e) {
        // The server is away for a moment.
      }
      Await.pause(20);
    }
  }
}
