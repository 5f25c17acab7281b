package dev.evenkeel.decide.queue;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A list whose links are in its elements: anything can leave from the middle at once, and an
 * element costs two references. An element is in one chain at a time.
 *
 * <p><b>Threading:</b> its owner's.
 */
final class Chain<L extends Chain.Link<L>> {

  /** What an element must have. */
  abstract static class Link<L extends Link<L>> {
    @Nullable L previous;
    @Nullable L next;
  }

  private @Nullable L first;
  private @Nullable L last;
  private int size;

  int size() {
    return size;
  }

  boolean isEmpty() {
    return size == 0;
  }

  @Nullable L first() {
    return first;
  }

  void addLast(L link) {
    link.previous = last;
    link.next = null;
    if (last == null) {
      first = link;
    } else {
      last.next = link;
    }
    last = link;
    size++;
  }

  L removeFirst() {
    L link = Objects.requireNonNull(first);
    remove(link);
    return link;
  }

  void remove(L link) {
    L before = link.previous;
    L after = link.next;
    if (before == null) {
      first = after;
    } else {
      before.next = after;
    }
    if (after == null) {
      last = before;
    } else {
      after.previous = before;
    }
    link.previous = null;
    link.next = null;
    size--;
  }

  void moveLast(L link) {
    remove(link);
    addLast(link);
  }
}
