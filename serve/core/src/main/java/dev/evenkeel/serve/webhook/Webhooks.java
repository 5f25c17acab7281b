package dev.evenkeel.serve.webhook;

import dev.evenkeel.kernel.env.Clock;
import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.env.FutureFailure;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.kernel.json.GoText;
import dev.evenkeel.kernel.metric.Meters;
import dev.evenkeel.serve.admission.Admission;
import dev.evenkeel.serve.admission.AdmissionPlugin;
import dev.evenkeel.serve.admission.AdmissionRequest;
import dev.evenkeel.serve.admission.Operation;
import dev.evenkeel.serve.admission.Resource;
import dev.evenkeel.serve.cache.KindCache;
import dev.evenkeel.serve.kinds.ResourceDefinition;
import dev.evenkeel.serve.kinds.policy.Asked;
import dev.evenkeel.serve.policy.Policies;
import dev.evenkeel.serve.policy.Selection;
import dev.evenkeel.serve.policy.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The webhooks in force. They follow the caches, as policies do: a write is brought before those
 * that the caches have when it comes.
 *
 * <p><b>Threading:</b> any thread.
 */
public final class Webhooks implements AutoCloseable {

  private static final System.Logger LOG = System.getLogger(Webhooks.class.getName());

  private static final String GROUP = "admissionregistration.k8s.io";

  /** A patch of an object of 3 MiB, written in base64, with room for what is said beside it. */
  private static final int ANSWER_BYTES_MAX = 8 * 1024 * 1024;

  private final World world;
  private final Clock clock;
  private final RandomGenerator random;
  private final Loop loop;
  private final Gates gates;
  private final Duration requestTime;
  private final Kind changing;
  private final Kind judging;
  private volatile Outside outside = Outside.CLOSED;
  private volatile @Nullable WebhookMetrics metrics;

  /** Configurations of one kind. */
  private static final class Kind {
    private final KindCache cache;
    private final boolean changes;
    private final AtomicReference<Hooks> known = new AtomicReference<>(Hooks.NONE);

    Kind(KindCache cache, boolean changes) {
      this.cache = cache;
      this.changes = changes;
    }

    /** Reads what changed; two who come at once both do, and come to the same. */
    List<Hook> hooks() {
      var tree = cache.newest().tree();
      Hooks last = known.get();
      if (!last.isOf(tree)) {
        last = last.next(tree, changes);
        known.set(last);
      }
      return last.all();
    }
  }

  /**
   * @param requestTime how long a request may take in all
   */
  public Webhooks(Env env, World world, Policies.Caches caches, Duration requestTime) {
    this.world = world;
    this.clock = env.clock();
    this.random = env.random();
    this.loop = env.loop("webhooks");
    this.gates = new Gates(loop);
    this.requestTime = requestTime;
    this.changing = new Kind(caches.of(GROUP, "v1", "mutatingwebhookconfigurations"), true);
    this.judging = new Kind(caches.of(GROUP, "v1", "validatingwebhookconfigurations"), false);
  }

  /** Through which door webhooks are called from now on. */
  public void callThrough(Outside door) {
    outside = door;
  }

  public void register(Meters meters) {
    metrics = new WebhookMetrics(meters);
  }

  /** Answered when no webhook that was there before can be missed. */
  public CompletableFuture<@Nullable Void> ready() {
    return CompletableFuture.allOf(changing.cache.ready(), judging.cache.ready())
        .thenApply(_ -> null);
  }

  public boolean isReady() {
    return changing.cache.isReady() && judging.cache.isReady();
  }

  /** What is to be asked about such a write, with the webhooks that may be about it. */
  public Admission.Plan join(
      Admission.Plan plan,
      Operation operation,
      ResourceDefinition kind,
      String subresource,
      String namespace) {
    List<Hook> mayChange = changing.hooks();
    List<Hook> mayJudge = judging.hooks();
    // A webhook must never keep anybody from mending its configuration.
    if ((mayChange.isEmpty() && mayJudge.isEmpty()) || kind.group().equals(GROUP)) {
      return plan;
    }
    var asked =
        new Asked(
            operation.name(),
            kind.group(),
            kind.gvk().version(),
            kind.plural(),
            subresource,
            namespace,
            Asked.ANY_NAME);
    List<Asked> equivalents = Selection.equivalents(world, kind, asked);
    mayChange = about(mayChange, asked, equivalents);
    mayJudge = about(mayJudge, asked, equivalents);
    if (mayChange.isEmpty() && mayJudge.isEmpty()) {
      return plan;
    }
    Set<Resource> reads = new LinkedHashSet<>(plan.reads());
    reads.add(Resource.core("namespaces"));
    if (haveService(mayChange) || haveService(mayJudge)) {
      reads.add(Endpoints.SERVICES);
      reads.add(Endpoints.SLICES);
    }
    var answers = new Answers(clock, requestTime);
    return new Admission.Plan(
        mayChange.isEmpty()
            ? plan.mutating()
            : and(
                plan.mutating(),
                new MutatingWebhooks(this, world, mayChange, plan.mutating(), answers)),
        mayJudge.isEmpty()
            ? plan.validating()
            : and(plan.validating(), new ValidatingWebhooks(this, world, mayJudge, answers)),
        reads,
        plan.meter());
  }

  private static List<Hook> about(List<Hook> all, Asked asked, List<Asked> equivalents) {
    return all.stream()
        .filter(hook -> hook.matching().matching().match(asked, equivalents) != null)
        .toList();
  }

  private static boolean haveService(List<Hook> hooks) {
    return hooks.stream().anyMatch(hook -> hook.place() instanceof Place.Service);
  }

  private static List<AdmissionPlugin> and(List<AdmissionPlugin> plugins, AdmissionPlugin last) {
    List<AdmissionPlugin> all = new ArrayList<>(plugins);
    all.add(last);
    return all;
  }

  // ---- calls

  /**
   * Asks a webhook. Never fails: that it could not be asked is an outcome too.
   *
   * @param left how long the request may still take
   */
  CompletableFuture<Outcome> ask(
      Hook hook, Review review, AdmissionRequest request, Duration left) {
    long began = clock.nanoTime();
    return gates
        .through(hook.identity(), () -> called(hook, review, request, left))
        .exceptionally(
            failure ->
                new Outcome.Failed(
                    "failed to call webhook: " + Outcomes.text(FutureFailure.cause(failure)), 503))
        .thenApply(
            outcome -> {
              WebhookMetrics told = metrics;
              if (told != null) {
                told.answered(hook, request.operation().name(), outcome, clock.nanoTime() - began);
              }
              if (outcome instanceof Outcome.Failed failed) {
                LOG.log(
                    System.Logger.Level.WARNING,
                    () ->
                        "Failed calling webhook, failing "
                            + (hook.ignoresFailures() ? "open " : "closed ")
                            + hook.name()
                            + ": "
                            + failed.why());
              }
              return outcome;
            });
  }

  private CompletableFuture<Outcome> called(
      Hook hook, Review review, AdmissionRequest request, Duration left) {
    if (hook.reviewVersion().isEmpty()) {
      return CompletableFuture.completedFuture(
          new Outcome.Failed(
              "could not create admission objects: webhook does not accept known AdmissionReview"
                  + " versions (v1, v1beta1)",
              400));
    }
    Duration timeout = hook.timeout().compareTo(left) < 0 ? hook.timeout() : left;
    long seconds = Math.max(1, timeout.plusNanos(999_999_999).toSeconds());
    String query = "?timeout=" + seconds + "s";
    String uid = new UUID(random.nextLong(), random.nextLong()).toString();
    CompletableFuture<Outside.Answer> call;
    try {
      call =
          outside.post(
              address(hook.place(), request, query),
              new Outside.Message(review.body(uid), timeout, ANSWER_BYTES_MAX));
    } catch (Outside.CallException e) {
      call = CompletableFuture.failedFuture(e);
    }
    return within(timeout, call)
        .handle(
            (answer, failure) ->
                failure == null
                    ? review.outcome(uid, Objects.requireNonNull(answer))
                    : new Outcome.Failed(
                        "failed to call webhook: Post "
                            + GoText.quoted(hook.place().shown() + query)
                            + ": "
                            + Outcomes.text(FutureFailure.cause(failure)),
                        503));
  }

  /** Ends a call that takes longer, and does not wait for it to notice. */
  private CompletableFuture<Outside.Answer> within(
      Duration timeout, CompletableFuture<Outside.Answer> call) {
    if (call.isDone()) {
      return call;
    }
    var answer = new CompletableFuture<Outside.Answer>();
    Loop.Timer timer;
    try {
      timer =
          loop.runLater(
              timeout,
              () -> {
                answer.completeExceptionally(
                    new Outside.CallException("context deadline exceeded"));
                call.cancel(true);
              });
    } catch (RejectedExecutionException e) {
      call.cancel(true);
      return CompletableFuture.failedFuture(e);
    }
    var _ =
        call.whenComplete(
            (value, failure) -> {
              timer.cancel();
              if (failure == null) {
                answer.complete(value);
              } else {
                answer.completeExceptionally(failure);
              }
            });
    return answer;
  }

  private Outside.Address address(Place place, AdmissionRequest request, String query)
      throws Outside.CallException {
    return switch (place) {
      case Place.Url url -> {
        String path = Objects.requireNonNullElse(url.url().getRawPath(), "");
        yield new Outside.Address(
            url.url().getHost(),
            url.port(),
            (path.isEmpty() ? "/" : path) + query,
            null,
            url.authorityPem());
      }
      case Place.Service service -> {
        Endpoints.Endpoint endpoint;
        synchronized (random) {
          endpoint = Endpoints.choose(request.views(), service, random);
        }
        yield new Outside.Address(
            endpoint.host(),
            endpoint.port(),
            (service.path().isEmpty() ? "/" : service.path()) + query,
            service.host(),
            service.authorityPem());
      }
    };
  }

  @Override
  public void close() {
    loop.close();
  }
}
