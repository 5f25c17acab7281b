package dev.evenkeel.serve.describe;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.serve.resource.ResourceTable;
import dev.evenkeel.serve.resource.Served;
import java.lang.ref.SoftReference;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Something that is made from what is served: when it is first asked for, and anew when what is
 * served has changed.
 *
 * <p>Invariants: what is given out was made from the table as it was when it was asked for, or
 * later; it is made once at a time. Threading: any.
 */
/*
 * Most servers are never asked, so it costs them nothing: a thread makes it and ends, and it is
 * forgotten when memory is short. Making takes too long for the threads that serve connections.
 * Whoever asks for a newer table than the one at work waits for it to end, and then shares the next:
 * while many kinds are defined there is never more than one maker, and it begins with what the last
 * one made.
 */
final class CachedDocument<T> {

  /** Makes it. */
  interface Maker<T> {

    /**
     * @param before what was made from an earlier table, null if nothing was or it is forgotten
     */
    T make(List<Served> table, @Nullable T before);
  }

  private final Env env;
  private final ResourceTable resources;
  private final Maker<T> maker;

  @GuardedBy("this")
  private SoftReference<@Nullable Made<T>> made = new SoftReference<>(null);

  @GuardedBy("this")
  private @Nullable Making<T> making;

  /** For those who came too late for the making. */
  @GuardedBy("this")
  private @Nullable CompletableFuture<T> next;

  private record Made<T>(List<Served> table, T value) {}

  private static final class Making<T> {

    private final List<Served> table;
    private final CompletableFuture<T> value;

    Making(List<Served> table, CompletableFuture<T> value) {
      this.table = table;
      this.value = value;
    }
  }

  CachedDocument(Env env, ResourceTable resources, Maker<T> maker) {
    this.env = env;
    this.resources = resources;
    this.maker = maker;
  }

  synchronized CompletableFuture<T> current() {
    List<Served> table = resources.all();
    Made<T> known = made.get();
    if (known != null && known.table.equals(table)) {
      return CompletableFuture.completedFuture(known.value);
    }
    if (making == null) {
      return start(new Making<>(table, new CompletableFuture<>()), known);
    }
    if (making.table.equals(table)) {
      return making.value;
    }
    if (next == null) {
      next = new CompletableFuture<>();
    }
    return next;
  }

  @GuardedBy("this")
  private CompletableFuture<T> start(Making<T> started, @Nullable Made<T> known) {
    making = started;
    Loop loop = env.loop("openapi");
    loop.execute(
        () -> {
          make(started, known == null ? null : known.value);
          loop.close();
        });
    return started.value;
  }

  private void make(Making<T> started, @Nullable T before) {
    try {
      T value = maker.make(started.table, before);
      ended(new Made<>(started.table, value));
      started.value.complete(value);
    } catch (RuntimeException | Error e) {
      ended(null);
      started.value.completeExceptionally(e);
    }
  }

  private synchronized void ended(@Nullable Made<T> result) {
    making = null;
    made = new SoftReference<>(result);
    CompletableFuture<T> waiting = next;
    next = null;
    if (waiting != null) {
      var _ = start(new Making<>(resources.all(), waiting), result);
    }
  }
}
