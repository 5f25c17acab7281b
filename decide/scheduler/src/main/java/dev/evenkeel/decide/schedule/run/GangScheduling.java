package dev.evenkeel.decide.schedule.run;

import dev.evenkeel.decide.lead.Term;
import dev.evenkeel.decide.schedule.group.GroupBook;
import dev.evenkeel.decide.schedule.group.GroupCondition;
import dev.evenkeel.decide.schedule.group.KnownGroup;
import dev.evenkeel.decide.schedule.group.RoomHold;
import dev.evenkeel.decide.schedule.judge.PluginNames;
import dev.evenkeel.decide.schedule.model.PodInfo;
import dev.evenkeel.decide.schedule.model.WakeOn;
import dev.evenkeel.decide.schedule.place.Cluster;
import dev.evenkeel.decide.schedule.place.Placement;
import dev.evenkeel.decide.schedule.place.Placer;
import dev.evenkeel.decide.schedule.queue.ActiveQueue;
import dev.evenkeel.decide.schedule.queue.SchedulingQueue;
import dev.evenkeel.decide.schedule.queue.Waiting;
import dev.evenkeel.decide.schedule.run.PlacedPods.Member;
import dev.evenkeel.explain.record.Decision;
import dev.evenkeel.explain.record.Decision.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Places the pods of groups: at least as many as the group needs, in one binding, or none.
 *
 * <p><b>Invariants:</b> a group has at most one party on its way. While it has too few pods with a
 * node, none is placed by itself. Room is held by nominations of pods that wait.
 *
 * <p><b>Threading:</b> of the scheduler's loop.
 */
final class GangScheduling {

  /** So many pods are bound at once, as the server takes them; more follow one by one. */
  static final int MEMBERS_MAX = 1_000;

  /** Who goes on with what was decided here. */
  interface Then {

    /** The pod is placed as any other. */
    void single(Waiting waiting, Term term);

    SchedulingAttempt begin(Waiting waiting, Term term);

    /** Who places pods like this one; null if nobody does any more. */
    @Nullable Placer placer(SchedulingAttempt first);

    /** All are assumed on their nodes, and go on to be bound. */
    void placed(PlacedPods placedPods);

    /** Looks for nodes, and is measured by how long it takes. */
    <T> T search(Supplier<T> work);

    void unplaced(SchedulingAttempt attempt, Placement.Unplaced none);

    void failed(SchedulingAttempt attempt, Throwable failure);

    /** Room that was held may be for others now. */
    void released();
  }

  private final Cluster cluster;
  private final SchedulingQueue queue;
  private final GroupBook book;
  private final RoomHold hold;
  private final Then then;
  private final Map<String, PlacedPods> onTheirWay = new HashMap<>();

  /** Pods that came while others of their group were on their way, by the group. */
  private final Map<String, Set<String>> late = new HashMap<>();

  /** What the pods of groups that were not placed, or not bound, were told last. */
  private final Map<String, GroupCondition> says = new HashMap<>();

  GangScheduling(Cluster cluster, SchedulingQueue queue, GroupBook book, RoomHold hold, Then then) {
    this.cluster = cluster;
    this.queue = queue;
    this.book = book;
    this.hold = hold;
    this.then = then;
  }

  /** Why the group's pods wait; null if nothing is known. */
  @Nullable GroupCondition says(String key) {
    return says.get(key);
  }

  /**
   * It is a pod's turn.
   *
   * @param mates whose turn it is too
   * @return those of them who were placed with it, or were not
   */
  Set<Waiting> attempt(Waiting first, Collection<Waiting> mates, Term term) {
    String key = GroupBook.key(first.pod());
    String name = first.pod().group();
    KnownGroup group = book.group(key);
    if (group == null) {
      refuse(first, term, "pod group \"%s\" does not exist".formatted(name));
      return Set.of(first);
    }
    if (onTheirWay.containsKey(key)) {
      SchedulingAttempt attempt = then.begin(first, term);
      attempt.group = group;
      attempt.end(Outcome.Kind.WAITING, "other pods of its group are being bound", null);
      queue.unschedulable(first, Set.of(WakeOn.GROUP), Set.of());
      late.computeIfAbsent(key, _ -> new HashSet<>()).add(first.pod().uid());
      return Set.of(first);
    }
    int placed = book.placed(key);
    if (placed >= group.minimum()) {
      then.single(first, term);
      return Set.of(first);
    }
    List<PodInfo> ready = book.ready(key);
    if (placed + ready.size() < group.minimum()) {
      refuse(
          first,
          term,
          "pod group \"%s\" needs %d pods at once, %d are there"
              .formatted(name, group.minimum(), placed + ready.size()));
      return Set.of(first);
    }
    List<Waiting> members = new ArrayList<>(List.of(first));
    for (Waiting mate : mates) {
      if (mate != first && GroupBook.key(mate.pod()).equals(key)) {
        members.add(mate);
      }
    }
    Set<String> known = new HashSet<>();
    members.forEach(it -> known.add(it.pod().uid()));
    members.addAll(
        queue.take(
            ready.stream()
                .map(PodInfo::uid)
                .filter(uid -> !known.contains(uid))
                .limit(MEMBERS_MAX - known.size())
                .toList()));
    members.sort(ActiveQueue.BY_PRIORITY);
    place(group, members, placed, term);
    return new HashSet<>(members);
  }

  /** The group, not the nodes, is in its way. */
  private void refuse(Waiting waiting, Term term, String why) {
    SchedulingAttempt attempt = then.begin(waiting, term);
    attempt.group = book.group(GroupBook.key(waiting.pod()));
    int nodes = cluster.nodes();
    then.unplaced(
        attempt,
        new Placement.Unplaced(
            attempt.pod,
            new Decision.Evaluation(
                List.of(new Decision.Rejection(PluginNames.POD_GROUP, why, nodes, List.of())),
                List.of()),
            Set.of(WakeOn.GROUP),
            null,
            why + "."));
  }

  private void place(KnownGroup group, List<Waiting> members, int bound, Term term) {
    String key = group.key();
    List<SchedulingAttempt> attempts = new ArrayList<>(members.size());
    for (Waiting member : members) {
      SchedulingAttempt attempt = then.begin(member, term);
      attempt.group = group;
      attempts.add(attempt);
    }
    hold.withdraw(key);
    List<PodInfo> pods = attempts.stream().map(it -> it.pod).toList();
    List<Placement> found;
    List<Placement> placements;
    try {
      Placer placer = then.placer(attempts.getFirst());
      if (placer == null) {
        members.forEach(it -> queue.remove(it.pod().uid()));
        return;
      }
      attempts.forEach(it -> it.policy = attempts.getFirst().policy);
      found = then.search(() -> placer.place(pods, cluster));
      placements = placer.together(group.group(), found, bound, cluster);
    } catch (RuntimeException | StackOverflowError e) {
      says.put(key, GroupCondition.failed(FailedAttempts.message(e)));
      letGo(key);
      attempts.forEach(it -> then.failed(it, e));
      return;
    }
    List<Placement.Placed> rooms =
        found.stream()
            .filter(Placement.Placed.class::isInstance)
            .map(Placement.Placed.class::cast)
            .toList();
    if (placements.stream().noneMatch(Placement.Placed.class::isInstance)) {
      wait(group, attempts, placements, rooms);
    } else {
      go(group, attempts, placements);
    }
  }

  private void wait(
      KnownGroup group,
      List<SchedulingAttempt> attempts,
      List<Placement> placements,
      List<Placement.Placed> rooms) {
    String key = group.key();
    String before = hold.holder();
    String held = hold.take(group, attempts.getFirst().pod.priority(), rooms);
    if (before != null && !before.equals(key) && hold.isHeldBy(key)) {
      book.changed(before);
    }
    // Before its own pods wait, who get nothing by what they give back.
    then.released();
    for (int i = 0; i < attempts.size(); i++) {
      Placement.Unplaced none = (Placement.Unplaced) placements.get(i);
      String message = held.isEmpty() ? none.message() : none.message() + " " + held;
      if (i == 0) {
        says.put(key, GroupCondition.noRoom(message));
      }
      then.unplaced(
          attempts.get(i),
          new Placement.Unplaced(
              none.pod(), none.evaluation(), none.helpedBy(), none.heldBy(), null, message));
    }
    book.changed(key);
  }

  private void go(KnownGroup group, List<SchedulingAttempt> attempts, List<Placement> placements) {
    String key = group.key();
    hold.release(key);
    // What kept them from being bound is said until it is known whether it does so again.
    says.computeIfPresent(key, (_, said) -> said.isOfRoom() ? null : said);
    List<Member> members = new ArrayList<>();
    for (int i = 0; i < attempts.size(); i++) {
      if (placements.get(i) instanceof Placement.Placed placed) {
        attempts.get(i).evaluation = placed.evaluation();
        cluster.assume(placed.pod(), placed.node());
        members.add(new Member(attempts.get(i), placed.node(), List.of()));
      }
    }
    then.released();
    var placedPods = new PlacedPods(group, members);
    for (int i = 0; i < attempts.size(); i++) {
      if (placements.get(i) instanceof Placement.Unplaced none) {
        // There is room for the group without it, and nobody has to make way.
        then.unplaced(
            attempts.get(i),
            new Placement.Unplaced(
                none.pod(),
                none.evaluation(),
                none.helpedBy(),
                none.heldBy(),
                null,
                none.message()));
      }
    }
    onTheirWay.put(key, placedPods);
    book.changed(key);
    then.placed(placedPods);
  }

  /** A plugin has its pods wait, which have nodes. */
  void waits(KnownGroup group, String why) {
    says.put(group.key(), GroupCondition.waits(why));
    book.changed(group.key());
  }

  /**
   * It was bound, or was not.
   *
   * @param why it was not; null if it was
   */
  void ended(PlacedPods placedPods, @Nullable GroupCondition why) {
    KnownGroup group = placedPods.group;
    if (group != null) {
      onTheirWay.remove(group.key(), placedPods);
      if (why == null) {
        says.remove(group.key());
      } else {
        says.put(group.key(), why);
      }
      book.changed(group.key());
      Set<String> meanwhile = late.remove(group.key());
      if (meanwhile != null) {
        queue.wake(meanwhile, "other pods of its group are not being bound any more");
      }
    }
  }

  // ---- who holds

  private void letGo(String key) {
    hold.release(key);
    then.released();
    book.changed(key);
  }

  /**
   * Lets those go whose time is over or who are gone, and wakes those who may hold again.
   *
   * @param leads whether anybody is placed here at all
   * @return the group whose time was over; null if none
   */
  @Nullable KnownGroup look(boolean leads) {
    String holder = hold.holder();
    if (holder != null && (!leads || !isComplete(holder))) {
      letGo(holder);
    }
    for (String key : hold.rested()) {
      wake(key, "its pod group may hold room again");
    }
    int places = hold.places();
    KnownGroup over = hold.expire();
    if (over != null) {
      String says =
          "pod group \"%s\" let go of the room for %d pods that it held for %s s: the room for %d was not found. %s"
              .formatted(
                  over.group().name(),
                  places,
                  Stop.seconds(over.holdsFor()),
                  over.minimum(),
                  hold.mayAgain(over.key()));
      this.says.put(over.key(), GroupCondition.noRoom(says));
      book.changed(over.key());
      then.released();
    }
    says.keySet().removeIf(key -> book.group(key) == null);
    return over;
  }

  /** Whether there are enough pods to be placed, if there is room. */
  private boolean isComplete(String key) {
    KnownGroup group = book.group(key);
    return group != null && book.placed(key) + book.ready(key).size() >= group.minimum();
  }

  private void wake(String key, String why) {
    queue.wake(book.ready(key).stream().map(PodInfo::uid).toList(), why);
  }

  /** When {@link #look} has something to do, though nothing changes; null if never. */
  @Nullable Duration nextIn() {
    return hold.nextIn();
  }
}
