package dev.evenkeel.observe.cache;

import dev.evenkeel.observe.transport.Answer;
import dev.evenkeel.observe.transport.AnswerBody;
import dev.evenkeel.observe.transport.Header;
import dev.evenkeel.observe.transport.Request;
import dev.evenkeel.observe.transport.Transport;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Answers as a test says, request by request; what it has no answer for hangs. */
final class ScriptedServer implements Transport {

  final List<String> requests = new ArrayList<>();
  final Deque<Answer> answers = new ArrayDeque<>();
  int renewals;

  /** A body that stays open until it is ended. */
  static final class Body implements AnswerBody {
    private final Deque<ByteBuffer> pieces = new ArrayDeque<>();
    private @Nullable CompletableFuture<@Nullable ByteBuffer> reader;
    private boolean ended;
    boolean closed;

    void send(String text) {
      ByteBuffer piece = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
      CompletableFuture<@Nullable ByteBuffer> waiting = reader;
      reader = null;
      if (waiting == null) {
        pieces.add(piece);
      } else {
        waiting.complete(piece);
      }
    }

    void end() {
      ended = true;
      if (reader != null) {
        reader.complete(null);
      }
    }

    @Override
    public CompletableFuture<@Nullable ByteBuffer> next() {
      var next = new CompletableFuture<@Nullable ByteBuffer>();
      if (!pieces.isEmpty()) {
        next.complete(pieces.remove());
      } else if (ended) {
        next.complete(null);
      } else {
        reader = next;
      }
      return next;
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  static String item(String name, long version, String more) {
    return """
    {"kind":"Thing","apiVersion":"v1","metadata":{"name":"%s","namespace":"n",\
    "resourceVersion":"%d"%s}}\
    """
        .formatted(name, version, more);
  }

  static String event(String type, String object) {
    return "{\"type\":\"" + type + "\",\"object\":" + object + "}\n";
  }

  static String bookmark(long version, boolean end) {
    return event(
        "BOOKMARK",
        "{\"metadata\":{"
            + (end ? "\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}," : "")
            + "\"resourceVersion\":\""
            + version
            + "\"}}");
  }

  /** The next request gets a stream that begins with this. */
  Body stream(String... texts) {
    var body = new Body();
    for (String text : texts) {
      body.send(text);
    }
    answers.add(new Answer(200, List.of(), body));
    return body;
  }

  /** The next request gets this whole. */
  void whole(int status, String text, Header... headers) {
    var body = new Body();
    body.send(text);
    body.end();
    answers.add(new Answer(status, List.of(headers), body));
  }

  @Override
  public CompletableFuture<Answer> send(Request request) {
    requests.add(request.toString().replaceAll("&?timeoutSeconds=\\d+", ""));
    Answer answer = answers.poll();
    return answer == null ? new CompletableFuture<>() : CompletableFuture.completedFuture(answer);
  }

  @Override
  public void renew() {
    renewals++;
  }

  @Override
  public void close() {}
}
