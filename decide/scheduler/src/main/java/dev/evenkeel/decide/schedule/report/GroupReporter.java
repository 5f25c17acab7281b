package dev.evenkeel.decide.schedule.report;

import dev.evenkeel.decide.lead.Term;
import dev.evenkeel.decide.schedule.group.GroupBook;
import dev.evenkeel.decide.schedule.group.GroupCondition;
import dev.evenkeel.decide.schedule.group.GroupStatus;
import dev.evenkeel.decide.schedule.group.KnownGroup;
import dev.evenkeel.decide.schedule.group.RoomHold;
import dev.evenkeel.decide.schedule.model.PodInfo;
import dev.evenkeel.decide.schedule.queue.SchedulingQueue;
import dev.evenkeel.decide.schedule.queue.Waiting;
import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.observe.object.Kinds;
import dev.evenkeel.observe.transport.Client;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes on the objects of groups how far they are, when that changes.
 *
 * <p><b>Invariants:</b> what an object says already is not written.
 *
 * <p><b>Threading:</b> of the scheduler's loop.
 */
public final class GroupReporter {

  private final Env env;
  private final StatusWriter writer;
  private final OutcomeReporter reporter;
  private final SchedulingQueue queue;
  private final GroupBook book;
  private final RoomHold hold;
  private final Function<String, @Nullable GroupCondition> says;
  private boolean rested;

  /**
   * @param says why pods of the group wait; null if nothing is known
   * @param call has {@link #tell} called
   */
  public GroupReporter(
      Env env,
      Loop loop,
      Client client,
      OutcomeReporter reporter,
      SchedulingQueue queue,
      GroupBook book,
      RoomHold hold,
      Function<String, @Nullable GroupCondition> says,
      Runnable call) {
    this.env = env;
    this.writer =
        new StatusWriter(
            Kinds.POD_GROUPS,
            loop,
            client,
            reporter,
            key -> {
              book.changed(key);
              call.run();
            });
    this.reporter = reporter;
    this.queue = queue;
    this.book = book;
    this.hold = hold;
    this.says = says;
  }

  /** Others tell, or nobody: what is to be told is found out when it is time. */
  public void rest() {
    var _ = book.takeChanged();
    writer.forgetAll();
    rested = true;
  }

  /** Tells the pods of a group that its time to hold room is over; nothing if it is null. */
  public void letGo(@Nullable KnownGroup group, Term term) {
    GroupCondition why = group == null ? null : says.apply(group.key());
    if (group == null || why == null) {
      return;
    }
    for (PodInfo pod : book.ready(group.key())) {
      Waiting waiting = queue.find(pod.uid());
      if (waiting != null) {
        reporter.unschedulable(waiting, waiting.pod(), why.message(), term);
      }
    }
  }

  /** Tells the groups of which something changed. */
  public void tell(Term term) {
    if (rested) {
      rested = false;
      book.changedAll();
    }
    for (String key : book.takeChanged()) {
      KnownGroup group = book.group(key);
      if (group == null) {
        writer.forget(key);
      } else if (writer.isShown(key, group.version())) {
        GroupStatus status = GroupStatus.of(group, book, hold, says.apply(key));
        if (!status.isSaidBy(group)) {
          writer.write(term, key, status.patch(group, env.clock().now()));
        }
      }
    }
  }
}
