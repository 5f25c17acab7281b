package dev.evenkeel.decide.schedule.run;

import dev.evenkeel.decide.lead.Leadership;
import dev.evenkeel.decide.schedule.group.KnownGroup;
import dev.evenkeel.decide.schedule.place.Cluster;
import dev.evenkeel.decide.schedule.plugin.Bind;
import dev.evenkeel.decide.schedule.plugin.Permit;
import dev.evenkeel.decide.schedule.plugin.PluginFailure;
import dev.evenkeel.decide.schedule.plugin.PluginRefusal;
import dev.evenkeel.decide.schedule.plugin.Reserve;
import dev.evenkeel.decide.schedule.queue.SchedulingQueue;
import dev.evenkeel.decide.schedule.run.PlacedPods.Member;
import dev.evenkeel.decide.schedule.run.PlacedPods.Question;
import dev.evenkeel.decide.schedule.run.PlacedPods.Reserved;
import dev.evenkeel.explain.record.Decision.Outcome;
import dev.evenkeel.kernel.env.Clock;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The way of a pod that has a node, past users' plugins, to its binding: reservations, permission,
 * and who binds it.
 *
 * <p><b>Invariants:</b> each party that began ends once: it is handed on to be bound, or stopped,
 * and then all reservations that were asked for are taken back, the last one first. There are no
 * more parties than pods. No plugin keeps the others' pods from going on by what it throws.
 *
 * <p><b>Threading:</b> of the scheduler's loop.
 */
final class BindingCycle {

  /** Plugins are asked again about who waits after this, though nothing has changed. */
  static final Duration ASK_AGAIN_AFTER = Duration.ofSeconds(1);

  /** Nobody waits longer for a permission, whatever plugins say. */
  static final Duration WAIT_MAX = Duration.ofMinutes(15);

  /** A pod that a plugin says it bound must show its node after this. */
  static final Duration SHOWN_WITHIN = Duration.ofSeconds(30);

  /** Who goes on with parties. */
  interface Then {

    /** All plugins agree, and leave the binding to the server. */
    void commit(PlacedPods placedPods);

    /** A plugin has it wait, or one that is bound with it. */
    void waits(Member member, String why);

    /** The same for the group that they are of. */
    void waits(KnownGroup group, String why);

    /** A plugin bound it, and its node shows. */
    void shown(PlacedPods placedPods);

    /** It is not bound. Reservations are taken back already, the assumption is not. */
    void stopped(PlacedPods placedPods, Stop stop);
  }

  private record Trusted(PlacedPods placedPods, Bind plugin, long untilNanos) {}

  private final Clock clock;
  private final Cluster cluster;
  private final SchedulingQueue queue;
  private final Leadership leadership;
  private final PluginProfiles pluginProfiles;
  private final BooleanSupplier roomToBind;
  private final PluginLog log;
  private final Then then;
  private final Map<String, PlacedPods> waiting = new LinkedHashMap<>();
  private final Map<String, Trusted> trusted = new LinkedHashMap<>();
  private boolean changed;
  private long askedNanos;

  BindingCycle(
      Clock clock,
      Cluster cluster,
      SchedulingQueue queue,
      Leadership leadership,
      PluginProfiles pluginProfiles,
      BooleanSupplier roomToBind,
      PluginLog log,
      Then then) {
    this.clock = clock;
    this.cluster = cluster;
    this.queue = queue;
    this.leadership = leadership;
    this.pluginProfiles = pluginProfiles;
    this.roomToBind = roomToBind;
    this.log = log;
    this.then = then;
  }

  private PluginProfiles.Hooks hooks(Member member) {
    return pluginProfiles.of(member.pod().schedulerName());
  }

  /** Whether any plugin has a say about pods that have a node. */
  boolean isFree(String profile) {
    return pluginProfiles.of(profile).isEmpty();
  }

  /** All are assumed on their nodes. */
  void begin(PlacedPods placedPods) {
    // Those who wait may wait for just this one.
    changed = true;
    for (Member member : placedPods.members()) {
      for (Reserve plugin : hooks(member).reserves()) {
        placedPods.reserved.push(new Reserved(plugin, member));
        Stop stop = reserve(plugin, member);
        if (stop != null) {
          stop(placedPods, stop);
          return;
        }
      }
    }
    for (Member member : placedPods.members()) {
      hooks(member).permits().forEach(it -> placedPods.questions.add(new Question(it, member)));
    }
    ask(placedPods);
  }

  private static @Nullable Stop reserve(Reserve plugin, Member member) {
    try {
      PluginRefusal refusal =
          PluginFailure.ask(plugin, "Reserve", () -> plugin.reserve(member.pod(), member.node()));
      return refusal == null ? null : Stop.refused(plugin, "Reserve", member, refusal);
    } catch (PluginFailure e) {
      return Stop.failed(member, e);
    }
  }

  // ---- permission

  private void ask(PlacedPods placedPods) {
    boolean first = !waiting.containsKey(placedPods.uid());
    Question open = null;
    long openNanos = 0;
    for (Iterator<Question> each = placedPods.questions.iterator(); each.hasNext(); ) {
      Question question = each.next();
      Member member = question.member;
      Permit plugin = question.plugin;
      Permit.Answer answer;
      try {
        answer =
            PluginFailure.ask(
                plugin,
                "Permit",
                () ->
                    Objects.requireNonNull(
                        plugin.permit(member.pod(), member.node()), "it answered nothing"));
      } catch (PluginFailure e) {
        stop(placedPods, Stop.failed(member, e));
        return;
      }
      switch (answer) {
        case Permit.Answer.Go() -> each.remove();
        case Permit.Answer.No(PluginRefusal why) -> {
          stop(placedPods, Stop.refused(plugin, "Permit", member, why));
          return;
        }
        case Permit.Answer.Wait(Duration atMost) -> {
          long now = clock.nanoTime();
          if (question.sinceNanos == Question.NEVER) {
            question.sinceNanos = now;
          }
          Duration longest = atMost.isNegative() ? Duration.ZERO : atMost;
          longest = longest.compareTo(WAIT_MAX) > 0 ? WAIT_MAX : longest;
          if (now - question.sinceNanos >= longest.toNanos()) {
            stop(placedPods, Stop.late(plugin, member, longest));
            return;
          }
          open = question;
          openNanos = longest.toNanos();
        }
      }
    }
    if (open == null) {
      go(placedPods);
    } else if (first) {
      waits(placedPods, open, Duration.ofNanos(openNanos));
    }
  }

  private void waits(PlacedPods placedPods, Question question, Duration atMost) {
    waiting.put(placedPods.uid(), placedPods);
    placedPods.lasted = true;
    String whose = "pod " + question.member.pod().key();
    for (Member member : placedPods.members()) {
      boolean itself = member.equals(question.member);
      String why = why(question, itself ? "it" : whose + " of its group", atMost);
      queue.permit(member.attempt().waiting, true);
      member.attempt().end(Outcome.Kind.WAITING, why, null);
      then.waits(member, why);
    }
    if (placedPods.group != null) {
      then.waits(placedPods.group, why(question, whose, atMost));
    }
  }

  private static String why(Question question, String whom, Duration atMost) {
    return "Permit plugin \"%s\" has %s wait with node \"%s\", for at most %s s"
        .formatted(
            PluginFailure.nameOf(question.plugin),
            whom,
            question.member.node(),
            Stop.seconds(atMost));
  }

  /** All may be bound. */
  private void go(PlacedPods placedPods) {
    if (waiting.remove(placedPods.uid()) != null) {
      placedPods.members().forEach(it -> queue.permit(it.attempt().waiting, false));
      for (Member member : placedPods.members()) {
        if (cluster.node(member.node()) == null) {
          stop(placedPods, Stop.again("node \"" + member.node() + "\" went while it waited"));
          return;
        }
      }
    }
    // Only the server binds several together.
    if (placedPods.group != null) {
      then.commit(placedPods);
      return;
    }
    Member member = placedPods.members().getFirst();
    for (Bind plugin : hooks(member).binds()) {
      Bind.Outcome outcome;
      try {
        outcome =
            PluginFailure.ask(
                plugin,
                "Bind",
                () ->
                    Objects.requireNonNull(
                        plugin.bind(member.pod(), member.node()), "it answered nothing"));
      } catch (PluginFailure e) {
        stop(placedPods, Stop.failed(member, e));
        return;
      }
      switch (outcome) {
        case Bind.Outcome.NotMine() -> {}
        case Bind.Outcome.Bound() -> {
          placedPods.lasted = true;
          long until = clock.nanoTime() + SHOWN_WITHIN.toNanos();
          trusted.put(placedPods.uid(), new Trusted(placedPods, plugin, until));
          return;
        }
        case Bind.Outcome.Failed(PluginRefusal why) -> {
          stop(placedPods, Stop.notBound(plugin, member, why.reason()));
          return;
        }
      }
    }
    then.commit(placedPods);
  }

  // ---- those who are on their way

  /** Pods or nodes changed: who waits is asked about again at the next look. */
  void changed() {
    changed = true;
  }

  /** Goes on with those who may, and ends with those who cannot. */
  void look() {
    if (waiting.isEmpty() && trusted.isEmpty()) {
      return;
    }
    for (Trusted each : List.copyOf(trusted.values())) {
      look(each);
    }
    long now = clock.nanoTime();
    if (!changed && now - askedNanos < ASK_AGAIN_AFTER.toNanos()) {
      return;
    }
    changed = false;
    askedNanos = now;
    for (PlacedPods placedPods : List.copyOf(waiting.values())) {
      if (!leadership.holds(placedPods.term())) {
        stop(placedPods, Stop.again("the term in which it was placed is over"));
      } else if (!isWanted(placedPods)) {
        stop(placedPods, Stop.again("it was not there any more to be bound"));
      } else if (roomToBind.getAsBoolean()) {
        ask(placedPods);
      } else {
        changed = true;
      }
    }
  }

  private boolean isWanted(PlacedPods placedPods) {
    return placedPods.members().stream().allMatch(it -> queue.has(it.attempt().waiting));
  }

  private void look(Trusted each) {
    PlacedPods placedPods = each.placedPods();
    Member member = placedPods.members().getFirst();
    if (!isWanted(placedPods)) {
      trusted.remove(placedPods.uid());
      if (member.node().equals(cluster.nodeOf(placedPods.uid()))) {
        then.shown(placedPods);
      } else {
        stop(placedPods, Stop.again("it was not there any more to be bound"));
      }
    } else if (each.untilNanos() <= clock.nanoTime()) {
      trusted.remove(placedPods.uid());
      stop(placedPods, Stop.notShown(each.plugin(), member, SHOWN_WITHIN));
    }
  }

  /** How long nothing is to be done unless something changes; null if for ever. */
  @Nullable Duration nextIn() {
    long next = Long.MAX_VALUE;
    long now = clock.nanoTime();
    if (!waiting.isEmpty()) {
      next = askedNanos + ASK_AGAIN_AFTER.toNanos() - now;
    }
    for (Trusted each : trusted.values()) {
      next = Math.min(next, each.untilNanos() - now);
    }
    return next == Long.MAX_VALUE ? null : Duration.ofNanos(Math.max(0, next));
  }

  // ---- the end

  private void stop(PlacedPods placedPods, Stop stop) {
    waiting.remove(placedPods.uid());
    unreserve(placedPods);
    then.stopped(placedPods, stop);
  }

  /** What was set aside for it is not needed: it was not bound. */
  void unreserve(PlacedPods placedPods) {
    for (Reserved each; (each = placedPods.reserved.poll()) != null; ) {
      Member member = each.member();
      Reserve plugin = each.plugin();
      try {
        PluginFailure.ask(
            plugin,
            "Unreserve",
            () -> {
              plugin.unreserve(member.pod(), member.node());
              return "";
            });
      } catch (PluginFailure e) {
        log.failed("what was set aside for " + member.pod() + " may stay so", e);
      }
    }
  }

  /** It works no more: nobody waits in vain. */
  void close() {
    for (PlacedPods placedPods : List.copyOf(waiting.values())) {
      stop(placedPods, Stop.again("the scheduler stops"));
    }
  }
}
