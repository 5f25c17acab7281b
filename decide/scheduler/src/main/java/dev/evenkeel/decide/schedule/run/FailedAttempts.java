package dev.evenkeel.decide.schedule.run;

import dev.evenkeel.decide.schedule.group.GroupBook;
import dev.evenkeel.decide.schedule.model.WakeOn;
import dev.evenkeel.decide.schedule.place.Cluster;
import dev.evenkeel.decide.schedule.plugin.PluginFailure;
import dev.evenkeel.decide.schedule.queue.SchedulingQueue;
import dev.evenkeel.decide.schedule.queue.Waiting;
import dev.evenkeel.decide.schedule.report.OutcomeReporter;
import dev.evenkeel.decide.schedule.run.PlacedPods.Member;
import dev.evenkeel.explain.record.Decision.ActionRecord;
import dev.evenkeel.explain.record.Decision.Outcome;
import java.util.EnumSet;
import java.util.Set;

/**
 * Ends attempts that came to nothing after a node was found, or in a plugin: takes back what was
 * assumed, tells the pod, writes it down, and has the pod tried again when it can help.
 *
 * <p><b>Threading:</b> of the scheduler's loop.
 */
final class FailedAttempts {

  /** So many of those that were placed together are named. */
  private static final int NAMED_MAX = 8;

  private final Cluster cluster;
  private final SchedulingQueue queue;
  private final OutcomeReporter reporter;
  private final PluginLog log;

  FailedAttempts(Cluster cluster, SchedulingQueue queue, OutcomeReporter reporter, PluginLog log) {
    this.cluster = cluster;
    this.queue = queue;
    this.reporter = reporter;
    this.log = log;
  }

  /** Its members are not bound. */
  void stopped(PlacedPods placedPods, Stop stop) {
    placedPods.takeBack(cluster);
    if (placedPods.lasted) {
      freed(placedPods.members().getFirst());
    }
    if (stop.failure() != null) {
      log.failed(stop.message(), stop.failure());
    }
    for (Member member : placedPods.members()) {
      stopped(member, stop.with(member));
    }
  }

  /** Others may have found no room because of it. Not so if nobody came between. */
  void freed(Member member) {
    queue.wake(
        EnumSet.of(WakeOn.POD_REMOVED),
        Set.of(),
        "Pod/" + member.pod().name() + " was not bound to " + member.node());
  }

  private void stopped(Member member, Stop stop) {
    SchedulingAttempt attempt = member.attempt();
    Waiting waiting = attempt.waiting;
    attempt.evaluation = stop.in(attempt.evaluation, member.node());
    ActionRecord record = stop.record(member);
    if (record != null) {
      attempt.done.add(record);
    }
    if (!queue.has(waiting)) {
      attempt.end(Outcome.Kind.GONE, stop.message(), null);
      return;
    }
    switch (stop.next()) {
      case UNSCHEDULABLE -> {
        waiting.refusals = 0;
        reporter.unschedulable(waiting, attempt.pod, stop.message(), attempt.term);
        attempt.end(Outcome.Kind.WAITING, stop.message(), null);
        queue.unschedulable(waiting, stop.helpedBy(), Set.of());
      }
      case BACKOFF -> {
        tellFailed(attempt, stop.message());
        attempt.end(Outcome.Kind.FAILED, stop.message(), null);
        queue.backoff(waiting);
      }
      case AGAIN -> {
        attempt.end(Outcome.Kind.CONFLICT, stop.message(), null);
        queue.again(waiting, stop.message());
      }
    }
  }

  /** Placing it threw. */
  void failed(SchedulingAttempt attempt, Throwable failure) {
    String message = message(failure);
    log.failed("placing " + attempt.pod + " failed, and is tried again", failure);
    tellFailed(attempt, message);
    attempt.end(Outcome.Kind.FAILED, message, null);
    queue.backoff(attempt.waiting);
  }

  static String message(Throwable failure) {
    return failure instanceof PluginFailure
        ? String.valueOf(failure.getMessage())
        : "placing failed: " + failure;
  }

  // ---- of a group

  /** All have the nodes that were found for them, in one version. */
  void bound(
      PlacedPods placedPods,
      GroupBinder.Wish wish,
      Binder.Outcome.Done done,
      GroupBook groups,
      Follower follower) {
    placedPods.settle();
    for (Member member : placedPods.members()) {
      String uid = member.pod().uid();
      record(placedPods, wish, member, ActionRecord.Result.DONE, done.version(), "");
      queue.remove(uid);
      cluster.removeNomination(uid);
      groups.hasNode(member.pod());
      follower.bound(uid, done.version());
      SchedulingAttempt attempt = member.attempt();
      reporter.scheduled(attempt.waiting.object(), attempt.pod, member.node());
      attempt.end(Outcome.Kind.ACTED, "", null);
    }
  }

  /** None of the nodes was given: what it rested on is not so any more. */
  void refused(PlacedPods placedPods, GroupBinder.Wish wish, Binder.Outcome.TooLittle little) {
    placedPods.takeBack(cluster);
    for (Member member : placedPods.members()) {
      Waiting waiting = member.attempt().waiting;
      record(placedPods, wish, member, ActionRecord.Result.CONFLICT, 0, little.message());
      member.attempt().end(Outcome.Kind.CONFLICT, little.message(), null);
      waiting.refusals++;
      if (waiting.refusals > Scheduler.REFUSALS_MAX) {
        queue.backoff(waiting);
      } else {
        queue.again(waiting, little.message());
      }
    }
  }

  /** None was given, for another reason. */
  void refused(PlacedPods placedPods, GroupBinder.Wish wish, Binder.Outcome.Refused no) {
    placedPods.takeBack(cluster);
    freed(placedPods.members().getFirst());
    for (Member member : placedPods.members()) {
      record(placedPods, wish, member, ActionRecord.Result.REFUSED, 0, no.message());
      tellRefused(member.attempt(), no);
      member.attempt().end(Outcome.Kind.FAILED, no.message(), null);
      queue.backoff(member.attempt().waiting);
    }
  }

  private static void record(
      PlacedPods placedPods,
      GroupBinder.Wish wish,
      Member member,
      ActionRecord.Result result,
      long version,
      String detail) {
    StringBuilder others = new StringBuilder();
    int named = 0;
    for (Member other : placedPods.members()) {
      if (!other.equals(member) && named < NAMED_MAX) {
        others.append(named == 0 ? "" : ", ").append(other.pod().name());
        named++;
      }
    }
    int rest = placedPods.members().size() - 1 - named;
    if (rest > 0) {
      others.append(" and ").append(rest).append(" more");
    }
    member
        .attempt()
        .done
        .add(
            new ActionRecord(
                "bind",
                "pods " + member.pod().key() + " to " + member.node(),
                "it is placed with pod group \"%s\"%s"
                    .formatted(
                        wish.group().group().name(), named == 0 ? "" : ", together with " + others),
                "seen at version " + wish.version(),
                result,
                version,
                detail));
  }

  void tellRefused(SchedulingAttempt attempt, Binder.Outcome.Refused no) {
    if (!no.leaseLost() && !no.settled() && queue.has(attempt.waiting)) {
      tellFailed(attempt, no.message());
    }
  }

  void tellFailed(SchedulingAttempt attempt, String message) {
    reporter.failed(attempt.waiting, attempt.pod, message, attempt.term);
  }
}
