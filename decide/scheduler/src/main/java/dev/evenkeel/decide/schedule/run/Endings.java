package dev.evenkeel.decide.schedule.run;

import dev.evenkeel.decide.schedule.model.WakeOn;
import dev.evenkeel.decide.schedule.place.Cluster;
import dev.evenkeel.decide.schedule.run.Party.Member;
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
final class Endings {

  private final Cluster cluster;
  private final SchedulingQueue queue;
  private final Teller teller;

  Endings(Cluster cluster, SchedulingQueue queue, Teller teller) {
    this.cluster = cluster;
    this.queue = queue;
    this.teller = teller;
  }

  /** Its members are not bound. */
  void stopped(Party party, Stop stop) {
    party.members().forEach(member -> cluster.forget(member.pod().uid()));
    if (party.lasted) {
      freed(party.members().getFirst());
    }
    if (stop.failure() != null) {
      log(stop.message(), stop.failure());
    }
    for (Member member : party.members()) {
      stopped(member, stop);
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
    Attempt attempt = member.attempt();
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
        teller.unschedulable(waiting.object(), attempt.pod, stop.message(), "", attempt.term);
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
  void failed(Attempt attempt, String message, Throwable failure) {
    log("placing " + attempt.pod + " failed, and is tried again", failure);
    tellFailed(attempt, message);
    attempt.end(Outcome.Kind.FAILED, message, null);
    queue.backoff(attempt.waiting);
  }

  private void tellFailed(Attempt attempt, String message) {
    teller.failed(attempt.waiting.object(), attempt.pod, message, attempt.term);
  }

  private static void log(String message, Throwable failure) {
    System.getLogger(Scheduler.class.getName()).log(System.Logger.Level.ERROR, message, failure);
  }
}
