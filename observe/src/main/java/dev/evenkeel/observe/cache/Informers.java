package dev.evenkeel.observe.cache;

import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.observe.feed.FeedLimits;
import dev.evenkeel.observe.feed.Scope;
import dev.evenkeel.observe.object.Kind;
import dev.evenkeel.observe.object.Trim;
import dev.evenkeel.observe.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;

/**
 * The informers of a process: whoever asks for the same kind and scope gets the same one, so that
 * nothing is watched or held twice.
 *
 * <p>They share one loop. The transport stays the caller's to close, after this.
 *
 * <p><b>Threading:</b> for any thread.
 */
public final class Informers implements AutoCloseable {

  /** How often they are compared. */
  private static final Duration COMPARE_EVERY = Duration.ofSeconds(5);

  private record Key(Kind<?> kind, Scope scope, Trim trim) {}

  private final Env env;
  private final Transport transport;
  private final FeedLimits limits;
  private final Loop loop;
  private final Map<Key, Informer<?>> informers = new LinkedHashMap<>();
  private boolean closed;

  public Informers(Env env, Transport transport, FeedLimits limits) {
    this.env = env;
    this.transport = transport;
    this.limits = limits;
    this.loop = env.loop("informers");
    compareLater();
  }

  private void compareLater() {
    try {
      var _ = loop.runLater(COMPARE_EVERY, this::compare);
    } catch (RejectedExecutionException e) {
      // They are closed.
    }
  }

  /** Tells each how far the others are: one that stays behind may have missed something. */
  private void compare() {
    List<Informer<?>> all;
    synchronized (informers) {
      all = List.copyOf(informers.values());
    }
    long furthest = 0;
    for (Informer<?> informer : all) {
      furthest = Math.max(furthest, informer.snapshot().version());
    }
    for (Informer<?> informer : all) {
      informer.others(furthest);
    }
    compareLater();
  }

  /** The informer of all objects of a kind; managedFields are not held. */
  public <T> Informer<T> informer(Kind<T> kind) {
    return informer(kind, Scope.ALL, Trim.MANAGED_FIELDS);
  }

  /** The informer of some objects of a kind; managedFields are not held. */
  public <T> Informer<T> informer(Kind<T> kind, Scope scope) {
    return informer(kind, scope, Trim.MANAGED_FIELDS);
  }

  /** The informer of some objects of a kind without the fields that are trimmed. */
  public <T> Informer<T> informer(Kind<T> kind, Scope scope, Trim trim) {
    synchronized (informers) {
      if (closed) {
        throw new IllegalStateException("the informers are closed");
      }
      var key = new Key(kind, scope, trim);
      // Equal kinds decode alike, so what is found is of this type.
      @SuppressWarnings("unchecked")
      var known = (Informer<T>) informers.get(key);
      if (known != null) {
        return known;
      }
      var informer = new Informer<>(env, loop, transport, kind, scope, trim, limits);
      informers.put(key, informer);
      loop.execute(informer::start);
      return informer;
    }
  }

  /** Ends an informer that nobody needs any more; who asks for it again gets a new one. */
  public void drop(Informer<?> informer) {
    synchronized (informers) {
      if (!closed && informers.values().remove(informer)) {
        loop.execute(informer::close);
      }
    }
  }

  /** How each is doing, in the order in which they were first asked for. */
  public List<InformerFigures> figures() {
    synchronized (informers) {
      List<InformerFigures> figures = new ArrayList<>();
      informers.values().forEach(informer -> figures.add(informer.figures()));
      return figures;
    }
  }

  @Override
  public void close() {
    synchronized (informers) {
      if (closed) {
        return;
      }
      closed = true;
      informers.values().forEach(informer -> loop.execute(informer::close));
    }
    loop.close();
  }
}
