package dev.evenkeel.decide.schedule.run;

import dev.evenkeel.decide.lead.Term;
import dev.evenkeel.decide.schedule.group.GroupBook;
import dev.evenkeel.decide.schedule.group.GroupStatus;
import dev.evenkeel.decide.schedule.group.KnownGroup;
import dev.evenkeel.decide.schedule.group.RoomHold;
import dev.evenkeel.decide.schedule.model.PodInfo;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.observe.transport.Client;
import dev.evenkeel.observe.transport.PatchType;
import dev.evenkeel.observe.transport.Query;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes on the objects of groups how far they are, when that changes.
 *
 * <p><b>Invariants:</b> what an object says already is not written. One write of a group is on its
 * way at a time, and the next one is made once the object shows what came of it.
 *
 * <p><b>Threading:</b> of the scheduler's loop.
 */
final class GroupTeller {

  /** What could not be written is tried again after this. */
  static final Duration AGAIN_AFTER = Duration.ofSeconds(5);

  private static final long ON_ITS_WAY = Long.MAX_VALUE;

  private final Env env;
  private final Loop loop;
  private final Client client;
  private final Teller teller;
  private final SchedulingQueue queue;
  private final GroupBook book;
  private final RoomHold hold;
  private final Function<String, String> says;
  private final Runnable call;

  /** By group, the version in which its object says what was written last. */
  private final Map<String, Long> sent = new HashMap<>();

  private boolean rested;

  /**
   * @param says why pods of the group wait
   * @param call has {@link #tell} called
   */
  GroupTeller(
      Env env,
      Loop loop,
      Client client,
      Teller teller,
      SchedulingQueue queue,
      GroupBook book,
      RoomHold hold,
      Function<String, String> says,
      Runnable call) {
    this.env = env;
    this.loop = loop;
    this.client = client;
    this.teller = teller;
    this.queue = queue;
    this.book = book;
    this.hold = hold;
    this.says = says;
    this.call = call;
  }

  /** Others tell, or nobody: what is to be told is found out when it is time. */
  void rest() {
    var _ = book.takeChanged();
    sent.clear();
    rested = true;
  }

  /** Tells the pods of a group that its time to hold room is over; nothing if it is null. */
  void letGo(@Nullable KnownGroup group, Term term) {
    if (group == null) {
      return;
    }
    for (PodInfo pod : book.ready(group.key())) {
      Waiting waiting = queue.find(pod.uid());
      if (waiting != null) {
        teller.unschedulable(waiting.object(), waiting.pod(), says.apply(group.key()), "", term);
      }
    }
  }

  /** Tells the groups of which something changed. */
  void tell(Term term) {
    if (rested) {
      rested = false;
      book.changedAll();
    }
    for (String key : book.takeChanged()) {
      KnownGroup group = book.group(key);
      if (group == null) {
        sent.remove(key);
      } else if (group.version() >= sent.getOrDefault(key, 0L)) {
        sent.remove(key);
        GroupStatus status = GroupStatus.of(group, book, hold, says.apply(key));
        if (!status.isSaidBy(group)) {
          sent.put(key, ON_ITS_WAY);
          write(term, group, status);
        }
      }
    }
  }

  private void write(Term term, KnownGroup group, GroupStatus status) {
    Client fenced = term.fence(client);
    Bytes patch = Bytes.wrap(Json.encode(status.patch(group, env.clock().now())));
    teller.write(
        "group " + group.key(),
        () ->
            fenced
                .patch(
                    Follower.GROUPS,
                    group.group().namespace(),
                    group.group().name(),
                    "status",
                    PatchType.MERGE,
                    patch,
                    new Query())
                .whenComplete((answer, failure) -> written(group.key(), answer, failure)));
  }

  private void written(String key, @Nullable ObjectNode answer, @Nullable Throwable failure) {
    String version = answer == null ? "" : Meta.resourceVersion(answer);
    long shownBy = version.isEmpty() ? 0 : Long.parseLong(version);
    try {
      var _ =
          loop.runLater(
              failure == null ? Duration.ZERO : AGAIN_AFTER,
              () -> {
                sent.computeIfPresent(key, (_, _) -> shownBy);
                book.changed(key);
                call.run();
              });
    } catch (RejectedExecutionException e) {
      // It is closed.
    }
  }
}
