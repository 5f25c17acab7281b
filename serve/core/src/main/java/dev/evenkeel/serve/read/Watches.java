package dev.evenkeel.serve.read;

import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.api.ApiResponse;
import dev.evenkeel.serve.api.BodyStream;
import dev.evenkeel.serve.cache.Representation;
import dev.evenkeel.serve.cache.Scope;
import dev.evenkeel.serve.cache.WatchRequest;
import dev.evenkeel.serve.call.Call;
import dev.evenkeel.serve.call.Failures;
import dev.evenkeel.serve.kinds.wire.WireCodec;
import dev.evenkeel.serve.present.Presentation;
import dev.evenkeel.serve.request.Accept;
import dev.evenkeel.serve.resource.Served;
import dev.evenkeel.store.Store;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Opens watches. */
public final class Watches {

  private static final String WIRE_EVENTS = WireCodec.MEDIA_TYPE + ";stream=watch";

  private static final int TIMED_OUT = 504;

  /** Without a timeout of the client's own, a watch ends after this or up to twice as long. */
  private static final Duration TIMEOUT_MIN = Duration.ofMinutes(30);

  /** No client waits for the end of a longer one. */
  private static final Duration TIMEOUT_MAX = Duration.ofDays(7);

  private final Env env;
  private final Store store;

  public Watches(Env env, Store store) {
    this.env = env;
    this.store = store;
  }

  public CompletableFuture<ApiResponse> watch(Call call, Served served, Scope scope) {
    boolean bookmarks = call.query().flag("allowWatchBookmarks");
    Presentation presentation = presentation(call, served);
    Representation representation = representation(presentation, served);
    Duration timeout = timeout(call);
    CompletableFuture<BodyStream> stream =
        start(call)
            .thenCompose(
                start ->
                    served
                        .cache()
                        .watch(new WatchRequest(scope, start, representation, bookmarks, timeout)))
            .thenApply(watcher -> watcher);
    if (call.query().flag("sendInitialEvents")) {
      stream = stream.exceptionally(failure -> toldInStream(failure, presentation));
    }
    return stream.thenApply(
        events ->
            new ApiResponse(
                200,
                call.headers(
                    new ApiResponse.Header(
                        "Content-Type", presentation.isJson() ? "application/json" : WIRE_EVENTS)),
                new ApiResponse.Streamed(events, ApiResponse.Kind.EVENTS)));
  }

  /** Whoever wants the state by a watch is told there that it is not to be had in time. */
  private static BodyStream toldInStream(Throwable failure, Presentation presentation) {
    Status status = Failures.status(failure);
    if (status == null || status.code() != TIMED_OUT) {
      throw failure instanceof RuntimeException e ? e : new CompletionException(failure);
    }
    return new LastEvent(presentation, status);
  }

  private static Presentation presentation(Call call, Served served) {
    Accept accept = call.accept();
    if (call.request().header("upgrade") != null) {
      // Events go out as text there.
      accept = accept.with(Accept.Wire.NO);
    }
    Presentation presentation =
        served.presentations().of(accept, call.query().text("includeObject"));
    if (presentation.isJson() && accept.format() != Json.Format.JSON) {
      throw Status.notAcceptable(List.of("application/json", WireCodec.MEDIA_TYPE)).asException();
    }
    return presentation;
  }

  private static Representation representation(Presentation presentation, Served served) {
    boolean plain = presentation.equals(served.presentations().plain());
    return plain && served.definition().servesStoredVersion()
        ? Representation.AS_STORED
        : presentation;
  }

  private Duration timeout(Call call) {
    long seconds = call.query().number("timeoutSeconds", 0);
    if (seconds > 0) {
      return Duration.ofSeconds(Math.min(seconds, TIMEOUT_MAX.toSeconds()));
    }
    long min = TIMEOUT_MIN.toMillis();
    return Duration.ofMillis(min + env.random().nextLong(min));
  }

  private CompletableFuture<WatchRequest.Start> start(Call call) {
    String version = call.query().text("resourceVersion");
    String match = call.query().text("resourceVersionMatch");
    boolean hasInitial = call.query().has("sendInitialEvents");
    boolean initial = call.query().flag("sendInitialEvents");
    checkOptions(call, version, match, hasInitial);
    // Where the state ends is told by a bookmark, to those who want bookmarks.
    boolean announced = initial && call.query().flag("allowWatchBookmarks");
    long revision = Reads.version(version);
    if (hasInitial && !initial) {
      return revision > 0
          ? done(new WatchRequest.Start.After(revision))
          : store.currentRevision().thenApply(WatchRequest.Start.After::new);
    }
    if (version.isEmpty()) {
      return store
          .currentRevision()
          .thenApply(newest -> new WatchRequest.Start.State(newest, announced));
    }
    if (initial || revision == 0) {
      return done(new WatchRequest.Start.State(revision, announced));
    }
    return done(new WatchRequest.Start.After(revision));
  }

  /** Old clients that name no version, or any, get the state first: as if they had asked for it. */
  private static void checkOptions(Call call, String version, String match, boolean hasInitial) {
    boolean fromState = match.isEmpty() && (version.isEmpty() || version.equals("0"));
    var problems = new Problems();
    String field = "resourceVersionMatch";
    if (hasInitial && !match.equals("NotOlderThan")) {
      problems.forbidden(
          field, "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
    }
    if (!hasInitial && !match.isEmpty()) {
      problems.forbidden(
          field,
          "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
    }
    if (!match.isEmpty() && !match.equals("NotOlderThan")) {
      problems.notSupported(field, match, List.of("NotOlderThan"));
    }
    if (!call.query().text("continue").isEmpty()
        && (!match.isEmpty() || (fromState && !hasInitial))) {
      problems.forbidden(field, "resourceVersionMatch is forbidden when continue is provided");
    }
    if (!problems.isEmpty()) {
      throw Status.invalid("meta.k8s.io", "ListOptions", "", problems.errors()).asException();
    }
  }

  private static CompletableFuture<WatchRequest.Start> done(WatchRequest.Start start) {
    return CompletableFuture.completedFuture(start);
  }
}
