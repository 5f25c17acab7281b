package dev.evenkeel.decide.run;

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
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A view of informers' caches: one snapshot of each kind for the whole decision.
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
  private final Map<Kind<?>, Snapshot<?>> snapshots = new HashMap<>();
  private final List<Decision.Read> reads = new ArrayList<>();

  CacheView(Caches caches, Instant now) {
    this.caches = caches;
    this.now = now;
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
    if (reads.size() < READS_MAX) {
      reads.add(new Decision.Read(kind.toString(), query, version, found, false));
    }
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
    note(
        kind,
        namespace.isEmpty() ? "all" : "namespace=" + namespace,
        snapshot.version(),
        found.size());
    return found;
  }

  @Override
  public <T> List<Cached<T>> by(Kind<T> kind, Index<T> index, String key) {
    Snapshot<T> snapshot = snapshot(kind);
    List<Cached<T>> found = new ArrayList<>();
    snapshot.by(index, key).forEach(found::add);
    note(kind, index.name() + "=" + key, snapshot.version(), found.size());
    return found;
  }

  @Override
  public <T> List<Cached<T>> owned(Cached<?> owner, Kind<T> kind) {
    return by(kind, Indexes.owner(), owner.uid());
  }
}
