package dev.evenkeel.serve.write;

import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.env.FutureFailure;
import dev.evenkeel.kernel.tree.SortedTree;
import dev.evenkeel.serve.admission.Admission;
import dev.evenkeel.serve.admission.AdmissionRequest;
import dev.evenkeel.serve.admission.AnswerAwaited;
import dev.evenkeel.serve.admission.Operation;
import dev.evenkeel.serve.admission.Resource;
import dev.evenkeel.serve.admission.Views;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.cache.KindCache;
import dev.evenkeel.serve.call.Call;
import dev.evenkeel.serve.call.Failures;
import dev.evenkeel.serve.caller.Caller;
import dev.evenkeel.serve.kinds.ResourceDefinition;
import dev.evenkeel.serve.policy.Policies;
import dev.evenkeel.serve.resource.ResourceTable;
import dev.evenkeel.serve.resource.Served;
import dev.evenkeel.serve.rights.Escalation;
import dev.evenkeel.serve.webhook.Webhooks;
import dev.evenkeel.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Brings writes before the admission plugins, and sees to it that these find what they read. A
 * refusal that rests on a cache that lags is made again on the newest state before it is told.
 */
public final class Gatekeeper {

  /** More than webhooks and conflicts make together: only what never settles comes so far. */
  private static final int ANSWERS_MAX = 1_000;

  private final Admission admission;
  private final ResourceTable resources;
  private final Store store;
  private final Policies policies;
  private final Webhooks webhooks;
  private final Executor aside;
  private final Escalation escalation;
  private final Views views;

  /**
   * @param aside where plugins that may take long are asked
   */
  public Gatekeeper(
      Admission admission,
      ResourceTable resources,
      Store store,
      Policies policies,
      Webhooks webhooks,
      Executor aside,
      Escalation escalation) {
    this.aside = aside;
    this.escalation = escalation;
    this.admission = admission;
    this.resources = resources;
    this.store = store;
    this.policies = policies;
    this.webhooks = webhooks;
    this.views =
        resource -> {
          KindCache cache = cache(resource);
          return cache == null ? SortedTree.empty() : cache.newest().tree();
        };
  }

  private @Nullable KindCache cache(Resource resource) {
    return resources.cacheOf(resource.group(), resource.plural());
  }

  Admission.Plan plan(Call call, Served served, Operation operation) {
    String subresource = call.target().subresource();
    ResourceDefinition kind = served.definition();
    String namespace = call.target().namespace();
    Admission.Plan plan =
        policies.join(
            admission.of(new Resource(served.group(), served.plural()), subresource, operation),
            operation,
            kind,
            subresource,
            namespace);
    return webhooks.join(plan, operation, kind, subresource, namespace);
  }

  AdmissionRequest request(
      Call call,
      Served served,
      Operation operation,
      @Nullable ObjectNode object,
      @Nullable ObjectNode old) {
    Caller caller = call.caller();
    ObjectNode options = call.options(operation);
    return new AdmissionRequest(
        operation,
        served.definition(),
        call.target().subresource(),
        call.target().namespace(),
        call.target().name(),
        object,
        old,
        options,
        !options.path("dryRun").isEmpty(),
        new AdmissionRequest.User(caller.name(), caller.uid(), caller.groups(), caller.extra()),
        views,
        call::warn,
        call::annotate);
  }

  /**
   * Refuses what would give somebody rights that the caller does not hold.
   *
   * @param old what it replaces; null if it is new
   */
  void checkRights(Call call, ObjectNode object, @Nullable ObjectNode old) {
    escalation.check(call.caller(), call.target(), object, old);
  }

  /** Does what was asked for by creating a subresource of another kind, once that is let in. */
  public <T> CompletableFuture<T> withJudged(
      Call call, Served served, ObjectNode created, Supplier<CompletableFuture<T>> then) {
    return withJudged(List.of(call), served, List.of(created), then);
  }

  /**
   * The same for several at once, of one kind and in one namespace.
   *
   * @param calls one for each
   */
  public <T> CompletableFuture<T> withJudged(
      List<Call> calls,
      Served served,
      List<ObjectNode> created,
      Supplier<CompletableFuture<T>> then) {
    Admission.Plan plan = plan(calls.getFirst(), served, Operation.CREATE);
    return withViews(
        plan,
        () -> {
          boolean asked = !plan.validating().isEmpty() || !plan.mutating().isEmpty();
          for (int i = 0; i < calls.size() && asked; i++) {
            AdmissionRequest request =
                request(calls.get(i), served, Operation.CREATE, created.get(i), null);
            plan.mayRefuse(request);
            plan.validate(request);
          }
          return then.get();
        });
  }

  /** Does the write once what its plugins read is there; the write may be done again. */
  <T> CompletableFuture<T> withViews(Admission.Plan plan, Supplier<CompletableFuture<T>> write) {
    if (plan.reads().isEmpty()) {
      return write.get();
    }
    List<KindCache> caches = new ArrayList<>(plan.reads().size());
    boolean ready = true;
    for (Resource resource : plan.reads()) {
      KindCache cache = cache(resource);
      if (cache != null) {
        caches.add(cache);
        ready &= cache.isReady();
      }
    }
    if (!plan.mayTakeLong()) {
      if (ready) {
        return retriedOnNewerViews(caches, write);
      }
      return allReady(caches).thenCompose(_ -> retriedOnNewerViews(caches, write));
    }
    Supplier<CompletableFuture<T>> answered = () -> answered(write, ANSWERS_MAX);
    return allReady(caches).thenComposeAsync(_ -> retriedOnNewerViews(caches, answered), aside);
  }

  private static CompletableFuture<?> allReady(List<KindCache> caches) {
    return CompletableFuture.allOf(
        caches.stream().map(KindCache::ready).toArray(CompletableFuture<?>[]::new));
  }

  /** Decides the write again whenever an answer is there that a plugin waited for. */
  private <T> CompletableFuture<T> answered(Supplier<CompletableFuture<T>> write, int answersMax) {
    CompletableFuture<T> first;
    try {
      first = write.get();
    } catch (RuntimeException e) {
      first = CompletableFuture.failedFuture(e);
    }
    return first.exceptionallyCompose(
        failure -> {
          if (!(FutureFailure.cause(failure) instanceof AnswerAwaited awaited)) {
            return CompletableFuture.failedFuture(failure);
          }
          if (answersMax == 0) {
            return CompletableFuture.failedFuture(
                Status.internal(
                        "admission asked for " + ANSWERS_MAX + " answers and came to no decision")
                    .asException());
          }
          return awaited
              .answer()
              .handle((_, _) -> awaited)
              .thenComposeAsync(_ -> answered(write, answersMax - 1), aside);
        });
  }

  /** A refusal may rest on views that are too old: then the write is tried on the newest ones. */
  private <T> CompletableFuture<T> retriedOnNewerViews(
      List<KindCache> caches, Supplier<CompletableFuture<T>> write) {
    List<SortedTree<CachedObject>> seen =
        caches.stream().map(cache -> cache.newest().tree()).toList();
    CompletableFuture<T> first;
    try {
      first = write.get();
    } catch (RuntimeException e) {
      first = CompletableFuture.failedFuture(e);
    }
    return first.exceptionallyCompose(
        failure ->
            Failures.isRefusal(failure)
                ? newest(caches)
                    .thenCompose(
                        trees ->
                            trees.equals(seen)
                                ? CompletableFuture.failedFuture(failure)
                                : write.get())
                : CompletableFuture.failedFuture(failure));
  }

  private CompletableFuture<List<SortedTree<CachedObject>>> newest(List<KindCache> caches) {
    return store
        .currentRevision()
        .thenCompose(
            revision ->
                CompletableFuture.allOf(
                    caches.stream()
                        .map(cache -> cache.atLeast(revision))
                        .toArray(CompletableFuture<?>[]::new)))
        .thenApply(_ -> caches.stream().map(cache -> cache.newest().tree()).toList());
  }
}
