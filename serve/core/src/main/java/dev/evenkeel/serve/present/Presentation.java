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

  byte[] COMMA = ",".getBytes(StandardCharsets.US_ASCII);
  byte[] END = "]}\n".getBytes(StandardCharsets.US_ASCII);

  /** The object as an item of a list; for most the same as alone. */
  default byte[] item(CachedObject object) {
    return encode(object);
  }

  /** Everything of a list before its first item. */
  byte[] listHead(ListMeta meta);

  /** Everything of a list after its last item. */
  default byte[] listTail() {
    return END;
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
