package dev.evenkeel.prove.bench.api.load;

import dev.evenkeel.prove.bench.api.wire.Request;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Defines kinds one after another, and tries each until an object of it can be created.
 *
 * <p>Threading: for one client; read when that has ended.
 */
public final class Installation implements Script {

  /** How a server says that it does not know a kind, or not yet. */
  private static final Set<Integer> NOT_YET = Set.of(404, 405, 429, 503);

  private static final long PAUSE_NANOS = 500_000;
  private static final long SERVED_NANOS_MAX = Duration.ofSeconds(30).toNanos();

  private final LoadKinds kinds;
  private final String namespace;
  private final Histogram latencies = new Histogram();
  private int index;
  private boolean defined;
  private boolean pausing;
  private long definedNanos;

  public Installation(LoadKinds kinds, String namespace) {
    this.kinds = kinds;
    this.namespace = namespace;
  }

  /** From each definition being sent to the first object being there. */
  public Histogram latencies() {
    return latencies;
  }

  @Override
  public @Nullable Request next(int client) {
    if (index == kinds.count()) {
      return null;
    }
    if (defined) {
      return Request.post(kinds.collectionPath(index, namespace), kinds.object(index));
    }
    byte[] definition = kinds.definition(index);
    definedNanos = System.nanoTime();
    return Request.post(LoadKinds.DEFINITIONS, definition);
  }

  @Override
  public @Nullable String check(int client, Answer answer) {
    if (!defined) {
      if (answer.status() != 201) {
        index++;
        return "a definition's status " + answer.status();
      }
      defined = true;
      return null;
    }
    long nanos = System.nanoTime() - definedNanos;
    if (NOT_YET.contains(answer.status()) && nanos < SERVED_NANOS_MAX) {
      pausing = true;
      return null;
    }
    index++;
    defined = false;
    if (answer.status() != 201) {
      return "a first object's status " + answer.status();
    }
    latencies.record(nanos);
    return null;
  }

  @Override
  public long pauseNanos(int client, long nowNanos) {
    long pause = pausing ? PAUSE_NANOS : 0;
    pausing = false;
    return pause;
  }
}
