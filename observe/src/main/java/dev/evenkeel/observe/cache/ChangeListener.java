package dev.evenkeel.observe.cache;

/**
 * Is told every change, once and in order, on the informer's loop: it must not block. The
 * informer's snapshot already shows the change, and perhaps later ones of the same relist.
 */
public interface ChangeListener<T> {
  void changed(Change<T> change);
}
