package dev.evenkeel.decide.schedule.run;

import dev.evenkeel.decide.lead.Horizon;
import dev.evenkeel.decide.lead.LateView;
import dev.evenkeel.decide.lead.Leadership;
import dev.evenkeel.decide.lead.Term;
import dev.evenkeel.decide.run.EventRecorder;
import dev.evenkeel.decide.schedule.group.GroupBook;
import dev.evenkeel.decide.schedule.group.GroupCondition;
import dev.evenkeel.decide.schedule.group.KnownGroup;
import dev.evenkeel.decide.schedule.group.RoomHold;
import dev.evenkeel.decide.schedule.metric.SchedulerMetrics;
import dev.evenkeel.decide.schedule.model.PodInfo;
import dev.evenkeel.decide.schedule.model.WakeOn;
import dev.evenkeel.decide.schedule.place.Cluster;
import dev.evenkeel.decide.schedule.place.Placement;
import dev.evenkeel.decide.schedule.place.Placer;
import dev.evenkeel.decide.schedule.place.Profile;
import dev.evenkeel.decide.schedule.policy.PolicyBook;
import dev.evenkeel.decide.schedule.queue.SchedulingQueue;
import dev.evenkeel.decide.schedule.queue.Waiting;
import dev.evenkeel.decide.schedule.report.GroupReporter;
import dev.evenkeel.decide.schedule.report.OutcomeReporter;
import dev.evenkeel.decide.schedule.report.PolicyReporter;
import dev.evenkeel.explain.log.DecisionLog;
import dev.evenkeel.explain.record.Decision.Outcome;
import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.observe.cache.Informer;
import dev.evenkeel.observe.cache.Informers;
import dev.evenkeel.observe.object.Kind;
import dev.evenkeel.observe.object.Kinds;
import dev.evenkeel.observe.transport.Client;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Gives pods nodes.
 *
 * <p><b>Invariants:</b> a pod is placed on a picture of the cluster that shows all of this
 * scheduler's own placements, committed or not, and all of those who led before ({@link Horizon}).
 * Nothing counts before the server has committed it: a placement that was refused is taken back,
 * what the refusal taught is added to the picture, and the pod is tried again. Every attempt is
 * written down.
 *
 * <p><b>Threading:</b> all on its loop; figures are for any thread.
 */
public final class Scheduler implements AutoCloseable {

  /** Who places pods that name nobody else. */
  public static final String DEFAULT_NAME = "default-scheduler";

  /** So many placements may be on their way to the server. */
  private static final int BINDS_MAX = 256;

  /** So many pods are placed before others have a turn on the loop. */
  private static final int BATCH_MAX = 64;

  /** Refused so often in a row, a pod is not tried again at once. */
  static final int REFUSALS_MAX = 3;

  private final Env env;
  private final Loop loop;
  private final DecisionLog log;
  private final Leadership leadership;
  private final SchedulerMetrics metrics;
  private final Cluster cluster = new Cluster();
  private final PolicyBook policies = new PolicyBook();
  private final SchedulingQueue queue;
  private final Follower follower;
  private final Corrections corrections;
  private final Binder binder;
  private final OutcomeReporter reporter;
  private final FailedAttempts failedAttempts;
  private final BindingCycle bindingCycle;
  private final GroupBook groups = new GroupBook();
  private final RoomHold hold;
  private final GangScheduling gangScheduling;
  private final GroupCommits groupCommits;
  private final GroupReporter groupTeller;
  private final PolicyReporter policyTeller;
  private final Map<String, Placer> placers = new HashMap<>();
  private final List<AutoCloseable> listening = new ArrayList<>();
  private final List<Informer<?>> caches = new ArrayList<>();
  private final Horizon horizon;
  private final AtomicBoolean called = new AtomicBoolean();
  private final String instance;
  private final LongAdder placed = new LongAdder();
  private final LongAdder unplaced = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private long operations;
  private int binding;
  private boolean ready;
  private boolean closed;
  private Loop.@Nullable Timer timer;

  private Scheduler(
      Env env,
      Client client,
      DecisionLog log,
      EventRecorder events,
      Leadership leadership,
      SchedulerMetrics metrics,
      PluginProfiles pluginProfiles) {
    this.metrics = metrics;
    this.env = env;
    this.log = log;
    this.leadership = leadership;
    this.loop = env.loop("scheduler");
    this.horizon = new Horizon(env.clock(), loop, () -> caches, this::call);
    this.instance = HexFormat.of().toHexDigits(env.random().nextInt());
    this.queue = new SchedulingQueue(env.clock(), pluginProfiles.order());
    this.follower = new Follower(cluster, queue, policies, groups, placers::containsKey);
    this.corrections = new Corrections(cluster);
    this.binder = new Binder(client, loop);
    this.reporter = new OutcomeReporter(env, loop, client, events);
    var pluginLog = new PluginLog(env.clock());
    this.failedAttempts = new FailedAttempts(cluster, queue, reporter, pluginLog);
    this.bindingCycle =
        new BindingCycle(
            env.clock(),
            cluster,
            queue,
            leadership,
            pluginProfiles,
            () -> binding < BINDS_MAX,
            pluginLog,
            new BindingCycle.Then() {
              @Override
              public void commit(PlacedPods placedPods) {
                Scheduler.this.commit(placedPods);
              }

              @Override
              public void waits(PlacedPods.Member member, String why) {
                SchedulingAttempt attempt = member.attempt();
                reporter.waits(attempt.waiting, attempt.pod, why, attempt.term);
              }

              @Override
              public void waits(KnownGroup group, String why) {
                gangScheduling.waits(group, why);
              }

              @Override
              public void shown(PlacedPods placedPods) {
                Scheduler.this.shown(placedPods);
              }

              @Override
              public void stopped(PlacedPods placedPods, Stop stop) {
                failedAttempts.stopped(placedPods, stop);
                gangScheduling.ended(placedPods, stop.ofGroup());
                call();
              }
            });
    this.hold = new RoomHold(cluster, env.clock());
    this.gangScheduling = new GangScheduling(cluster, queue, groups, hold, new OfGroups());
    this.groupCommits =
        new GroupCommits(
            new GroupBinder(client, loop),
            follower,
            groups,
            failedAttempts,
            bindingCycle,
            new Committed());
    this.groupTeller =
        new GroupReporter(
            env, loop, client, reporter, queue, groups, hold, gangScheduling::says, this::call);
    this.policyTeller =
        new PolicyReporter(env.clock(), loop, client, reporter, policies, this::call);
    for (Profile profile : pluginProfiles.profiles()) {
      placers.put(profile.name(), new Placer(profile));
      metrics.begin(profile.name());
    }
    leadership.listen(this::call);
  }

  /**
   * Begins to follow the server, and to place pods once all is known.
   *
   * @param profiles each for the pods that name it as their scheduler
   * @throws IllegalArgumentException if their plugins cannot all take part; the message says why
   */
  public static Scheduler start(
      Env env,
      Informers caches,
      Client client,
      DecisionLog log,
      EventRecorder events,
      Leadership leadership,
      SchedulerMetrics metrics,
      List<Profile> profiles) {
    var scheduler =
        new Scheduler(env, client, log, events, leadership, metrics, PluginProfiles.of(profiles));
    scheduler.follow(caches);
    return scheduler;
  }

  private void follow(Informers informers) {
    List<CompletableFuture<?>> synced = new ArrayList<>();
    for (Kind<ObjectNode> kind : Follower.ALL) {
      Informer<ObjectNode> informer = informers.informer(kind);
      caches.add(informer);
      synced.add(informer.synced());
      listening.add(
          informer.listen(
              change ->
                  onLoop(
                      () -> {
                        follower.apply(change);
                        if (kind.equals(Kinds.SCHEDULING_POLICIES)) {
                          policyTeller.see(change);
                        }
                        bindingCycle.changed();
                        call();
                      })));
    }
    var _ =
        CompletableFuture.allOf(synced.toArray(new CompletableFuture<?>[0]))
            .thenRun(
                () ->
                    onLoop(
                        () -> {
                          ready = true;
                          call();
                        }));
  }

  private void onLoop(Runnable task) {
    try {
      loop.execute(task);
    } catch (RejectedExecutionException e) {
      // It is closed.
    }
  }

  /** Has a round made soon; many calls are one round. */
  private void call() {
    if (called.compareAndSet(false, true)) {
      onLoop(
          () -> {
            called.set(false);
            round();
          });
    }
  }

  // ---- placing

  private void round() {
    Term term = leadership.term();
    if (closed || !ready || term == null || !horizon.isReached(term)) {
      bindingCycle.look();
      var _ = gangScheduling.look(false);
      groupTeller.rest();
      return;
    }
    corrections.dropUpTo(follower.podsVersion());
    cluster.tenants().shown(follower.podsVersion());
    follower.wake();
    List<Waiting> batch = queue.take(Math.min(BATCH_MAX, BINDS_MAX - binding));
    Set<Waiting> together = Set.of();
    for (int i = 0; i < batch.size(); i++) {
      Waiting waiting = batch.get(i);
      if (waiting.pod().group().isEmpty()) {
        attempt(waiting, term);
      } else if (!together.contains(waiting)) {
        Set<Waiting> tried = new HashSet<>(together);
        tried.addAll(gangScheduling.attempt(waiting, untried(batch, i, together), term));
        together = tried;
      }
    }
    bindingCycle.look();
    groupTeller.letGo(gangScheduling.look(true), term);
    groupTeller.tell(term);
    policyTeller.tell(term);
    if (queue.hasActive() && binding < BINDS_MAX) {
      call();
    } else {
      sleep();
    }
  }

  private void sleep() {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
    Duration next = first(first(queue.nextIn(), bindingCycle.nextIn()), gangScheduling.nextIn());
    if (next != null) {
      timer = loop.runLater(next, this::call);
    }
  }

  private static @Nullable Duration first(@Nullable Duration one, @Nullable Duration other) {
    return one == null || (other != null && other.compareTo(one) < 0) ? other : one;
  }

  private static List<Waiting> untried(List<Waiting> batch, int from, Set<Waiting> tried) {
    return batch.subList(from, batch.size()).stream().filter(it -> !tried.contains(it)).toList();
  }

  /** What groups need of the scheduler. */
  private final class OfGroups implements GangScheduling.Then {
    @Override
    public void single(Waiting waiting, Term term) {
      attempt(waiting, term);
    }

    @Override
    public SchedulingAttempt begin(Waiting waiting, Term term) {
      return new SchedulingAttempt(env, cluster, follower, log, metrics, waiting, term);
    }

    @Override
    public @Nullable Placer placer(SchedulingAttempt first) {
      return placerOf(first);
    }

    @Override
    public <T> T search(Supplier<T> work) {
      return Scheduler.this.search(work);
    }

    @Override
    public void placed(PlacedPods placedPods) {
      bindingCycle.begin(placedPods);
    }

    @Override
    public void unplaced(SchedulingAttempt attempt, Placement.Unplaced none) {
      Scheduler.this.unplaced(attempt, none);
    }

    @Override
    public void failed(SchedulingAttempt attempt, Throwable failure) {
      failedAttempts.failed(attempt, failure);
    }

    @Override
    public void released() {
      follower.wakeReleased();
    }
  }

  /** What becomes of groups that were on their way to the server. */
  private final class Committed implements GroupCommits.Then {
    @Override
    public void answered(PlacedPods placedPods, Binder.Outcome outcome) {
      Scheduler.this.answered(placedPods, outcome);
    }

    @Override
    public void learn(Binder.Outcome.TooLittle little) {
      refused.increment();
      Scheduler.this.learn(little);
    }

    @Override
    public void doubt(Term term) {
      leadership.doubt(term);
    }

    @Override
    public void ended(PlacedPods placedPods, int count, @Nullable GroupCondition why) {
      binding--;
      placed.add(count);
      gangScheduling.ended(placedPods, why);
      call();
    }
  }

  /** Null if nobody places such pods. */
  private @Nullable Placer placerOf(SchedulingAttempt attempt) {
    Placer placer = placers.get(attempt.pod.schedulerName());
    attempt.policy = policies.of(attempt.pod);
    return placer == null || attempt.policy == null
        ? placer
        : policies.placer(placer.profile(), attempt.policy);
  }

  private void attempt(Waiting waiting, Term term) {
    var attempt = new SchedulingAttempt(env, cluster, follower, log, metrics, waiting, term);
    PodInfo pod = waiting.pod();
    Placement placement;
    try {
      Placer placer = placerOf(attempt);
      if (placer == null) {
        queue.remove(pod.uid());
        return;
      }
      placement = search(() -> placer.place(pod, cluster));
    } catch (RuntimeException | StackOverflowError e) {
      failedAttempts.failed(attempt, e);
      return;
    }
    switch (placement) {
      case Placement.Placed fits -> placed(attempt, fits);
      case Placement.Unplaced none -> unplaced(attempt, none);
    }
  }

  private <T> T search(Supplier<T> work) {
    long began = env.clock().nanoTime();
    try {
      return work.get();
    } finally {
      metrics.searched(env.clock().nanoTime() - began);
    }
  }

  private void placed(SchedulingAttempt attempt, Placement.Placed placement) {
    attempt.evaluation = placement.evaluation();
    PodInfo pod = attempt.pod;
    cluster.assume(pod, placement.node());
    follower.wakeReleased();
    boolean free = bindingCycle.isFree(pod.schedulerName());
    // What plugins agree to is this node, and no other.
    List<String> alternatives = free ? placement.alternatives() : List.of();
    var placedPods =
        new PlacedPods(
            null, List.of(new PlacedPods.Member(attempt, placement.node(), alternatives)));
    if (free) {
      commit(placedPods);
    } else {
      bindingCycle.begin(placedPods);
    }
  }

  private void commit(PlacedPods placedPods) {
    placedPods.askedNanos = env.clock().nanoTime();
    if (placedPods.group != null) {
      binding++;
      groupCommits.commit(placedPods.group, placedPods, instance + "-" + ++operations);
      return;
    }
    PlacedPods.Member member = placedPods.members().getFirst();
    SchedulingAttempt attempt = member.attempt();
    binding++;
    var wish =
        new Binder.Wish(
            attempt.pod,
            member.node(),
            member.alternatives(),
            attempt.podsVersion,
            instance + "-" + ++operations);
    binder.bind(wish, attempt.term, outcome -> bound(placedPods, wish, outcome));
  }

  private void learn(Binder.Outcome.TooLittle little) {
    little.shortages().forEach(corrections::add);
    little
        .overShares()
        .forEach(
            over ->
                cluster
                    .tenants()
                    .taught(over.quota(), over.resource(), over.used(), over.version()));
  }

  private void answered(PlacedPods placedPods, Binder.Outcome outcome) {
    metrics.answered(
        placedPods.members().getFirst().pod().schedulerName(),
        switch (outcome) {
          case Binder.Outcome.Done _ -> SchedulerMetrics.Binding.BOUND;
          case Binder.Outcome.TooLittle _ -> SchedulerMetrics.Binding.TOO_LITTLE;
          case Binder.Outcome.Refused _ -> SchedulerMetrics.Binding.REFUSED;
        },
        env.clock().nanoTime() - placedPods.askedNanos);
  }

  /** A plugin bound it. */
  private void shown(PlacedPods placedPods) {
    placedPods.settle();
    PlacedPods.Member member = placedPods.members().getFirst();
    SchedulingAttempt attempt = member.attempt();
    placed.increment();
    reporter.scheduled(attempt.waiting.object(), attempt.pod, member.node());
    attempt.end(Outcome.Kind.ACTED, "bound by a plugin", null);
  }

  private void bound(PlacedPods placedPods, Binder.Wish wish, Binder.Outcome outcome) {
    binding--;
    answered(placedPods, outcome);
    SchedulingAttempt attempt = placedPods.members().getFirst().attempt();
    Waiting waiting = attempt.waiting;
    if (!(outcome instanceof Binder.Outcome.Done)) {
      bindingCycle.unreserve(placedPods);
    }
    PodInfo pod = attempt.pod;
    attempt.done.add(outcome.record(wish));
    switch (outcome) {
      case Binder.Outcome.Done done -> {
        placedPods.settle();
        placed.increment();
        if (!done.node().equals(wish.node()) && wish.node().equals(cluster.nodeOf(pod.uid()))) {
          cluster.forget(pod.uid());
          cluster.assume(pod, done.node());
        }
        queue.remove(pod.uid());
        groups.hasNode(pod);
        cluster.removeNomination(pod.uid());
        follower.bound(pod.uid(), done.version());
        reporter.scheduled(waiting.object(), pod, done.node());
        attempt.end(Outcome.Kind.ACTED, "", null);
      }
      case Binder.Outcome.TooLittle little -> {
        refused.increment();
        placedPods.takeBack(cluster);
        learn(little);
        waiting.refusals++;
        attempt.end(Outcome.Kind.CONFLICT, little.message(), null);
        if (waiting.refusals > REFUSALS_MAX) {
          failedAttempts.tellFailed(attempt, little.message());
          queue.backoff(waiting);
        } else {
          queue.again(waiting, little.message());
        }
      }
      case Binder.Outcome.Refused no -> {
        placedPods.takeBack(cluster);
        if (no.leaseLost()) {
          leadership.doubt(attempt.term);
        }
        failedAttempts.tellRefused(attempt, no);
        attempt.end(Outcome.Kind.FAILED, no.message(), null);
        failedAttempts.freed(placedPods.members().getFirst());
        queue.backoff(waiting);
      }
    }
    call();
  }

  private void unplaced(SchedulingAttempt attempt, Placement.Unplaced none) {
    attempt.evaluation = none.evaluation();
    unplaced.increment();
    Waiting waiting = attempt.waiting;
    waiting.refusals = 0;
    String nominated = "";
    boolean clears = false;
    if (none.preemption() != null) {
      nominated = none.preemption().node();
      cluster.nominate(attempt.pod, nominated);
      reporter.preempt(none.preemption(), attempt.pod, attempt.term, attempt.done);
    } else if (attempt.pod.group().isEmpty() && !isBeingMadeRoomFor(attempt.pod)) {
      // Room that does it no good is everybody's again.
      cluster.removeNomination(attempt.pod.uid());
      clears = true;
    }
    // Before it waits itself: what it gives back is of no use to it.
    follower.wakeReleased();
    reporter.unschedulable(waiting, attempt.pod, none.message(), nominated, clears, attempt.term);
    attempt.end(Outcome.Kind.WAITING, none.message(), null);
    queue.unschedulable(waiting, helpedBy(attempt, none), none.heldBy());
  }

  /** Whether pods that were removed for it are still on their way from its node. */
  private boolean isBeingMadeRoomFor(PodInfo pod) {
    String node = cluster.nominationOf(pod.uid());
    return node != null
        && cluster.node(node) != null
        && cluster.pods(node).stream()
            .anyMatch(
                other ->
                    other.isDeleting() && other.isPreempted() && other.priority() < pod.priority());
  }

  /** What a policy asks for may be asked for no longer. */
  private static Set<WakeOn> helpedBy(SchedulingAttempt attempt, Placement.Unplaced none) {
    if (attempt.policy == null || attempt.policy.maxZoneSkew() == 0) {
      return none.helpedBy();
    }
    Set<WakeOn> helpedBy = EnumSet.of(WakeOn.POLICY);
    helpedBy.addAll(none.helpedBy());
    return helpedBy;
  }

  // ---- for people

  /** How many pods wait where, by the name of the segment. */
  public Map<String, Integer> waiting() {
    Map<String, Integer> figures = new java.util.TreeMap<>();
    queue
        .figures()
        .forEach(
            (segment, count) ->
                figures.put(segment.name().toLowerCase(java.util.Locale.ROOT), count));
    return figures;
  }

  /** What it waits for before it places anything; null if for nothing. */
  public @Nullable LateView lateView() {
    return horizon.waiting();
  }

  /** Placements that the server committed. */
  public long placed() {
    return placed.sum();
  }

  /** Attempts for which no node was enough. */
  public long unplaced() {
    return unplaced.sum();
  }

  /** Placements that the server refused, because what they rested on was not so any more. */
  public long refused() {
    return refused.sum();
  }

  @Override
  public void close() {
    onLoop(
        () -> {
          closed = true;
          bindingCycle.close();
          for (AutoCloseable each : listening) {
            try {
              each.close();
            } catch (Exception e) {
              throw new IllegalStateException("an informer cannot be let go", e);
            }
          }
        });
    loop.close();
  }
}
