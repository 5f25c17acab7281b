package dev.evenkeel.decide.lead;

import dev.evenkeel.kernel.env.Clock;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.observe.cache.Informer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How far caches must have come before one may act in a term: to the version that the lease got
 * when the term began. What the leader before wrote it wrote before that, or the server refused it,
 * so from there on all of it shows.
 *
 * <p><b>Threading:</b> of its owner's loop; {@link #waiting} is for any thread.
 */
public final class Horizon {

  private static final Duration ASK_AGAIN_AFTER = Duration.ofSeconds(1);

  private final Clock clock;
  private final Loop loop;
  private final Supplier<? extends Collection<? extends Informer<?>>> caches;
  private final Runnable reached;
  private @Nullable Term passed;
  private @Nullable Term asked;
  private volatile @Nullable Instant since;
  private volatile long lateVersion;

  /**
   * @param caches all that plans are made on
   * @param reached called on the loop, when {@link #isReached} may have another answer
   */
  public Horizon(
      Clock clock,
      Loop loop,
      Supplier<? extends Collection<? extends Informer<?>>> caches,
      Runnable reached) {
    this.clock = clock;
    this.loop = loop;
    this.caches = caches;
    this.reached = reached;
  }

  /** Whether the caches show all that was written before the term. Where not, they are hurried. */
  public boolean isReached(Term term) {
    if (term.equals(passed)) {
      return true;
    }
    List<Informer<?>> late = late(term.version());
    if (late.isEmpty()) {
      passed = term;
      asked = null;
      since = null;
      return true;
    }
    if (!term.equals(asked)) {
      asked = term;
      lateVersion = term.version();
      since = clock.now();
      var _ =
          CompletableFuture.allOf(
                  late.stream()
                      .map(informer -> informer.reach(term.version()))
                      .toArray(CompletableFuture<?>[]::new))
              .whenComplete((_, failure) -> answered(term, failure));
    }
    return false;
  }

  private List<Informer<?>> late(long version) {
    List<Informer<?>> late = new ArrayList<>(0);
    for (Informer<?> informer : caches.get()) {
      if (informer.snapshot().version() < version) {
        late.add(informer);
      }
    }
    return late;
  }

  private void answered(Term term, @Nullable Throwable failure) {
    try {
      if (failure == null) {
        loop.execute(reached);
      } else {
        var _ =
            loop.runLater(
                ASK_AGAIN_AFTER,
                () -> {
                  if (term.equals(asked)) {
                    asked = null;
                  }
                  reached.run();
                });
      }
    } catch (RejectedExecutionException e) {
      // It is closed: nobody waits for it.
    }
  }

  /** What it waits for; null if it does not. */
  public @Nullable LateView waiting() {
    Instant begun = since;
    if (begun == null) {
      return null;
    }
    List<Informer<?>> late = late(lateVersion);
    if (late.isEmpty()) {
      return null;
    }
    Informer<?> first = late.getFirst();
    return new LateView(
        null,
        LateView.version(first.kind().toString(), lateVersion, first.snapshot().version())
            + (late.size() == 1 ? "" : " (and " + (late.size() - 1) + " more kinds)")
            + ", with which the term began",
        begun);
  }
}
