package dev.evenkeel.decide.lead;

import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.env.Clock;
import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.env.FutureFailure;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.kernel.invariant.Invariants;
import dev.evenkeel.observe.object.Kinds;
import dev.evenkeel.observe.transport.Client;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Stands for election through a {@code Lease}: renews it while it leads, and otherwise waits until
 * its holder has given it up or has not renewed it for as long as it lasts, by the clock of the one
 * who waits. Other clients that elect through leases understand it, and it them.
 *
 * <p>Losing a lease ends the term and nothing else: whoever works under it stops, caches stay warm,
 * and it stands for election again.
 *
 * <p><b>Invariants:</b> a term begins only after the server has confirmed that the lease is ours,
 * and it ends before the lease can run out for others: the time counts from before the request.
 * Each change of the holder raises the transitions, so a term is never there twice.
 *
 * <p><b>Threading:</b> all on a loop of its own, so that work that takes long delays no renewal.
 */
public final class LeaseElection implements Leadership, AutoCloseable {

  private static final System.Logger LOG = System.getLogger(LeaseElection.class.getName());
  private static final Duration RELEASE_MAX = Duration.ofSeconds(2);
  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  private final LeaseSettings settings;
  private final Client client;
  private final Clock clock;
  private final RandomGenerator random;
  private final Loop loop;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private volatile @Nullable Term term;
  private volatile String leader = "";

  /** Which try is under way: the answers to earlier ones that took too long are let go. */
  private long tries;

  private boolean trying;
  private long triedNanos;
  private long renewedNanos;

  /** The lease as it was last written here: terms of one object only grow. */
  private String ledUid = "";

  private long ledNumber;
  private String seenVersion = "";
  private long seenNanos;
  private boolean closed;

  private LeaseElection(Env env, Client client, LeaseSettings settings) {
    this.settings = settings;
    this.client = client;
    this.clock = env.clock();
    this.random = env.random();
    this.loop = env.loop("lease-" + settings.name());
  }

  /** Begins to stand for election. */
  public static LeaseElection stand(Env env, Client client, LeaseSettings settings) {
    var election = new LeaseElection(env, client, settings);
    election.onLoop(election::turn);
    return election;
  }

  @Override
  public @Nullable Term term() {
    return term;
  }

  /** Who held the lease when it was last seen; empty if nobody did. */
  public String leader() {
    return leader;
  }

  public String lease() {
    return settings.lease();
  }

  @Override
  public void listen(Runnable changed) {
    listeners.add(changed);
  }

  @Override
  public void doubt(Term doubted) {
    onLoop(
        () -> {
          if (doubted.equals(term)) {
            end("the server says that it is over");
          }
        });
  }

  private void onLoop(Runnable task) {
    try {
      loop.execute(task);
    } catch (RejectedExecutionException e) {
      // It is closed.
    }
  }

  // ---- trying

  /** Comes again and again, whatever becomes of what it begins. */
  private void turn() {
    if (closed) {
      return;
    }
    long now = clock.nanoTime();
    if (term != null && now - renewedNanos >= settings.renewWithin().toNanos()) {
      end("it could not be renewed for " + settings.renewWithin().toSeconds() + " seconds");
    }
    if (!trying || now - triedNanos >= settings.renewWithin().toNanos()) {
      attempt();
    }
    // Candidates that wait for the same moment would all come at once.
    long every = settings.tryEvery().toNanos();
    long wait = term == null ? every + random.nextLong(every / 5 + 1) : every;
    var _ = loop.runLater(Duration.ofNanos(wait), this::turn);
  }

  private void attempt() {
    long id = ++tries;
    trying = true;
    triedNanos = clock.nanoTime();
    long sent = triedNanos;
    var _ =
        client
            .get(Kinds.LEASES, settings.namespace(), settings.name())
            .thenCompose(
                found ->
                    onLoopThen(id, () -> claim(found), CompletableFuture.completedFuture(null)))
            .exceptionallyCompose(
                failure ->
                    status(failure) == 404
                        ? client.create(Kinds.LEASES, settings.namespace(), fresh())
                        : CompletableFuture.failedFuture(failure))
            .whenComplete((written, failure) -> onLoop(() -> tried(id, sent, written, failure)));
  }

  /** Runs on the loop if the try still counts. */
  private <T> CompletableFuture<T> onLoopThen(
      long id,
      java.util.function.Supplier<CompletableFuture<T>> next,
      CompletableFuture<T> otherwise) {
    var result = new CompletableFuture<CompletableFuture<T>>();
    onLoop(() -> result.complete(id == tries && !closed ? next.get() : otherwise));
    return result.thenCompose(it -> it);
  }

  /** The lease as it is written if it is ours or may be taken; null if another leads. */
  private CompletableFuture<@Nullable ObjectNode> claim(ObjectNode found) {
    ObjectNode spec = spec(found);
    String holder = spec.path("holderIdentity").asString("");
    leader = holder;
    String version = Meta.resourceVersion(found);
    long now = clock.nanoTime();
    if (!version.equals(seenVersion)) {
      seenVersion = version;
      seenNanos = now;
    }
    boolean ours = holder.equals(settings.identity());
    if (!ours && !holder.isEmpty() && now - seenNanos < lasts(spec).toNanos()) {
      if (term != null) {
        end("'" + holder + "' holds the lease");
      }
      return CompletableFuture.completedFuture(null);
    }
    String time = MICROS.format(clock.now());
    if (!ours) {
      spec.put("holderIdentity", settings.identity());
      spec.put("leaseTransitions", spec.path("leaseTransitions").asLong(0) + 1);
      spec.put("acquireTime", time);
    }
    spec.put("leaseDurationSeconds", settings.lasts().toSeconds());
    spec.put("renewTime", time);
    return client
        .update(Kinds.LEASES, settings.namespace(), settings.name(), found)
        .<@Nullable ObjectNode>thenApply(it -> it);
  }

  /** As long as its holder promised, and never less than we would. */
  private Duration lasts(ObjectNode spec) {
    Duration promised = Duration.ofSeconds(spec.path("leaseDurationSeconds").asLong(0));
    return promised.compareTo(settings.lasts()) > 0 ? promised : settings.lasts();
  }

  private ObjectNode fresh() {
    ObjectNode lease = JsonNodeFactory.instance.objectNode();
    lease.put("apiVersion", "coordination.k8s.io/v1").put("kind", "Lease");
    lease.putObject("metadata").put("name", settings.name()).put("namespace", settings.namespace());
    Instant now = clock.now();
    lease
        .putObject("spec")
        .put("holderIdentity", settings.identity())
        .put("leaseDurationSeconds", settings.lasts().toSeconds())
        .put("acquireTime", MICROS.format(now))
        .put("renewTime", MICROS.format(now))
        .put("leaseTransitions", 0);
    return lease;
  }

  private static ObjectNode spec(ObjectNode lease) {
    return lease.get("spec") instanceof ObjectNode spec ? spec : lease.putObject("spec");
  }

  private void tried(
      long id, long sent, @Nullable ObjectNode written, @Nullable Throwable failure) {
    if (id != tries || closed) {
      return;
    }
    trying = false;
    if (failure != null) {
      // Others were faster, or nobody answers: the next turn finds out.
      LOG.log(
          System.Logger.Level.DEBUG,
          () -> "lease " + settings.lease() + ": " + failure.getMessage());
      return;
    }
    if (written == null) {
      return;
    }
    renewedNanos = sent;
    seenVersion = Meta.resourceVersion(written);
    seenNanos = clock.nanoTime();
    leader = settings.identity();
    long number = spec(written).path("leaseTransitions").asLong(0);
    checkTerm(written, number);
    var now = new Term(settings.lease(), number, settings.identity(), version(written));
    if (!now.isSame(term)) {
      term = now;
      LOG.log(System.Logger.Level.INFO, () -> settings.identity() + " leads in " + now);
      listeners.forEach(Runnable::run);
    }
  }

  private void checkTerm(ObjectNode written, long number) {
    String holder = spec(written).path("holderIdentity").asString("");
    Invariants.hold(
        holder.equals(settings.identity()),
        "lease_confirmed",
        () -> settings.identity() + " leads by a lease that '" + holder + "' holds");
    String uid = Meta.uid(written);
    long before = uid.equals(ledUid) ? ledNumber : 0;
    Invariants.hold(
        number >= before,
        "lease_term",
        () -> settings.lease() + ": term " + number + " after " + before);
    ledUid = uid;
    ledNumber = number;
  }

  private static long version(ObjectNode lease) {
    try {
      return Long.parseLong(Meta.resourceVersion(lease));
    } catch (NumberFormatException e) {
      // A server whose versions are no numbers cannot be followed either.
      return 0;
    }
  }

  private void end(String why) {
    Term over = term;
    term = null;
    LOG.log(
        System.Logger.Level.WARNING,
        () -> settings.identity() + " leads no more in " + over + ": " + why);
    listeners.forEach(Runnable::run);
  }

  private static int status(Throwable failure) {
    return FutureFailure.cause(failure) instanceof ApiException refused
        ? refused.status().code()
        : 0;
  }

  // ---- handing over

  /** Ends the term, and gives the lease up so that another can begin at once. */
  public CompletableFuture<@Nullable Void> release() {
    var released = new CompletableFuture<@Nullable Void>();
    Runnable release =
        () -> {
          Term over = term;
          closed = true;
          tries++;
          if (over == null) {
            released.complete(null);
            return;
          }
          end("it is given up");
          var _ = loop.runLater(RELEASE_MAX, () -> released.complete(null));
          var _ =
              client
                  .get(Kinds.LEASES, settings.namespace(), settings.name())
                  .thenCompose(this::givenUp)
                  .whenComplete((_, _) -> released.complete(null));
        };
    try {
      loop.execute(release);
    } catch (RejectedExecutionException e) {
      // It was closed before.
      released.complete(null);
    }
    return released;
  }

  private CompletableFuture<@Nullable ObjectNode> givenUp(ObjectNode lease) {
    ObjectNode spec = spec(lease);
    if (!spec.path("holderIdentity").asString("").equals(settings.identity())) {
      return CompletableFuture.completedFuture(null);
    }
    spec.put("holderIdentity", "");
    spec.put("leaseDurationSeconds", 1);
    return client
        .update(Kinds.LEASES, settings.namespace(), settings.name(), lease)
        .<@Nullable ObjectNode>thenApply(it -> it);
  }

  /** Gives the lease up, and returns when that is done or has taken too long. */
  @Override
  public void close() {
    release().join();
    loop.close();
  }
}
