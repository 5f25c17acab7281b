package dev.evenkeel.kernel.schema;

import org.jspecify.annotations.Nullable;

/**
 * How a strategic merge patch treats a field.
 *
 * @param merge for a list: merge its items instead of replacing it
 * @param retainKeys for an object: keys that the patch's {@code $retainKeys} does not name go away
 * @param key for a merged list of objects: the field that tells items apart; null for a list of
 *     scalars
 */
public record MergeStrategy(boolean merge, boolean retainKeys, @Nullable String key) {

  public static final MergeStrategy REPLACE = new MergeStrategy(false, false, null);
}
