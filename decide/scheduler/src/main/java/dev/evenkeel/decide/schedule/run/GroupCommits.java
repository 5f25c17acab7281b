package dev.evenkeel.decide.schedule.run;

import dev.evenkeel.decide.lead.Term;
import dev.evenkeel.decide.schedule.group.GroupBook;
import dev.evenkeel.decide.schedule.group.GroupCondition;
import dev.evenkeel.decide.schedule.group.KnownGroup;
import org.jspecify.annotations.Nullable;

/**
 * Has parties of groups committed, and ends them with what came of it.
 *
 * <p><b>Threading:</b> of the scheduler's loop.
 */
final class GroupCommits {

  /** What else follows from what came of it. */
  interface Then {

    /** It is known what came of it. */
    void answered(PlacedPods placedPods, Binder.Outcome outcome);

    /** The server knows better what there is. */
    void learn(Binder.Outcome.TooLittle little);

    /** The server says that the term is over. */
    void doubt(Term term);

    /**
     * @param placed how many pods have a node now that had none
     * @param why none has; null if they have
     */
    void ended(PlacedPods placedPods, int placed, @Nullable GroupCondition why);
  }

  private final GroupBinder binder;
  private final Follower follower;
  private final GroupBook groups;
  private final FailedAttempts failedAttempts;
  private final BindingCycle bindingCycle;
  private final Then then;

  GroupCommits(
      GroupBinder binder,
      Follower follower,
      GroupBook groups,
      FailedAttempts failedAttempts,
      BindingCycle bindingCycle,
      Then then) {
    this.binder = binder;
    this.follower = follower;
    this.groups = groups;
    this.failedAttempts = failedAttempts;
    this.bindingCycle = bindingCycle;
    this.then = then;
  }

  void commit(KnownGroup group, PlacedPods placedPods, String operation) {
    long version = placedPods.members().getFirst().attempt().podsVersion;
    var wish = new GroupBinder.Wish(group, placedPods.members(), version, operation);
    binder.bind(wish, placedPods.term(), outcome -> ended(placedPods, wish, outcome));
  }

  private void ended(PlacedPods placedPods, GroupBinder.Wish wish, Binder.Outcome outcome) {
    then.answered(placedPods, outcome);
    int placed = 0;
    GroupCondition why = null;
    switch (outcome) {
      case Binder.Outcome.Done done -> {
        placed = placedPods.members().size();
        failedAttempts.bound(placedPods, wish, done, groups, follower);
      }
      case Binder.Outcome.TooLittle little -> {
        why = GroupCondition.refused(little.message());
        bindingCycle.unreserve(placedPods);
        failedAttempts.refused(placedPods, wish, little);
        // What the server says is held against a picture without these pods.
        then.learn(little);
      }
      case Binder.Outcome.Refused no -> {
        why = GroupCondition.refused(no.message());
        bindingCycle.unreserve(placedPods);
        if (no.leaseLost()) {
          then.doubt(placedPods.term());
        }
        failedAttempts.refused(placedPods, wish, no);
      }
    }
    then.ended(placedPods, placed, why);
  }
}
