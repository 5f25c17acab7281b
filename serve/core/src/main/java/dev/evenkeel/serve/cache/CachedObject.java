package dev.evenkeel.serve.cache;

import dev.evenkeel.kernel.tree.Keyed;
import java.util.AbstractMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One version of an object: its bytes as served, and the little that selectors and indexes look at.
 *
 * <p><b>Threading:</b> immutable, but for {@link #shared}, which whoever comes first fills in.
 */
public final class CachedObject implements Keyed {

  static final String[] NONE = new String[0];

  /**
   * Heap bytes beside the JSON: this object, its key, its array's header, its place in the tree.
   */
  private static final int OVERHEAD_BYTES = 120;

  private final String key;
  private final long revision;
  private final byte[] json;
  private final String[] labels;
  private final @Nullable String[] fields;
  private volatile @Nullable Shared shared;

  CachedObject(String key, long revision, byte[] json, String[] labels, @Nullable String[] fields) {
    this.key = key;
    this.revision = revision;
    this.json = json;
    this.labels = labels;
    this.fields = fields;
  }

  /** {@code namespace/name}, or the name alone where the kind has no namespaces. */
  @Override
  public String key() {
    return key;
  }

  public String name() {
    return key.substring(key.indexOf('/') + 1);
  }

  public String namespace() {
    return key.substring(0, Math.max(0, key.indexOf('/')));
  }

  public long revision() {
    return revision;
  }

  /** The object with its version. Nobody may change the array. */
  public byte[] json() {
    return json;
  }

  public Map<String, String> labels() {
    return labels.length == 0 ? Map.of() : new Pairs(labels);
  }

  /** The value of an indexed field by its place in the kind's list; empty if it has none. */
  public String field(int index) {
    String value = fields[index];
    return value == null ? "" : value;
  }

  /** The same state at another revision: that of its deletion. */
  CachedObject at(long otherRevision, byte[] otherJson) {
    return new CachedObject(key, otherRevision, otherJson, labels, fields);
  }

  /** What it holds in memory, about. */
  public int memoryBytes() {
    int bytes = OVERHEAD_BYTES + json.length;
    for (int i = 1; i < labels.length; i += 2) {
      bytes += 40 + labels[i].length();
    }
    for (String field : fields) {
      bytes += field == null ? 4 : 44 + field.length();
    }
    return bytes;
  }

  /**
   * Another representation of the same version (a table's row, metadata only, another version of
   * the API), made once and shared. Kept for as long as the object is, so only watches ask for it.
   */
  byte[] representation(Representation wanted) {
    for (Shared one = shared; one != null; one = one.next) {
      if (one.representation.equals(wanted)) {
        return one.bytes;
      }
    }
    byte[] bytes = wanted.encode(this);
    // Two who come at once may both make it: the later replaces nothing, the bytes are the same.
    shared = new Shared(wanted, bytes, shared);
    return bytes;
  }

  private static final class Shared {
    private final Representation representation;
    private final byte[] bytes;
    private final @Nullable Shared next;

    Shared(Representation representation, byte[] bytes, @Nullable Shared next) {
      this.representation = representation;
      this.bytes = bytes;
      this.next = next;
    }
  }

  /** A few pairs as a map: looking one up is a short walk and copies nothing. */
  private static final class Pairs extends AbstractMap<String, String> {
    private final String[] pairs;

    Pairs(String[] pairs) {
      this.pairs = pairs;
    }

    @Override
    public @Nullable String get(@Nullable Object key) {
      for (int i = 0; i < pairs.length; i += 2) {
        if (pairs[i].equals(key)) {
          return pairs[i + 1];
        }
      }
      return null;
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
      return get(key) != null;
    }

    @Override
    public Set<Entry<String, String>> entrySet() {
      Map<String, String> map = LinkedHashMap.newLinkedHashMap(pairs.length / 2);
      for (int i = 0; i < pairs.length; i += 2) {
        map.put(pairs[i], pairs[i + 1]);
      }
      return map.entrySet();
    }
  }
}
