package dev.evenkeel.decide.schedule.run;

import dev.evenkeel.decide.lead.Term;
import dev.evenkeel.decide.schedule.group.KnownGroup;
import dev.evenkeel.decide.schedule.model.PodInfo;
import dev.evenkeel.decide.schedule.place.Cluster;
import dev.evenkeel.decide.schedule.plugin.Permit;
import dev.evenkeel.decide.schedule.plugin.Reserve;
import dev.evenkeel.kernel.invariant.Invariants;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A pod that has a node and is to be bound; or several that are bound together or not at all.
 *
 * <p><b>Threading:</b> of the scheduler's loop.
 */
final class PlacedPods {

  /**
   * One of them.
   *
   * @param node which it is assumed to be on
   * @param alternatives if the node has too little after all
   */
  record Member(SchedulingAttempt attempt, String node, List<String> alternatives) {

    PodInfo pod() {
      return attempt.pod;
    }
  }

  /** A reservation that was asked for. */
  record Reserved(Reserve plugin, Member member) {}

  /** A plugin that has not let a member go yet. */
  static final class Question {

    static final long NEVER = -1;

    final Permit plugin;
    final Member member;

    /** When it first had it wait. */
    long sinceNanos = NEVER;

    Question(Permit plugin, Member member) {
      this.plugin = plugin;
      this.member = member;
    }
  }

  private final List<Member> members;

  /** The group that they are of; null if one pod is bound by itself. */
  final @Nullable KnownGroup group;

  /** The last one asked is the first. */
  final Deque<Reserved> reserved = new ArrayDeque<>();

  final List<Question> questions = new ArrayList<>();

  /** When the server was asked to bind them. */
  long askedNanos;

  private boolean settled;

  /** Whether others have had to do without its nodes for a while. */
  boolean lasted;

  PlacedPods(@Nullable KnownGroup group, List<Member> members) {
    this.group = group;
    this.members = List.copyOf(members);
  }

  /** It is known what became of them: once. */
  void settle() {
    Invariants.hold(
        !settled,
        "scheduler_settled_once",
        () -> "what became of " + members + " is known already");
    settled = true;
  }

  /** They are not bound: what was assumed of them is so no longer. */
  void takeBack(Cluster cluster) {
    settle();
    for (Member member : members) {
      String uid = member.pod().uid();
      String node = cluster.assumedOn(uid);
      Invariants.hold(
          node == null || node.equals(member.node()),
          "scheduler_forgets_its_own",
          () -> member + " was assumed, and is so on " + node);
      cluster.forget(uid);
    }
  }

  List<Member> members() {
    return members;
  }

  /** By which it goes in maps. */
  String uid() {
    return members.getFirst().pod().uid();
  }

  Term term() {
    return members.getFirst().attempt().term;
  }
}
