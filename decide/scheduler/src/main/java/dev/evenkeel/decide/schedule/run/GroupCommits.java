package dev.evenkeel.decide.schedule.run;

import dev.evenkeel.decide.lead.Term;
import dev.evenkeel.decide.schedule.group.GroupBook;
import dev.evenkeel.decide.schedule.group.KnownGroup;
import dev.evenkeel.decide.schedule.group.Said;
import org.jspecify.annotations.Nullable;

/**
 * Has parties of groups committed, and ends them with what came of it.
 *
 * <p><b>Threading:</b> of the scheduler's loop.
 */
final class GroupCommits {

  /** What else follows from what came of it. */
  interface Then {

    /** The server knows better what there is. */
    void learn(Binder.Outcome.TooLittle little);

    /** The server says that the term is over. */
    void doubt(Term term);

    /**
     * @param placed how many pods have a node now that had none
     * @param why none has; null if they have
     */
    void ended(Party party, int placed, @Nullable Said why);
  }

  private final GroupBinder binder;
  private final Follower follower;
  private final GroupBook groups;
  private final Endings endings;
  private final Passage passage;
  private final Then then;

  GroupCommits(
      GroupBinder binder,
      Follower follower,
      GroupBook groups,
      Endings endings,
      Passage passage,
      Then then) {
    this.binder = binder;
    this.follower = follower;
    this.groups = groups;
    this.endings = endings;
    this.passage = passage;
    this.then = then;
  }

  void commit(KnownGroup group, Party party, String operation) {
    long version = party.members().getFirst().attempt().podsVersion;
    var wish = new GroupBinder.Wish(group, party.members(), version, operation);
    binder.bind(wish, party.term(), outcome -> ended(party, wish, outcome));
  }

  private void ended(Party party, GroupBinder.Wish wish, Binder.Outcome outcome) {
    int placed = 0;
    Said why = null;
    switch (outcome) {
      case Binder.Outcome.Done done -> {
        placed = party.members().size();
        endings.bound(party, wish, done, groups, follower);
      }
      case Binder.Outcome.TooLittle little -> {
        why = Said.refused(little.message());
        passage.unreserve(party);
        endings.refused(party, wish, little);
        // What the server says is held against a picture without these pods.
        then.learn(little);
      }
      case Binder.Outcome.Refused no -> {
        why = Said.refused(no.message());
        passage.unreserve(party);
        if (no.leaseLost()) {
          then.doubt(party.term());
        }
        endings.refused(party, wish, no);
      }
    }
    then.ended(party, placed, why);
  }
}
