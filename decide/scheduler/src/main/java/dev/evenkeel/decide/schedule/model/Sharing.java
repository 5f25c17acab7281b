package dev.evenkeel.decide.schedule.model;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Has many pods share what they have in common: of ten thousand pods of one template each would
 * otherwise hold its own copy of what it asks for.
 *
 * <p><b>Threading</b>: of its owner's thread.
 */
public final class Sharing {

  /** Of each sort so many are remembered; what was not met for longest goes. */
  static final int REMEMBERED_MAX = 4_096;

  private final Map<Shape, Shape> shapes = bounded();
  private final Map<Map<String, String>, Map<String, String>> labels = bounded();
  private final Map<PodTerms, PodTerms> terms = bounded();

  private static <T> Map<T, T> bounded() {
    return new LinkedHashMap<>(16, 0.75f, true) {
      @Override
      protected boolean removeEldestEntry(Map.Entry<T, T> eldest) {
        return size() > REMEMBERED_MAX;
      }
    };
  }

  /** The same pod, bound: where it is matters no more for where it may go. */
  public PodInfo bound(PodInfo pod) {
    return pod.sharing(
        one(shapes, pod.shape().anywhere()), one(labels, pod.labels()), one(terms, pod.terms()));
  }

  private static <T> T one(Map<T, T> known, T given) {
    T before = known.putIfAbsent(given, given);
    return before == null ? given : before;
  }
}
