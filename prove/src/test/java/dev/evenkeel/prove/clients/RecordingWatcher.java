package dev.evenkeel.prove.clients;

import dev.evenkeel.kernel.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/**
 * Watches one scope, comes back where it was after each disconnect, lists anew only if it is told
 * to, and records everything.
 *
 * <p><b>Threading:</b> a thread of its own; what it recorded may be read by others at any time.
 */
final class RecordingWatcher {

  /** What was told without a list in between. */
  static final class Segment {
    private final long start;
    private final List<History.PlannedEvent> told = new CopyOnWriteArrayList<>();
    private volatile boolean over;

    Segment(long start) {
      this.start = start;
    }

    long start() {
      return start;
    }

    List<History.PlannedEvent> told() {
      return told;
    }

    boolean isOver() {
      return over;
    }
  }

  private final String name;
  private final HttpClient client;
  private final String base;
  private final String target;
  private final boolean bookmarks;
  private final Predicate<History.Version> scope;
  private final List<Segment> segments = new CopyOnWriteArrayList<>();
  private final List<String> surprises = new CopyOnWriteArrayList<>();
  private volatile boolean ending;
  private volatile int connections;
  private long last;

  /**
   * Does not start yet.
   *
   * @param target path and query of the list
   */
  RecordingWatcher(
      String name,
      HttpClient client,
      String base,
      String target,
      boolean bookmarks,
      Predicate<History.Version> scope) {
    this.name = name;
    this.client = client;
    this.base = base;
    this.target = target;
    this.bookmarks = bookmarks;
    this.scope = scope;
  }

  Predicate<History.Version> scope() {
    return scope;
  }

  boolean seesAll() {
    return name.startsWith("all");
  }

  List<Segment> segments() {
    return segments;
  }

  List<String> surprises() {
    return surprises;
  }

  int connections() {
    return connections;
  }

  void end() {
    ending = true;
  }

  @Override
  public String toString() {
    return name;
  }

  void run() {
    boolean list = true;
    while (!ending) {
      try {
        if (list) {
          list();
        }
        list = !watch();
      } catch (IOException e) {
        list = segments.isEmpty();
        Await.pause(50); // the server is away for a moment
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private HttpRequest request(String query) {
    return HttpRequest.newBuilder(URI.create(base + target + query)).build();
  }

  private void list() throws IOException, InterruptedException {
    HttpResponse<byte[]> answer =
        client.send(request("limit=500"), HttpResponse.BodyHandlers.ofByteArray());
    if (answer.statusCode() != 200) {
      throw new IOException("list: " + answer.statusCode());
    }
    last = version(Json.parseObject(answer.body()));
    if (!segments.isEmpty()) {
      segments.getLast().over = true;
    }
    segments.add(new Segment(last));
  }

  private static long version(JsonNode object) {
    return Long.parseLong(object.path("metadata").path("resourceVersion").asString(""));
  }

  /**
   * Follows until the server ends it.
   *
   * @return whether it can go on from there
   */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes it
  private boolean watch() throws IOException, InterruptedException {
    int seconds = 2 + ((connections + name.hashCode()) & 3);
    HttpResponse<java.io.InputStream> answer =
        client.send(
            request(
                "watch=true&resourceVersion="
                    + last
                    + "&timeoutSeconds="
                    + seconds
                    + (bookmarks ? "&allowWatchBookmarks=true" : "")),
            HttpResponse.BodyHandlers.ofInputStream());
    connections++;
    try (var lines =
        new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
      if (answer.statusCode() == 410) {
        return false;
      }
      if (answer.statusCode() != 200) {
        throw new IOException("watch: " + answer.statusCode());
      }
      for (String line; (line = lines.readLine()) != null; ) {
        if (!take(Json.parseObject(line.getBytes(StandardCharsets.UTF_8)))) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean take(JsonNode event) {
    String type = event.path("type").asString("");
    JsonNode object = event.path("object");
    if (type.equals("ERROR")) {
      if (object.path("code").asInt(0) != 410) {
        surprises.add(event.toString());
      }
      return false;
    }
    if (type.equals("BOOKMARK") && !bookmarks) {
      surprises.add("a bookmark nobody asked for");
    }
    last = version(object);
    String told = type.equals("BOOKMARK") ? "" : object.path("metadata").path("name").asString("");
    segments.getLast().told.add(new History.PlannedEvent(type, told, last));
    return true;
  }
}
