package dev.evenkeel.serve.present;

import dev.evenkeel.serve.cache.Bookmark;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.cache.Representation;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * One way to show objects of a kind. There is one instance for each way and kind, so that instances
 * can be compared by identity and what one watcher made serves all.
 */
public interface Presentation extends Representation {

  byte[] NOTHING = new byte[0];
  byte[] COMMA = ",".getBytes(StandardCharsets.US_ASCII);
  byte[] END = "]}\n".getBytes(StandardCharsets.US_ASCII);

  /** The object as an item of a list; for most the same as alone. */
  default byte[] item(CachedObject object) {
    return encode(object);
  }

  /** What stands before an item of a list. */
  default byte[] itemHead(boolean first, int itemBytes) {
    return first ? NOTHING : COMMA;
  }

  /**
   * Everything of a list before its first item.
   *
   * @param itemsBytes all items with what stands before each, if {@link #measuresLists}, else 0
   */
  byte[] listHead(ListMeta meta, long itemsBytes);

  /** Everything of a list after its last item. */
  default byte[] listTail() {
    return END;
  }

  /** Whether a list says at its beginning how long it is. */
  default boolean measuresLists() {
    return false;
  }

  /** Whether it is JSON, from which other formats can be made. */
  default boolean isJson() {
    return true;
  }

  @Override
  byte[] bookmark(Bookmark bookmark);

  /**
   * A list's metadata.
   *
   * @param continueToken null at the end
   * @param remaining how many follow, -1 if that is not known
   */
  record ListMeta(long revision, @Nullable String continueToken, long remaining) {

    String json() {
      if (revision == 0) {
        // What is not stored has no version.
        return "{}";
      }
      var json = new StringBuilder("{\"resourceVersion\":\"").append(revision).append('"');
      if (continueToken != null) {
        json.append(",\"continue\":\"").append(continueToken).append('"');
        if (remaining >= 0) {
          json.append(",\"remainingItemCount\":").append(remaining);
        }
      }
      return json.append('}').toString();
    }
  }
}
