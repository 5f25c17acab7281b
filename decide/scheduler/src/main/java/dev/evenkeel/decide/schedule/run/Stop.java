package dev.evenkeel.decide.schedule.run;

import dev.evenkeel.decide.schedule.group.GroupCondition;
import dev.evenkeel.decide.schedule.model.WakeOn;
import dev.evenkeel.decide.schedule.plugin.Bind;
import dev.evenkeel.decide.schedule.plugin.Permit;
import dev.evenkeel.decide.schedule.plugin.PluginFailure;
import dev.evenkeel.decide.schedule.plugin.PluginRefusal;
import dev.evenkeel.decide.schedule.plugin.SchedulerPlugin;
import dev.evenkeel.decide.schedule.run.PlacedPods.Member;
import dev.evenkeel.explain.record.Decision.ActionRecord;
import dev.evenkeel.explain.record.Decision.Evaluation;
import dev.evenkeel.explain.record.Decision.Rejection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Why a pod that has a node is not bound.
 *
 * @param next what becomes of the pod
 * @param whose of several that are bound together, the one that it is about; null if about all
 * @param plugin who said so; empty if no plugin did
 * @param point where it was asked
 * @param reason in the plugin's words
 * @param message for people
 * @param helpedBy if it waits for a change: which ones help
 * @param failure what the plugin threw; null if nothing
 */
record Stop(
    Next next,
    @Nullable Member whose,
    String plugin,
    String point,
    String reason,
    String message,
    Set<WakeOn> helpedBy,
    @Nullable PluginFailure failure) {

  /** What becomes of a pod that is not bound. */
  enum Next {
    /** It waits for a change that can help. */
    UNSCHEDULABLE,
    /** It is tried again after a pause, and is told why. */
    BACKOFF,
    /** It is tried again at once, if it is still there. */
    AGAIN
  }

  static Stop refused(SchedulerPlugin plugin, String point, Member member, PluginRefusal why) {
    return of(Next.UNSCHEDULABLE, plugin, point, why.reason(), member, "refused", why.helpedBy());
  }

  static Stop notBound(Bind plugin, Member member, String why) {
    return of(Next.BACKOFF, plugin, "Bind", why, member, "did not bind it to", Set.of());
  }

  static Stop late(Permit plugin, Member member, Duration waited) {
    String reason = "it was not let go within " + seconds(waited) + " s";
    return of(Next.BACKOFF, plugin, "Permit", reason, member, "had it wait with", Set.of());
  }

  static Stop notShown(Bind plugin, Member member, Duration within) {
    String reason = "the pod did not show that node within " + seconds(within) + " s";
    return of(Next.BACKOFF, plugin, "Bind", reason, member, "said it bound it to", Set.of());
  }

  static Stop failed(Member member, PluginFailure failure) {
    String message = String.valueOf(failure.getMessage());
    return new Stop(
        Next.BACKOFF,
        member,
        failure.plugin(),
        failure.point(),
        message,
        message,
        Set.of(),
        failure);
  }

  static Stop again(String why) {
    return new Stop(Next.AGAIN, null, "", "", why, why, Set.of(), null);
  }

  private static Stop of(
      Next next,
      SchedulerPlugin plugin,
      String point,
      String reason,
      Member member,
      String verb,
      Set<WakeOn> helpedBy) {
    String name = PluginFailure.nameOf(plugin);
    String message =
        "%s plugin \"%s\" %s node \"%s\": %s".formatted(point, name, verb, member.node(), reason);
    return new Stop(next, member, name, point, reason, message, helpedBy, null);
  }

  static String seconds(Duration time) {
    return time.toMillisPart() == 0
        ? Long.toString(time.toSeconds())
        : String.format(Locale.ROOT, "%.1f", time.toMillis() / 1000.0);
  }

  /** The same for another pod that would have been bound with it. */
  Stop with(Member other) {
    if (whose == null || whose.pod().uid().equals(other.pod().uid())) {
      return this;
    }
    String message = "pod " + whose.pod().key() + " of its group was not bound: " + this.message;
    return new Stop(next, null, "", "", message, message, helpedBy, null);
  }

  /** The same for the group that they are of. */
  GroupCondition ofGroup() {
    String told =
        whose == null ? message : "pod " + whose.pod().key() + " was not bound: " + message;
    return plugin.isEmpty() ? GroupCondition.notBound(told) : GroupCondition.stopped(told);
  }

  /** What was weighed, and that the node was then refused. */
  @Nullable Evaluation in(@Nullable Evaluation before, String node) {
    if (plugin.isEmpty()) {
      return before;
    }
    List<Rejection> rejections = new ArrayList<>(before == null ? List.of() : before.rejections());
    rejections.add(new Rejection(plugin, reason, 1, List.of(node)));
    return new Evaluation(rejections, before == null ? List.of() : before.scores());
  }

  /** What the plugin was asked to do, and did not. */
  @Nullable ActionRecord record(Member member) {
    return plugin.isEmpty()
        ? null
        : new ActionRecord(
            point.toLowerCase(Locale.ROOT),
            "pods " + member.pod().key() + " to " + member.node(),
            "it is the best of the nodes that are enough",
            "plugin " + plugin,
            failure == null ? ActionRecord.Result.REFUSED : ActionRecord.Result.UNKNOWN,
            0,
            reason);
  }
}
