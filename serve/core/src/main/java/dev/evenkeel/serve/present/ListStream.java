package dev.evenkeel.serve.present;

import dev.evenkeel.serve.api.BodyStream;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.cache.ObjectTree;
import dev.evenkeel.serve.cache.Scope;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A list as it is sent: head, items, tail. It holds a position in a state that nobody changes, so
 * twenty large lists at once cost no more than their buffers.
 *
 * <p><b>Threading:</b> pulled by one thread at a time.
 */
public final class ListStream implements BodyStream {

  private static final byte[] NOTHING = new byte[0];

  /** How many objects that do not match are passed over in one pull. */
  private static final int SKIPPED_MAX = 20_000;

  private final Presentation presentation;
  private final byte[] head;
  private final Items items;
  private boolean begun;
  private boolean first = true;
  private boolean over;

  /** Where a list's objects come from. */
  private interface Items {
    /** The next object, null at the end. */
    @Nullable CachedObject next();

    boolean matches(CachedObject object);
  }

  private ListStream(Presentation presentation, byte[] head, Items items) {
    this.presentation = presentation;
    this.head = head;
    this.items = items;
  }

  /** All objects of a scope. */
  public static ListStream of(
      Presentation presentation, Presentation.ListMeta meta, ObjectTree tree, Scope scope) {
    ObjectTree.Walk walk = tree.from(scope.firstKey());
    return new ListStream(
        presentation,
        presentation.listHead(meta),
        new Items() {
          @Override
          public @Nullable CachedObject next() {
            CachedObject object = walk.next();
            return object == null || scope.isPast(object) ? null : object;
          }

          @Override
          public boolean matches(CachedObject object) {
            return !scope.isFiltered() || scope.matches(object);
          }
        });
  }

  /** The given objects. */
  public static ListStream of(
      Presentation presentation, Presentation.ListMeta meta, List<CachedObject> objects) {
    Iterator<CachedObject> iterator = objects.iterator();
    return new ListStream(
        presentation,
        presentation.listHead(meta),
        new Items() {
          @Override
          public @Nullable CachedObject next() {
            return iterator.hasNext() ? iterator.next() : null;
          }

          @Override
          public boolean matches(CachedObject object) {
            return true;
          }
        });
  }

  @Override
  public Pull pull(Sink sink, int bytesMax) {
    if (over) {
      return Pull.END;
    }
    int written = 0;
    if (!begun) {
      begun = true;
      sink.piece(head, NOTHING, NOTHING);
      written += head.length;
    }
    for (int skipped = 0; written < bytesMax && skipped < SKIPPED_MAX; ) {
      CachedObject object = items.next();
      if (object == null) {
        over = true;
        sink.piece(presentation.listTail(), NOTHING, NOTHING);
        return Pull.END;
      }
      if (items.matches(object)) {
        byte[] item = presentation.item(object);
        sink.piece(first ? NOTHING : Presentation.COMMA, item, NOTHING);
        first = false;
        written += item.length + 1;
      } else {
        skipped++;
      }
    }
    return Pull.MORE;
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
