package dev.evenkeel.kernel.schema;

import org.jspecify.annotations.Nullable;

/**
 * How a strategic merge patch treats a field.
 *
 * @param merge for a list: merge its items instead of replacing it
 * @param retainKeys for an object: keys that the patch's {@code $retainKeys} does not name go away
 * @param key for a merged list of objects: the field that tells items apart; null for a list of
 *     scalars
 * @param replacesObject for an object: the patch's value takes the place of the old one, where
 *     objects are otherwise merged
 */
public record MergeStrategy(
    boolean merge, boolean retainKeys, @Nullable String key, boolean replacesObject) {

  /** What most fields have: lists are replaced, objects merged. */
  public static final MergeStrategy REPLACE = new MergeStrategy(false, false, null);

  /** For the few objects that upstream marks with the strategy {@code replace}. */
  public static final MergeStrategy REPLACE_WHOLE = new MergeStrategy(false, false, null, true);

  public MergeStrategy(boolean merge, boolean retainKeys, @Nullable String key) {
    this(merge, retainKeys, key, false);
  }
}
