package dev.evenkeel.decide.schedule.report;

import dev.evenkeel.decide.lead.Term;
import dev.evenkeel.decide.schedule.policy.PolicyBook;
import dev.evenkeel.decide.schedule.policy.PolicyStatus;
import dev.evenkeel.kernel.env.Clock;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.observe.cache.Change;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kinds;
import dev.evenkeel.observe.transport.Client;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes on policies which version of them pods are placed by, or why none are, when that changes.
 *
 * <p><b>Invariants:</b> what an object says already is not written.
 *
 * <p><b>Threading:</b> of the scheduler's loop.
 */
public final class PolicyReporter {

  private final Clock clock;
  private final PolicyBook book;
  private final StatusWriter writer;
  private final Map<String, Cached<ObjectNode>> policies = new HashMap<>();
  private final Set<String> changed = new HashSet<>();

  /**
   * @param book has seen what is seen here
   * @param call has {@link #tell} called
   */
  public PolicyReporter(
      Clock clock,
      Loop loop,
      Client client,
      OutcomeReporter reporter,
      PolicyBook book,
      Runnable call) {
    this.clock = clock;
    this.book = book;
    this.writer =
        new StatusWriter(
            Kinds.SCHEDULING_POLICIES,
            loop,
            client,
            reporter,
            name -> {
              changed.add(name);
              call.run();
            });
  }

  public void see(Change<ObjectNode> change) {
    Cached<ObjectNode> before = change.before();
    Cached<ObjectNode> after = change.after();
    String name = change.newest().name();
    if (after == null) {
      policies.remove(name);
      changed.remove(name);
      writer.forget(name);
    } else {
      policies.put(name, after);
      changed.add(name);
    }
    if (before == null || after == null || generation(before) != generation(after)) {
      // Another may win, or lose, by what this one is for now.
      changed.addAll(policies.keySet());
    }
  }

  private static long generation(Cached<ObjectNode> policy) {
    return policy.tree().path("metadata").path("generation").asLong(0);
  }

  /** Tells those that changed. */
  public void tell(Term term) {
    if (changed.isEmpty()) {
      return;
    }
    List<String> names = List.copyOf(changed);
    changed.clear();
    for (String name : names) {
      Cached<ObjectNode> object = policies.get(name);
      if (object != null && writer.isShown(name, object.version())) {
        PolicyStatus status = PolicyStatus.of(object.tree(), book);
        if (!status.isSaidBy(object.tree())) {
          writer.write(term, name, status.patch(object.tree(), clock.now()));
        }
      }
    }
  }
}
