package dev.evenkeel.decide.run;

import dev.evenkeel.decide.effect.ExternalState;
import dev.evenkeel.decide.plan.Action;
import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.decide.plan.Refusal;
import dev.evenkeel.decide.plan.View;
import dev.evenkeel.explain.record.Decision;
import dev.evenkeel.observe.cache.Index;
import dev.evenkeel.observe.cache.Indexes;
import dev.evenkeel.observe.cache.Informer;
import dev.evenkeel.observe.cache.Snapshot;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A view of informers' caches: one snapshot of each kind for the whole decision. What else it shows
 * was found out for it before: answers of the server itself, external resources.
 *
 * <p><b>Threading:</b> of one decision.
 */
final class CacheView implements View {

  /** Reads beyond this are counted with the last: a loop over thousands is one line too many. */
  private static final int READS_MAX = 100;

  /** Finds the informer of a kind. */
  interface Caches {
    <T> @Nullable Informer<T> of(Kind<T> kind);
  }

  private final Caches caches;
  private final Instant now;
  private final @Nullable Memory memory;
  private final int readsMax;
  private final Map<Kind<?>, Snapshot<?>> snapshots = new HashMap<>(4);
  private final List<Decision.Read> reads = new ArrayList<>(0);
  private final Map<Plan.Question, Answer<?>> answers = new HashMap<>(0);
  private final Set<ExternalState.Resource> unknown = new LinkedHashSet<>(0);

  /**
   * @param memory of the object; null if nothing is remembered
   */
  CacheView(Caches caches, Instant now, @Nullable Memory memory) {
    this(caches, now, memory, READS_MAX);
  }

  private CacheView(Caches caches, Instant now, @Nullable Memory memory, int readsMax) {
    this.caches = caches;
    this.now = now;
    this.memory = memory;
    this.readsMax = readsMax;
  }

  /**
   * For a look that decides nothing, of which there are many: what it reads is not written down.
   */
  static CacheView unnoted(Caches caches, Instant now) {
    return new CacheView(caches, now, null, 0);
  }

  List<Decision.Read> reads() {
    return reads;
  }

  @Override
  public Instant now() {
    return now;
  }

  @SuppressWarnings("unchecked") // put there under its own kind
  private <T> Snapshot<T> snapshot(Kind<T> kind) {
    Snapshot<?> known = snapshots.get(kind);
    if (known == null) {
      Informer<T> informer = caches.of(kind);
      if (informer == null) {
        throw new IllegalStateException(
            "the controller reads " + kind + " and does not say so: add owning() or watching()");
      }
      known = informer.snapshot();
      snapshots.put(kind, known);
    }
    return (Snapshot<T>) known;
  }

  private void note(Kind<?> kind, String query, long version, int found) {
    if (isNoted()) {
      reads.add(new Decision.Read(kind.toString(), query, version, found, false));
    }
  }

  private boolean isNoted() {
    return reads.size() < readsMax;
  }

  @Override
  public <T> @Nullable Cached<T> find(Kind<T> kind, String namespace, String name) {
    Snapshot<T> snapshot = snapshot(kind);
    Cached<T> found = snapshot.find(namespace, name);
    note(kind, Cached.key(namespace, name), snapshot.version(), found == null ? 0 : 1);
    return found;
  }

  @Override
  public <T> List<Cached<T>> list(Kind<T> kind, String namespace) {
    Snapshot<T> snapshot = snapshot(kind);
    List<Cached<T>> found = new ArrayList<>();
    (namespace.isEmpty() ? snapshot.all() : snapshot.namespace(namespace)).forEach(found::add);
    if (isNoted()) {
      String query = namespace.isEmpty() ? "all" : "namespace=" + namespace;
      note(kind, query, snapshot.version(), found.size());
    }
    return found;
  }

  @Override
  public <T> List<Cached<T>> by(Kind<T> kind, Index<T> index, String key) {
    Snapshot<T> snapshot = snapshot(kind);
    List<Cached<T>> found = new ArrayList<>();
    snapshot.by(index, key).forEach(found::add);
    if (isNoted()) {
      note(kind, index.name() + "=" + key, snapshot.version(), found.size());
    }
    return found;
  }

  @Override
  public <T> List<Cached<T>> owned(Cached<?> owner, Kind<T> kind) {
    return by(kind, Indexes.owner(), owner.uid());
  }

  // ---- what had to be found out

  @Override
  @SuppressWarnings("unchecked") // put there under its own kind
  public <T> @Nullable Answer<T> asked(Kind<T> kind, String namespace, String name) {
    return (Answer<T>) answers.get(new Plan.Question(kind, namespace, name));
  }

  @Override
  public @Nullable ObjectNode effect(String actuator, String thing) {
    var named = new ExternalState.Resource(actuator, thing);
    ExternalState.Observation seen = memory == null ? null : memory.external.known(named, now);
    if (seen == null) {
      unknown.add(named);
      return null;
    }
    ObjectNode state = seen.state();
    return state == null ? null : state.deepCopy();
  }

  @Override
  public @Nullable Refusal refusal() {
    return memory == null ? null : memory.refusal;
  }

  /** What a plan asks for and was not answered yet. */
  List<Plan.Question> unanswered(Plan plan) {
    return plan.questions().stream().filter(it -> !answers.containsKey(it)).toList();
  }

  /**
   * External resources that a plan is about, or that were asked for, of which nothing is known yet.
   */
  Set<ExternalState.Resource> unknown(List<Action> actions) {
    for (Action action : actions) {
      if (action instanceof Action.Effect effect) {
        unknown.add(new ExternalState.Resource(effect.actuator(), effect.thing()));
      }
    }
    if (memory != null) {
      unknown.removeIf(it -> memory.external.known(it, now) != null);
    }
    return Set.copyOf(unknown);
  }

  void answer(Plan.Question question, @Nullable Cached<?> object) {
    answers.put(question, new Answer<>(object));
    if (isNoted()) {
      reads.add(
          new Decision.Read(
              question.kind().toString(),
              Cached.key(question.namespace(), question.name()),
              object == null ? 0 : object.version(),
              object == null ? 0 : 1,
              true));
    }
  }

  /** What was asked and how much was found, as a number: the same where nothing changed. */
  int findings() {
    int findings = 0;
    for (Decision.Read read : reads) {
      findings = 31 * findings + read.query().hashCode() + read.found();
    }
    return findings;
  }
}
