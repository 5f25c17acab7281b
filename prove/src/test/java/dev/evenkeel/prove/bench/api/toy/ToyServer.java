package dev.evenkeel.prove.bench.api.toy;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.PemKeyCertOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Keeps config maps in memory, answers create, get, update, list, watch and deletecollection, over
 * TLS with HTTP/1.1 and HTTP/2. Kinds can be defined; they are served from the second request on.
 *
 * <p>Threading: everything happens on its one event loop.
 */
public final class ToyServer implements AutoCloseable {

  private static final Pattern NAME = Pattern.compile("\"name\":\"([^\"]+)\"");
  private static final Pattern VERSION = Pattern.compile(",\"resourceVersion\":\"(\\d+)\"");
  private static final Pattern CUSTOM =
      Pattern.compile("/apis/([^/]+)/v1/namespaces/[^/]+/([^/]+)");
  private static final String TOKEN = "toy-token";
  private static final int FAULTY_WATCHER = 3;
  private static final int FAULTY_EVENT = 20;
  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

  private final Certificates certificates = Certificates.make();
  private final Vertx vertx;
  private final HttpServer server;
  private final Fault fault;

  /** 0 sends an event in one piece; else the pieces' size. */
  private final int pieceBytes;

  private final Map<String, String> objects = new LinkedHashMap<>();
  private final List<Watch> watches = new ArrayList<>();

  /** Paths of custom kinds that were asked for at least once. */
  private final Set<String> tried = new HashSet<>();

  private long version = 1000;
  private int changes;
  private String lastEvent = "";
  private Buffer lastEncoded = Buffer.buffer();

  /** A watch and what was held back of it. */
  private static final class Watch {
    final int number;
    final String collection;
    final HttpServerResponse response;
    int events;
    @Nullable String heldBack;

    Watch(int number, String collection, HttpServerResponse response) {
      this.number = number;
      this.collection = collection;
      this.response = response;
    }
  }

  public ToyServer(Fault fault, int pieceBytes) throws Exception {
    this.fault = fault;
    this.pieceBytes = pieceBytes;
    this.vertx =
        Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setPreferNativeTransport(true));
    var options =
        new HttpServerOptions()
            .setHost("127.0.0.1")
            .setPort(0)
            .setSsl(true)
            .setUseAlpn(true)
            .setKeyCertOptions(
                new PemKeyCertOptions()
                    .addCertValue(Buffer.buffer(certificates.certificate()))
                    .addKeyValue(Buffer.buffer(certificates.key())));
    options.getInitialSettings().setMaxConcurrentStreams(500);
    this.server =
        vertx
            .createHttpServer(options)
            .requestHandler(this::handle)
            .listen()
            .toCompletionStage()
            .toCompletableFuture()
            .get(20, TimeUnit.SECONDS);
  }

  public String url() {
    return "https://127.0.0.1:" + server.actualPort();
  }

  public String token() {
    return TOKEN;
  }

  public byte[] authority() {
    return certificates.certificate().getBytes(StandardCharsets.US_ASCII);
  }

  private void handle(HttpServerRequest request) {
    if (!("Bearer " + TOKEN).equals(request.getHeader("authorization"))) {
      answer(request, 401, "{}");
    } else if (pathOf(request).equals("/version")) {
      answer(request, 200, "{\"gitVersion\":\"toy\"}");
    } else if (request.method().equals(HttpMethod.POST)
        || request.method().equals(HttpMethod.PUT)) {
      var _ = request.body().onSuccess(body -> write(request, body.toString()));
    } else if (request.method().equals(HttpMethod.DELETE)) {
      objects.keySet().removeIf(path -> path.startsWith(pathOf(request)));
      answer(request, 200, "{}");
    } else if ("true".equals(request.getParam("watch"))) {
      watch(request);
    } else if (pathOf(request).matches("/(apis|openapi)(/.*)?")) {
      describe(request);
    } else if (pathOf(request).endsWith("/configmaps")) {
      list(request);
    } else {
      String object = objects.get(pathOf(request));
      answer(request, object == null ? 404 : 200, object == null ? "{}" : object);
    }
  }

  private static String pathOf(HttpServerRequest request) {
    return String.valueOf(request.path());
  }

  private static void answer(HttpServerRequest request, int status, String body) {
    var _ =
        request
            .response()
            .setStatusCode(status)
            .putHeader("content-type", "application/json")
            .end(body);
  }

  /** Tells which definitions there are, whatever is asked. */
  private void describe(HttpServerRequest request) {
    List<String> names =
        objects.keySet().stream()
            .filter(path -> path.startsWith(DEFINITIONS))
            .map(path -> "\"" + path.substring(DEFINITIONS.length() + 1) + "\"")
            .toList();
    answer(request, 200, "{\"definitions\":" + names + "}");
  }

  /** A kind is served once it is defined and was asked for in vain. */
  private boolean isServed(String path) {
    Matcher custom = CUSTOM.matcher(path);
    return path.equals(DEFINITIONS)
        || !custom.matches()
        || (objects.containsKey(DEFINITIONS + "/" + custom.group(2) + "." + custom.group(1))
            && !tried.add(path));
  }

  private void write(HttpServerRequest request, String body) {
    if (!isServed(pathOf(request))) {
      answer(request, 404, "{}");
      return;
    }
    boolean create = request.method().equals(HttpMethod.POST);
    Matcher name = NAME.matcher(body);
    if (!name.find()) {
      answer(request, 400, "{}");
      return;
    }
    String path = create ? pathOf(request) + "/" + name.group(1) : pathOf(request);
    String before = objects.get(path);
    Matcher condition = VERSION.matcher(body);
    if (create == (before != null)) {
      answer(request, create ? 409 : 404, "{}");
      return;
    }
    if (before != null && condition.find() && !before.contains(condition.group())) {
      answer(request, 409, "{}");
      return;
    }
    long next = ++version;
    String after =
        VERSION
            .matcher(body)
            .replaceAll("")
            .replaceFirst(
                "(\"name\":\"[^\"]+\")", "$1,\"uid\":\"u-1\",\"resourceVersion\":\"" + next + "\"");
    objects.put(path, after);
    publish(path, create ? "ADDED" : "MODIFIED", after);
    boolean denied = fault == Fault.DENY && !create && ++changes == FAULTY_EVENT;
    answer(request, denied ? 500 : create ? 201 : 200, after);
  }

  private void list(HttpServerRequest request) {
    String limit = request.getParam("limit");
    int count = limit == null ? Integer.MAX_VALUE : Integer.parseInt(limit);
    var text =
        new StringBuilder("{\"kind\":\"ConfigMapList\",\"metadata\":{\"resourceVersion\":\"")
            .append(version)
            .append("\"},\"items\":[");
    String prefix = pathOf(request) + "/";
    for (Map.Entry<String, String> entry : objects.entrySet()) {
      if (entry.getKey().startsWith(prefix) && count-- > 0) {
        text.append(entry.getValue()).append(',');
      }
    }
    answer(request, 200, text.append("null]}").toString());
  }

  private void watch(HttpServerRequest request) {
    HttpServerResponse response = request.response().setChunked(true);
    var watch = new Watch(watches.size(), pathOf(request), response);
    watches.add(watch);
    response.closeHandler(gone -> watches.remove(watch));
    var _ = response.putHeader("content-type", "application/json").writeHead();
  }

  private void publish(String path, String type, String object) {
    String event = "{\"type\":\"" + type + "\",\"object\":" + object + "}\n";
    String collection = path.substring(0, path.lastIndexOf('/'));
    for (Watch watch : List.copyOf(watches)) {
      if (watch.collection.equals(collection)) {
        boolean faulty = watch.number == FAULTY_WATCHER && ++watch.events == FAULTY_EVENT;
        send(watch, event, faulty ? fault : Fault.NONE);
      }
    }
  }

  private void send(Watch watch, String event, Fault now) {
    switch (now) {
      case NONE, DENY -> {
        send(watch, event);
        if (watch.heldBack != null) {
          send(watch, watch.heldBack);
          watch.heldBack = null;
        }
      }
      case DROP -> {}
      case REPEAT -> {
        send(watch, event);
        send(watch, event);
      }
      case SWAP -> watch.heldBack = event;
      case FALSIFY -> send(watch, event.replaceFirst("(\"resourceVersion\":\")", "$19"));
      case EXPIRE ->
          send(
              watch,
              "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"code\":410,\"reason\":"
                  + "\"Expired\"}}\n");
      case CUT -> {
        var _ = watch.response.end(event.substring(0, event.length() / 2));
        watches.remove(watch);
      }
    }
  }

  private void send(Watch watch, String event) {
    if (pieceBytes == 0) {
      var _ = watch.response.write(encoded(event));
      return;
    }
    for (int from = 0; from < event.length(); from += pieceBytes) {
      var _ =
          watch.response.write(event.substring(from, Math.min(event.length(), from + pieceBytes)));
    }
  }

  /** Most often the one that was just sent to another watcher. */
  private Buffer encoded(String event) {
    if (!event.equals(lastEvent)) {
      lastEvent = event;
      lastEncoded = Buffer.buffer(event);
    }
    return lastEncoded;
  }

  @Override
  public void close() throws Exception {
    var _ = vertx.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  /** By hand, to see how much load the generator can make: {@code ToyServer AUTHORITY-FILE}. */
  public static void main(String[] args) throws Exception {
    var server = new ToyServer(Fault.NONE, 0);
    Files.write(Path.of(args[0]), server.authority());
    System.out.println(
        "--server %s --token %s --certificate-authority %s --pid %d"
            .formatted(server.url(), TOKEN, args[0], ProcessHandle.current().pid()));
    Thread.currentThread().join();
  }
}
