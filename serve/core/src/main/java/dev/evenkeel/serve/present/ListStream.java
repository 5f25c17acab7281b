package dev.evenkeel.serve.present;

import dev.evenkeel.kernel.tree.SortedTree;
import dev.evenkeel.serve.api.BodyStream;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.cache.Scope;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A list as it is sent: head, items, tail. It holds a position in a state that nobody changes, so
 * twenty large lists at once cost no more than their buffers.
 *
 * <p>A list that must say how long it is is gone through twice. What the first time made is held up
 * to a limit; of longer lists the rest is made again, because the whole may be larger than memory.
 *
 * <p><b>Threading:</b> pulled by one thread at a time.
 */
public final class ListStream implements BodyStream {

  /** How many objects that do not match are passed over in one pull. */
  private static final int SKIPPED_MAX = 20_000;

  /** How much is measured in one pull: others wait for the thread. */
  private static final int MEASURED_BYTES_MAX = 128 << 10;

  /** How much of what was measured is held until it is sent. */
  private static final int HELD_BYTES_MAX = 1 << 20;

  private final Presentation presentation;
  private final Presentation.ListMeta meta;
  private final Items items;
  private final @Nullable Measure measure;
  private boolean begun;
  private boolean first = true;
  private boolean over;

  /** Where a list's objects come from. */
  private interface Items {
    /** The next object, null at the end. */
    @Nullable CachedObject next();

    boolean matches(CachedObject object);
  }

  /** The first time through a list that says how long it is. */
  private static final class Measure {
    private final Items items;
    private final ArrayDeque<byte[]> held = new ArrayDeque<>();
    private long heldBytes;
    private long itemsBytes;
    private boolean over;

    Measure(Items items) {
      this.items = items;
    }

    void go(Presentation presentation) {
      int measured = 0;
      for (int skipped = 0; measured < MEASURED_BYTES_MAX && skipped < SKIPPED_MAX; ) {
        CachedObject object = items.next();
        if (object == null) {
          over = true;
          return;
        }
        if (items.matches(object)) {
          measured += add(presentation, presentation.item(object));
        } else {
          skipped++;
        }
      }
    }

    private int add(Presentation presentation, byte[] item) {
      // Once one was not held, none after it is: they are taken in order.
      heldBytes += item.length;
      if (heldBytes <= HELD_BYTES_MAX) {
        held.add(item);
      }
      int bytes = item.length + presentation.itemHead(itemsBytes == 0, item.length).length;
      itemsBytes += bytes;
      return bytes;
    }
  }

  private ListStream(Presentation presentation, Presentation.ListMeta meta, Supplier<Items> items) {
    this.presentation = presentation;
    this.meta = meta;
    this.items = items.get();
    this.measure = presentation.measuresLists() ? new Measure(items.get()) : null;
  }

  /** All objects of a scope. */
  public static ListStream of(
      Presentation presentation,
      Presentation.ListMeta meta,
      SortedTree<CachedObject> tree,
      Scope scope) {
    return new ListStream(presentation, meta, () -> of(tree, scope));
  }

  private static Items of(SortedTree<CachedObject> tree, Scope scope) {
    SortedTree.Walk<CachedObject> walk = tree.from(scope.firstKey());
    return new Items() {
      @Override
      public @Nullable CachedObject next() {
        CachedObject object = walk.next();
        return object == null || scope.isPast(object) ? null : object;
      }

      @Override
      public boolean matches(CachedObject object) {
        return !scope.isFiltered() || scope.matches(object);
      }
    };
  }

  /** The given objects. */
  public static ListStream of(
      Presentation presentation, Presentation.ListMeta meta, List<CachedObject> objects) {
    return new ListStream(presentation, meta, () -> of(objects));
  }

  private static Items of(List<CachedObject> objects) {
    Iterator<CachedObject> iterator = objects.iterator();
    return new Items() {
      @Override
      public @Nullable CachedObject next() {
        return iterator.hasNext() ? iterator.next() : null;
      }

      @Override
      public boolean matches(CachedObject object) {
        return true;
      }
    };
  }

  @Override
  public Pull pull(Sink sink, int bytesMax) {
    if (over) {
      return Pull.END;
    }
    if (measure != null && !measure.over) {
      measure.go(presentation);
      return Pull.MORE;
    }
    int written = 0;
    if (!begun) {
      begun = true;
      byte[] head = presentation.listHead(meta, measure == null ? 0 : measure.itemsBytes);
      sink.piece(head, Presentation.NOTHING, Presentation.NOTHING);
      written += head.length;
    }
    for (int skipped = 0; written < bytesMax && skipped < SKIPPED_MAX; ) {
      CachedObject object = items.next();
      if (object == null) {
        over = true;
        sink.piece(presentation.listTail(), Presentation.NOTHING, Presentation.NOTHING);
        return Pull.END;
      }
      if (items.matches(object)) {
        byte[] item = item(object);
        byte[] before = presentation.itemHead(first, item.length);
        sink.piece(before, item, Presentation.NOTHING);
        first = false;
        written += before.length + item.length;
      } else {
        skipped++;
      }
    }
    return Pull.MORE;
  }

  private byte[] item(CachedObject object) {
    byte[] held = measure == null ? null : measure.held.poll();
    return held == null ? presentation.item(object) : held;
  }

  /** Never waits, so there is nothing to tell. */
  @Override
  public void onReady(Runnable listener) {
    listener.run();
  }

  @Override
  public void close() {
    over = true;
  }

  /** The whole as bytes: for what must be turned into another format. */
  public byte[] collect() {
    var bytes = new java.io.ByteArrayOutputStream();
    Sink sink =
        (a, b, c) -> {
          bytes.writeBytes(a);
          bytes.writeBytes(b);
          bytes.writeBytes(c);
        };
    while (pull(sink, 1 << 20) != Pull.END) {}
    return bytes.toByteArray();
  }
}
