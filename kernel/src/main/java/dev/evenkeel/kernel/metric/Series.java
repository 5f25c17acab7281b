package dev.evenkeel.kernel.metric;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * The data points of metrics whose labels come from users, such as kinds that are defined and
 * dropped again: each leaves its series behind, so they are bounded.
 *
 * <p><b>Invariants:</b> about {@code max} are told apart; what comes later is counted under a key
 * that says less.
 *
 * <p><b>Threading:</b> any.
 */
public final class Series<K, V> {

  private final int max;
  private final UnaryOperator<K> coarser;
  private final Function<K, V> points;
  private final Map<K, V> known = new ConcurrentHashMap<>();

  /**
   * @param coarser the same for many keys: what is left of a key when there are too many
   * @param points makes what counts for a key
   */
  public Series(int max, UnaryOperator<K> coarser, Function<K, V> points) {
    this.max = max;
    this.coarser = coarser;
    this.points = points;
  }

  /** What counts for a key. */
  public V of(K key) {
    V found = known.get(key);
    return found != null
        ? found
        : known.computeIfAbsent(known.size() < max ? key : coarser.apply(key), points);
  }
}
