package dev.evenkeel.serve;

import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.env.FutureFailure;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.metric.Meters;
import dev.evenkeel.serve.api.ApiHandler;
import dev.evenkeel.serve.api.ApiRequest;
import dev.evenkeel.serve.api.ApiResponse;
import dev.evenkeel.serve.api.PlainAnswer;
import dev.evenkeel.serve.cache.KindCache;
import dev.evenkeel.serve.call.Call;
import dev.evenkeel.serve.call.Failures;
import dev.evenkeel.serve.caller.Authentication;
import dev.evenkeel.serve.caller.Caller;
import dev.evenkeel.serve.caller.TokenReader;
import dev.evenkeel.serve.kinds.ResourceDefinition;
import dev.evenkeel.serve.kinds.catalog.Catalog;
import dev.evenkeel.serve.kinds.wire.WireCodec;
import dev.evenkeel.serve.metrics.RequestMetrics;
import dev.evenkeel.serve.metrics.ServerMetrics;
import dev.evenkeel.serve.presence.Presence;
import dev.evenkeel.serve.present.Presentations;
import dev.evenkeel.serve.registry.Registry;
import dev.evenkeel.serve.request.Accept;
import dev.evenkeel.serve.request.Query;
import dev.evenkeel.serve.request.Target;
import dev.evenkeel.serve.resident.CustomKinds;
import dev.evenkeel.serve.resident.Deadlines;
import dev.evenkeel.serve.resident.FlowSchemaStatus;
import dev.evenkeel.serve.resident.Housekeeping;
import dev.evenkeel.serve.resident.PolicyStatus;
import dev.evenkeel.serve.resident.RoleAggregation;
import dev.evenkeel.serve.resident.RoleDefaults;
import dev.evenkeel.serve.resource.ResourceTable;
import dev.evenkeel.serve.resource.Served;
import dev.evenkeel.serve.rights.AccessCheck;
import dev.evenkeel.serve.rights.Impersonation;
import dev.evenkeel.serve.rights.Rights;
import dev.evenkeel.serve.token.AccountTokens;
import dev.evenkeel.serve.token.BootstrapTokens;
import dev.evenkeel.serve.token.OpenIdPages;
import dev.evenkeel.serve.token.TokenSettings;
import dev.evenkeel.serve.webhook.Outside;
import dev.evenkeel.store.Store;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The API server, without sockets: authenticates a request, keeps it within the limits, and has it
 * answered.
 *
 * <p><b>Threading:</b> requests are handled on the caller's thread and continue where the store or
 * the cache answers; one loop owns all caches.
 */
public final class ApiServer implements ApiHandler, AutoCloseable {

  private static final System.Logger LOG = System.getLogger(ApiServer.class.getName());

  private final Env env;
  private final Store store;
  private final ServerSettings settings;
  private final Loop cacheLoop;
  private final ResourceTable resources = new ResourceTable();
  private final Map<String, KindCache> caches = new HashMap<>();
  private final Map<String, Set<String>> indexedFields = new HashMap<>();
  private final Authentication authentication;
  private final Rights rights;
  private final AccessCheck access;
  private final FlowControl flow;
  private final Registry registry;
  private final SelfDescription self;
  private final Deadlines deadlines;
  private final Housekeeping housekeeping;
  private final CustomKinds customKinds;
  private final PolicyStatus policyStatus;
  private final FlowSchemaStatus flowSchemaStatus;
  private final RoleDefaults roleDefaults;
  private final RoleAggregation roleAggregation;
  private final AuditTrail audit;
  private final ServerMetrics metrics;
  private final RequestMetrics requests;
  private final CompletableFuture<@Nullable Void> ready;
  private @Nullable Presence presence;

  private ApiServer(Env env, Store store, ServerSettings settings) {
    this.env = env;
    this.metrics = new ServerMetrics(env.clock(), resources);
    this.requests = metrics.requests();
    this.store = metrics.store().measured(store);
    this.settings = settings;
    this.cacheLoop = env.loop("watch-cache");
    this.flow = new FlowControl(settings.limits());
    List<ResourceDefinition> kinds = Catalog.builtIn();
    for (ResourceDefinition kind : kinds) {
      indexedFields
          .computeIfAbsent(Served.prefix(kind), _ -> new LinkedHashSet<>())
          .addAll(Catalog.storedPaths(kind));
    }
    resources.add(kinds, this::serve);
    TokenSettings accountTokens = settings.accountTokens();
    this.authentication = authentication(accountTokens);
    this.rights = new Rights(this.store, resources);
    this.access = new AccessCheck(rights);
    this.registry =
        new Registry(
            env,
            this.store,
            resources,
            settings.services(),
            rights,
            authentication,
            accountTokens,
            metrics.admission(),
            settings.limits().requestTime());
    this.audit = new AuditTrail(env.clock());
    this.self = new SelfDescription(env, settings, this.store, resources, flow, audit, metrics);
    if (accountTokens != null) {
      self.openId(new OpenIdPages(accountTokens));
    }
    this.deadlines = new Deadlines(env.clock(), settings.limits().requestTime());
    this.housekeeping = new Housekeeping(env, this.store, settings.compaction(), deadlines);
    this.customKinds =
        new CustomKinds(
            env,
            this,
            resources,
            (definition, indexedPaths) ->
                newCache(definition, Served.prefix(definition), indexedPaths));
    this.policyStatus = new PolicyStatus(env, this, resources);
    policyStatus.start();
    this.flowSchemaStatus = new FlowSchemaStatus(env, this, resources);
    flowSchemaStatus.start();
    this.roleDefaults = new RoleDefaults(env, this, resources);
    this.roleAggregation = new RoleAggregation(env, this, resources);
    roleAggregation.start();
    CompletableFuture<@Nullable Void> firstObjects = housekeeping.start(this);
    // Masters need no roles, so that the server is ready before they are there: others wait.
    access.openWhen(firstObjects.thenCompose(_ -> roleDefaults.start()));
    // Side by side: a start is to take a second.
    this.ready =
        CompletableFuture.allOf(firstObjects, customKinds.start(), registry.start(), rights.ready())
            .thenApply(_ -> null);
    registry.register(metrics.meters());
    self.readyWhen(ready);
  }

  private Authentication authentication(@Nullable TokenSettings accountTokens) {
    List<TokenReader> readers = new ArrayList<>();
    if (accountTokens != null) {
      readers.add(new AccountTokens(accountTokens, resources, store, env.clock()));
    }
    List<String> audiences = accountTokens == null ? List.of() : accountTokens.audiences();
    readers.add(new BootstrapTokens(audiences, resources, env.clock()));
    return new Authentication(
        settings.tokens(),
        settings.anonymousHealth(),
        readers,
        audiences,
        env.clock(),
        this::failedToAuthenticate);
  }

  private void failedToAuthenticate(ApiRequest request) {
    audit.tellFailedAttempt(request);
  }

  /** Begins to serve what is in the store. The store stays the caller's to close. */
  public static ApiServer open(Env env, Store store, ServerSettings settings) {
    return new ApiServer(env, store, settings);
  }

  /** Answered when requests can be served: what every cluster has is there. */
  public CompletableFuture<@Nullable Void> ready() {
    return ready;
  }

  /**
   * Has the server say of itself, in objects, that it is there and what it serves: its identity's
   * Lease, the Service {@code default/kubernetes} that leads to it, and APIServices.
   */
  public void announce(Presence.Place place) {
    var said = new Presence(env, this, resources, settings.services(), place);
    presence = said;
    self.reachedAt(place);
    var _ = ready.thenAccept(_ -> said.start());
  }

  /**
   * Shows in ComponentStatuses how a part is that runs beside the server.
   *
   * @param fault what is wrong with it; empty if nothing is
   */
  public void component(String name, Supplier<String> fault) {
    registry.component(name, fault);
  }

  /** Through which door webhooks are called; without one they cannot be. */
  public void callThrough(Outside door) {
    registry.callThrough(door);
  }

  /** What the caches hold by their own account: objects and windows. */
  public long cachedBytes() {
    return resources.all().stream()
        .map(Served::cache)
        .distinct()
        .mapToLong(cache -> cache.figures().objectBytes + cache.figures().windowBytes)
        .sum();
  }

  /** To which other parts of the process add what {@code /metrics} is to show of them. */
  public Meters meters() {
    return metrics.meters();
  }

  /** Answers reads of {@code /first/…} with what another part of the process shows. */
  public void alsoAnswer(String first, Pages pages) {
    self.alsoAnswer(first, pages);
  }

  private Served serve(ResourceDefinition definition) {
    String prefix = Served.prefix(definition);
    KindCache cache =
        caches.computeIfAbsent(
            prefix,
            _ ->
                newCache(
                    definition, prefix, List.copyOf(indexedFields.getOrDefault(prefix, Set.of()))));
    return new Served(definition, prefix, cache, new Presentations(definition, env.clock()));
  }

  private KindCache newCache(
      ResourceDefinition definition, String prefix, List<String> indexedPaths) {
    return new KindCache(
        env,
        cacheLoop,
        store,
        definition.storage().version(),
        Bytes.utf8(prefix),
        indexedPaths,
        settings.cache(),
        metrics.caches().deliveries(definition.group(), definition.plural()));
  }

  @Override
  public CompletableFuture<ApiResponse> handle(ApiRequest request) {
    CompletableFuture<ApiResponse> answer = plain(request);
    return Indentation.isWanted(request) ? answer.thenApply(Indentation::of) : answer;
  }

  private CompletableFuture<ApiResponse> plain(ApiRequest request) {
    CompletableFuture<ApiResponse> answer;
    try {
      answer = answer(request);
    } catch (RuntimeException | StackOverflowError e) {
      answer = CompletableFuture.failedFuture(e);
    }
    if (answer.isDone() && !answer.isCompletedExceptionally()) {
      return answer;
    }
    if (!answer.isDone()) {
      deadlines.watch(answer);
    }
    return answer.exceptionally(failure -> failed(request, failure));
  }

  private CompletableFuture<ApiResponse> answer(ApiRequest request) {
    CompletableFuture<Caller> known = authentication.authenticate(request);
    CompletableFuture<Caller> acting =
        isPassed(known)
            ? access.actingAs(known.join(), request)
            : known.thenCompose(caller -> access.actingAs(caller, request));
    return isPassed(acting)
        ? answer(request, acting.join())
        : acting.thenCompose(caller -> answer(request, caller));
  }

  /** Most callers are let in at once: what comes next then needs no future of its own. */
  private static boolean isPassed(CompletableFuture<?> check) {
    return check.isDone() && !check.isCompletedExceptionally();
  }

  private CompletableFuture<ApiResponse> answer(ApiRequest request, Caller caller) {
    Query query = Query.parse(request.query());
    Target asked = Target.parse(request.path());
    // Not a switch: the first one on types costs the first request some 20 ms.
    if (asked instanceof Target.Other other) {
      CompletableFuture<@Nullable Void> check = access.check(caller, request, other);
      return isPassed(check)
          ? self.answer(request, other, query)
          : check.thenCompose(_ -> self.answer(request, other, query));
    }
    var target = (Target.Resource) asked;
    String verb = Registry.verb(request.method(), target, query.flag("watch"));
    return measured(
        request,
        target,
        verb,
        query,
        () -> flow.within(verb, target, () -> answer(request, target, verb, query, caller)));
  }

  /** Within the limits: a refusal may ask the store, and whoever may nothing could ask for many. */
  private CompletableFuture<ApiResponse> answer(
      ApiRequest request, Target.Resource target, String verb, Query query, Caller caller) {
    CompletableFuture<@Nullable Void> check = access.check(caller, verb, target, query);
    return isPassed(check)
        ? let(request, target, verb, query, caller)
        : check.thenCompose(_ -> let(request, target, verb, query, caller));
  }

  private CompletableFuture<ApiResponse> let(
      ApiRequest request, Target.Resource target, String verb, Query query, Caller caller) {
    if (request.body().bytes().length > settings.limits().requestBytesMax()) {
      throw Status.tooLarge(
              "Request entity too large: limit is " + settings.limits().requestBytesMax())
          .asException();
    }
    return audited(new Call(request, target, query, accept(request, target, verb), caller), verb);
  }

  /** What is at no path is not measured: whoever asks would make up names for ever. */
  private CompletableFuture<ApiResponse> measured(
      ApiRequest request,
      Target.Resource target,
      String verb,
      Query query,
      Supplier<CompletableFuture<ApiResponse>> work) {
    Served served = resources.find(target.group(), target.version(), target.plural());
    if (served == null) {
      return work.get();
    }
    RequestMetrics.Kind kind = RequestKinds.of(request, target, verb, query, served);
    long began = requests.now();
    CompletableFuture<ApiResponse> answer;
    try {
      answer = work.get();
    } catch (RuntimeException | StackOverflowError e) {
      requests.refused(kind, began, code(e));
      throw e;
    }
    if (answer.isDone() && !answer.isCompletedExceptionally()) {
      return CompletableFuture.completedFuture(requests.answered(kind, began, answer.join()));
    }
    // A future of its own: the deadline ends this one, and so it is seen here.
    var measured = new CompletableFuture<ApiResponse>();
    var _ =
        answer.whenComplete(
            (response, failure) -> {
              if (response == null) {
                measured.completeExceptionally(FutureFailure.cause(failure));
              } else if (measured.isDone()) {
                letGo(response);
              } else {
                measured.complete(requests.answered(kind, began, response));
              }
            });
    var _ =
        measured.whenComplete(
            (_, failure) -> {
              if (failure != null) {
                requests.refused(kind, began, code(failure));
              }
            });
    return measured;
  }

  /** An answer that comes too late for whoever asked. */
  private static void letGo(ApiResponse response) {
    if (response.content() instanceof ApiResponse.Streamed(var stream, var _)) {
      stream.close();
    }
  }

  private static int code(Throwable failure) {
    Status status = Failures.status(failure);
    return status == null ? 500 : status.code();
  }

  private Accept accept(ApiRequest request, Target.Resource target, String verb) {
    String header = request.header("accept");
    return Accept.isPlain(header)
        ? Accept.JSON
        : Accept.parse(header, registry.offer(target, verb));
  }

  private CompletableFuture<ApiResponse> audited(Call call, String verb) {
    CompletableFuture<ApiResponse> answer;
    try {
      answer = registry.handle(call, verb);
    } catch (ApiException e) {
      audit.tell(call, verb, e.status().code());
      if (call.hasWarnings()) {
        return CompletableFuture.completedFuture(
            call.with(statusAnswer(call.request(), e.status())));
      }
      throw e;
    }
    if (!answer.isDone() || answer.isCompletedExceptionally()) {
      answer = answer.exceptionallyCompose(failure -> warned(call, failure));
    }
    if (answer.isDone() && call.annotations().isEmpty()) {
      return answer;
    }
    return answer.whenComplete(
        (response, failure) -> {
          Status refused = failure == null ? null : Failures.status(failure);
          audit.tell(
              call,
              verb,
              response != null ? response.status() : refused == null ? 500 : refused.code());
        });
  }

  /** A refusal carries what there was to warn of, as any answer does. */
  private static CompletableFuture<ApiResponse> warned(Call call, Throwable failure) {
    Status status = call.hasWarnings() ? Failures.status(failure) : null;
    return status == null
        ? CompletableFuture.failedFuture(failure)
        : CompletableFuture.completedFuture(call.with(statusAnswer(call.request(), status)));
  }

  /**
   * Has somebody told of requests about which policies had something to say, one event of {@code
   * audit.k8s.io/v1} a call.
   */
  public void auditTo(Consumer<byte[]> reader) {
    audit.to(reader);
  }

  @Override
  public @Nullable ApiResponse refusal(ApiRequest request) {
    try {
      CompletableFuture<Caller> known = authentication.authenticate(request);
      if (known.isCompletedExceptionally()) {
        return failed(request, known.exceptionNow());
      }
      var _ = Impersonation.of(request);
      return null;
    } catch (ApiException | PlainAnswer e) {
      return failed(request, e);
    }
  }

  private static ApiResponse failed(ApiRequest request, Throwable failure) {
    if (FutureFailure.cause(failure) instanceof PlainAnswer plain) {
      return plain.response();
    }
    Status status = Failures.status(failure);
    if (status == null) {
      LOG.log(
          System.Logger.Level.ERROR,
          () -> request.method() + " " + request.path() + " failed",
          failure);
      status = Status.internal("the server met a fault of its own; its log says more");
    }
    return statusAnswer(request, status);
  }

  private static ApiResponse statusAnswer(ApiRequest request, Status status) {
    String type = Accept.ofErrors(request.header("accept"));
    List<ApiResponse.Header> headers = new ArrayList<>(2);
    headers.add(new ApiResponse.Header("Content-Type", type));
    Status.Details details = status.details();
    if (details != null && details.retryAfterSeconds() > 0) {
      headers.add(
          new ApiResponse.Header("Retry-After", Integer.toString(details.retryAfterSeconds())));
    }
    ObjectNode json = status.toJson();
    byte[] body =
        switch (type) {
          case WireCodec.MEDIA_TYPE -> WireCodec.encode(json);
          case "application/yaml" -> Json.encode(json, Json.Format.YAML);
          default -> Json.encode(json);
        };
    return new ApiResponse(status.code(), headers, new ApiResponse.Whole(body));
  }

  /** Ends all watches cleanly; requests under way go on, and reads and writes are still served. */
  public void drain() {
    self.drain();
    caches.values().forEach(KindCache::drain);
    customKinds.drain();
  }

  @Override
  public void close() {
    if (presence != null) {
      presence.close();
    }
    housekeeping.close();
    customKinds.close();
    policyStatus.close();
    flowSchemaStatus.close();
    roleDefaults.close();
    roleAggregation.close();
    registry.close();
    caches.values().forEach(KindCache::close);
    cacheLoop.close();
  }
}
