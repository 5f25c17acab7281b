package dev.evenkeel.serve.registry;

import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.kernel.metric.Meters;
import dev.evenkeel.serve.admission.Admission;
import dev.evenkeel.serve.admission.AdmissionMeter;
import dev.evenkeel.serve.admission.builtin.BuiltInPlugins;
import dev.evenkeel.serve.allocation.NodeLedgers;
import dev.evenkeel.serve.api.ApiResponse;
import dev.evenkeel.serve.cache.KindCache;
import dev.evenkeel.serve.call.Call;
import dev.evenkeel.serve.caller.Authentication;
import dev.evenkeel.serve.ledger.Postings;
import dev.evenkeel.serve.object.ObjectRules;
import dev.evenkeel.serve.object.Uids;
import dev.evenkeel.serve.ownership.Managers;
import dev.evenkeel.serve.pod.Bindings;
import dev.evenkeel.serve.pod.DisruptionBudgets;
import dev.evenkeel.serve.pod.Evictions;
import dev.evenkeel.serve.pod.GroupBindings;
import dev.evenkeel.serve.policy.Policies;
import dev.evenkeel.serve.quota.QuotaLedgers;
import dev.evenkeel.serve.read.Reads;
import dev.evenkeel.serve.read.Scopes;
import dev.evenkeel.serve.read.Watches;
import dev.evenkeel.serve.request.Accept;
import dev.evenkeel.serve.request.Target;
import dev.evenkeel.serve.resident.QuotaStatus;
import dev.evenkeel.serve.resource.ResourceTable;
import dev.evenkeel.serve.resource.Served;
import dev.evenkeel.serve.rights.Escalation;
import dev.evenkeel.serve.rights.Rights;
import dev.evenkeel.serve.service.ServiceRanges;
import dev.evenkeel.serve.token.TokenSettings;
import dev.evenkeel.serve.webhook.Outside;
import dev.evenkeel.serve.webhook.Webhooks;
import dev.evenkeel.serve.write.Authority;
import dev.evenkeel.serve.write.DefaultAccounts;
import dev.evenkeel.serve.write.Deletes;
import dev.evenkeel.serve.write.Gatekeeper;
import dev.evenkeel.serve.write.Services;
import dev.evenkeel.serve.write.WriteCommitter;
import dev.evenkeel.serve.write.Writes;
import dev.evenkeel.serve.write.Zones;
import dev.evenkeel.store.Store;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Every verb on every kind: finds out what a call asks for and has it done. */
public final class Registry implements AutoCloseable {

  private static final System.Logger LOG = System.getLogger(Registry.class.getName());

  private static final Duration ACCOUNTS_INTERVAL = Duration.ofSeconds(10);

  private final ResourceTable resources;
  private final Rights rights;
  private final Reads reads;
  private final Watches watches;
  private final Writes writes;
  private final Deletes deletes;
  private final Subresources subresources;
  private final Bindings bindings;
  private final Reviews reviews;
  private final Loop ledgerLoop;
  private final Loop countingLoop;
  private final Postings postings;
  private final QuotaLedgers quotas;
  private final NodeLedgers nodeLedgers;
  private final QuotaStatus quotaStatus;
  private final DefaultAccounts accounts;
  private final Store store;
  private final Services services;
  private final ComponentStatuses components;
  private final Policies policies;
  private final Loop policyLoop;
  private final Webhooks webhooks;

  public Registry(
      Env env,
      Store store,
      ResourceTable resources,
      ServiceRanges ranges,
      Rights rights,
      Authentication authentication,
      @Nullable TokenSettings accountTokens,
      AdmissionMeter meter,
      Duration requestTime) {
    this.resources = resources;
    this.store = store;
    this.rights = rights;
    var uids = new Uids(env);
    var rules = new ObjectRules(env.clock(), uids);
    this.ledgerLoop = env.loop("ledgers");
    // Walks through all objects are not to hold up whoever charges.
    this.countingLoop = env.loop("counting");
    this.postings = new Postings(store, ledgerLoop);
    this.quotas = new QuotaLedgers(store, postings, countingLoop, resources::cacheOf);
    this.nodeLedgers =
        new NodeLedgers(
            store,
            postings,
            countingLoop,
            () -> resources.cacheOf("", "pods"),
            () -> resources.cacheOf("", "nodes"));
    this.accounts = new DefaultAccounts(resources, uids, env.clock());
    this.services = new Services(env, store, resources, uids, ranges);
    var authority =
        new Authority(
            store, new WriteCommitter(postings, quotas, nodeLedgers, accounts, services.claims()));
    var managers = new Managers(resources, env.clock());
    this.quotaStatus = new QuotaStatus(store, resources, quotas, managers, countingLoop);
    this.components = new ComponentStatuses(store);
    this.reads = new Reads(store);
    this.watches = new Watches(env, store);
    this.policyLoop = env.loop("policies");
    var world = new PolicyWorld(resources, rights);
    Policies.Caches caches =
        (group, version, plural) -> resources.at(group, version, plural).cache();
    this.policies = new Policies(world, caches);
    this.webhooks = new Webhooks(env, world, caches, requestTime);
    var gatekeeper =
        new Gatekeeper(
            new Admission(BuiltInPlugins.all(env.clock()), meter),
            resources,
            store,
            policies,
            webhooks,
            policyLoop,
            new Escalation(rights));
    var zones = new Zones(nodeLedgers, resources);
    this.writes = new Writes(authority, rules, resources, gatekeeper, managers, zones, services);
    this.deletes = new Deletes(authority, reads, resources, gatekeeper, env.clock());
    var budgets = new DisruptionBudgets(resources, authority, reads, env.clock());
    var evictions = new Evictions(authority, writes, deletes, budgets, env.clock());
    this.bindings = new Bindings(writes, nodeLedgers, zones, env.clock());
    var groupBindings = new GroupBindings(resources, writes, bindings, gatekeeper);
    this.subresources =
        new Subresources(
            reads,
            writes,
            evictions,
            bindings,
            groupBindings,
            gatekeeper,
            accountTokens == null
                ? null
                : new TokenRequests(
                    accountTokens, resources, store, gatekeeper, uids, env.clock()));
    this.reviews = new Reviews(rights, authentication, env.clock());
  }

  /** What is done to one object. */
  private static final Set<String> OF_ONE = Set.of("get", "update", "patch", "delete");

  private static final Set<String> READS = Set.of("get", "list", "watch");

  /** Kinds of the core group that are not to be used any more, and what is said of them. */
  private static final Map<String, String> DEPRECATED =
      Map.of(
          "componentstatuses",
          "v1 ComponentStatus is deprecated in v1.19+",
          "endpoints",
          "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice");

  /** What is not done to the objects of all namespaces at once. */
  private static final Set<String> ONLY_IN_A_NAMESPACE = Set.of("create", "deletecollection");

  /** What a request asks for, in the API's word. */
  public static String verb(String method, Target.Resource target, boolean watch) {
    boolean named = !target.name().isEmpty();
    return switch (method) {
      case "GET" -> target.watch() || (watch && !named) ? "watch" : named ? "get" : "list";
      case "POST" -> "create";
      case "PUT" -> "update";
      case "PATCH" -> "patch";
      case "DELETE" -> named ? "delete" : "deletecollection";
      default -> throw notAllowed();
    };
  }

  /** In which forms what a request asks for is to be had; that there is nothing comes first. */
  public Accept.Offer offer(Target.Resource target, String verb) {
    Served served = resources.at(target.group(), target.version(), target.plural());
    checkPath(target, served, verb);
    boolean list = verb.equals("list") || verb.equals("watch");
    return new Accept.Offer(
        !served.definition().rules().isCustom(), list, !Reviews.isReview(served));
  }

  /** Answers the call. */
  public CompletableFuture<ApiResponse> handle(Call call, String verb) {
    Target.Resource target = call.target();
    Served served = resources.at(target.group(), target.version(), target.plural());
    checkPath(target, served, verb);
    String deprecated = served.group().isEmpty() ? DEPRECATED.get(served.plural()) : null;
    // Who is told that there is no such thing is told nothing else.
    boolean known =
        target.subresource().isEmpty()
            ? served.definition().verbs().contains(verb.equals("watch") ? "list" : verb)
            : served.definition().hasSubresource(target.subresource());
    if (deprecated != null && known) {
      call.warn(deprecated);
    }
    String deprecation = served.definition().rules().deprecation();
    if (!deprecation.isEmpty() && known) {
      call.warn(deprecation);
    }
    // Before anything is looked at: a client that asked for the wrong dry run must change nothing.
    call.checkOptions(verb);
    if (call.accept().wire() == Accept.Wire.ONLY && served.presentations().wire() == null) {
      throw Status.notAcceptable(Accept.OFFERED).asException();
    }
    // A write that comes before policies and webhooks are known would pass them by.
    return READS.contains(verb) || (policies.isReady() && webhooks.isReady())
        ? dispatch(call, served, verb)
        : CompletableFuture.allOf(policies.ready(), webhooks.ready())
            .thenCompose(_ -> dispatch(call, served, verb));
  }

  /** Refuses what stands at no path of the kind, and what is not done there. */
  private void checkPath(Target.Resource target, Served served, String verb) {
    Set<String> verbs = served.definition().verbs();
    boolean namespaced = served.definition().namespaced();
    boolean named = !target.name().isEmpty();
    boolean inNamespace = !target.namespace().isEmpty();
    boolean all = namespaced && !inNamespace;
    if ((!namespaced && inNamespace)
        || (all && (named || !verbs.contains("list")))
        || (named && Collections.disjoint(verbs, OF_ONE) && target.subresource().isEmpty())) {
      throw resources.noSuchPath(target.group());
    }
    if (all && ONLY_IN_A_NAMESPACE.contains(verb)) {
      throw served.definition().rules().isCustom()
          ? resources.noSuchPath(target.group())
          : notAllowed();
    }
  }

  private CompletableFuture<ApiResponse> dispatch(Call call, Served served, String verb) {
    Target.Resource target = call.target();
    if (!target.subresource().isEmpty()) {
      return whenReady(served, _ -> subresources.handle(call, served, verb));
    }
    if (verb.equals("watch") && !served.definition().verbs().contains(verb)) {
      throw notWatched(served).asException();
    }
    if (!served.definition().verbs().contains(verb)
        || (verb.equals("create") && !target.name().isEmpty())
        || ((verb.equals("update") || verb.equals("patch")) && target.name().isEmpty())) {
      throw notAllowed();
    }
    if (ComponentStatuses.areServed(served)) {
      return components.answer(call, served, verb);
    }
    if (Reviews.isReview(served)) {
      return reviews.create(call, served);
    }
    if (served.group().isEmpty() && served.plural().equals("bindings")) {
      Served pods = resources.at("", "v1", "pods");
      return whenReady(pods, _ -> subresources.bind(call, served, pods));
    }
    if (Services.areServed(served) && !READS.contains(verb) && !services.isReady()) {
      return services.ready().thenCompose(_ -> whenReady(served, _ -> handle(call, served, verb)));
    }
    if (Rights.areGivenBy(served.group()) && !READS.contains(verb) && !call.caller().isMaster()) {
      // What somebody grants is held against all that they hold by now, and no longer hold.
      return rights.newest().thenCompose(_ -> whenReady(served, _ -> handle(call, served, verb)));
    }
    return whenReady(served, _ -> handle(call, served, verb));
  }

  private CompletableFuture<ApiResponse> handle(Call call, Served served, String verb) {
    Target.Resource target = call.target();
    if ((verb.equals("get") || verb.equals("list"))
        && QuotaStatus.isQuota(served)
        && !call.query().text("resourceVersion").equals("0")) {
      return quotaStatus
          .refresh(served, target.namespace())
          .thenCompose(_ -> read(call, served, verb));
    }
    return switch (verb) {
      case "get", "list" -> read(call, served, verb);
      case "watch" -> watches.watch(call, served, Scopes.of(call, served));
      case "create" -> withNamespaces(served, () -> writes.create(call, served));
      case "update" ->
          served.definition().putCreates()
              ? withNamespaces(served, () -> writes.update(call, served, Writes.Part.MAIN))
              : writes.update(call, served, Writes.Part.MAIN);
      case "patch" ->
          call.isApply()
              ? withNamespaces(served, () -> writes.apply(call, served))
              : writes.patch(call, served, Writes.Part.MAIN);
      case "delete" -> deletes.delete(call, served);
      case "deletecollection" -> deletes.deleteCollection(call, served, Scopes.of(call, served));
      default -> throw notAllowed();
    };
  }

  /** What may create an object must know the namespaces. */
  private CompletableFuture<ApiResponse> withNamespaces(
      Served served, Supplier<CompletableFuture<ApiResponse>> then) {
    return served.definition().namespaced()
        ? whenReady(resources.at("", "v1", "namespaces"), _ -> then.get())
        : then.get();
  }

  private CompletableFuture<ApiResponse> read(Call call, Served served, String verb) {
    Target.Resource target = call.target();
    return verb.equals("get")
        ? reads.get(call, served, served.key(target.namespace(), target.name()), target.name())
        : reads.list(call, served, Scopes.of(call, served));
  }

  /** Once the kind's cache has the state; the first who asks for a kind makes it begin. */
  private static CompletableFuture<ApiResponse> whenReady(
      Served served, Function<KindCache, CompletableFuture<ApiResponse>> then) {
    KindCache cache = served.cache();
    return cache.isReady() ? then.apply(cache) : cache.ready().thenCompose(then);
  }

  private static Status notWatched(Served served) {
    return new Status(
        405,
        "MethodNotAllowed",
        "watch is not supported on resources of kind \"" + served.plural() + "\"",
        new Status.Details("", served.group(), served.plural(), "", List.of(), 0),
        null);
  }

  /** Shows in ComponentStatuses how a part is that runs beside the server. */
  public void component(String name, Supplier<String> fault) {
    components.add(name, fault);
  }

  private static dev.evenkeel.kernel.api.ApiException notAllowed() {
    return Status.methodNotAllowed(
            "the server does not allow this method on the requested resource")
        .asException();
  }

  /** Completes what an older version of the server left, and begins to look after the ledgers. */
  public CompletableFuture<@Nullable Void> start() {
    quotas.all().startAudit();
    nodeLedgers.all().startAudit();
    keepAccounts();
    return quotaStatus
        .refreshAll()
        .thenCompose(_ -> accounts.addMissing(store))
        .thenCompose(_ -> services.start())
        .<@Nullable Void>handle(
            (_, failure) -> failed("a first look at quotas and accounts", failure));
  }

  /** What fails here is done again before long, and must not keep the server from serving. */
  private static @Nullable Void failed(String what, @Nullable Throwable failure) {
    if (failure != null) {
      LOG.log(System.Logger.Level.WARNING, what + " failed, and is tried again", failure);
    }
    return null;
  }

  private void keepAccounts() {
    try {
      var _ =
          countingLoop.runLater(
              ACCOUNTS_INTERVAL,
              () -> {
                var _ =
                    accounts
                        .addMissing(store)
                        .<@Nullable Void>handle(
                            (_, failure) -> failed("making default accounts", failure));
                keepAccounts();
              });
    } catch (RejectedExecutionException e) {
      // The server closes.
    }
  }

  /** Through which door webhooks are called. */
  public void callThrough(Outside door) {
    webhooks.callThrough(door);
  }

  /** Adds what is known of ledgers, bindings and webhooks. */
  public void register(Meters meters) {
    quotas.all().register(meters);
    nodeLedgers.all().register(meters);
    meters.measured(
        "evenkeel_charged_writes_under_way",
        "Charged writes that were sent and are not settled",
        () -> (double) postings.underWay());
    bindings.register(meters);
    webhooks.register(meters);
  }

  @Override
  public void close() {
    webhooks.close();
    policyLoop.close();
    countingLoop.close();
    ledgerLoop.close();
  }
}
