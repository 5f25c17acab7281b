package dev.evenkeel.store;

import dev.evenkeel.kernel.bytes.Bytes;
import java.util.ArrayList;
import java.util.List;

/**
 * A transaction: if all comparisons hold, all writes happen, at one revision. A key may be compared
 * any number of times and written once.
 */
public record Txn(List<Compare> compares, List<Write> writes) {

  public Txn {
    compares = List.copyOf(compares);
    writes = List.copyOf(writes);
  }

  public static Txn put(Bytes key, Bytes value) {
    return new Txn(List.of(), List.of(new Write.Put(key, value)));
  }

  public static Txn delete(Bytes key) {
    return new Txn(List.of(), List.of(new Write.Delete(key)));
  }

  public static Builder builder() {
    return new Builder();
  }

  /** Collects a transaction: comparisons and writes in any order. */
  public static final class Builder {

    private final List<Compare> compares = new ArrayList<>();
    private final List<Write> writes = new ArrayList<>();

    private Builder() {}

    public Builder ifExists(Bytes key) {
      compares.add(new Compare.Exists(key));
      return this;
    }

    public Builder ifAbsent(Bytes key) {
      compares.add(new Compare.Absent(key));
      return this;
    }

    public Builder ifModRevision(Bytes key, long modRevision) {
      compares.add(new Compare.ModRevision(key, modRevision));
      return this;
    }

    public Builder ifVersion(Bytes key, long version) {
      compares.add(new Compare.Version(key, version));
      return this;
    }

    public Builder ifValue(Bytes key, Bytes value) {
      compares.add(new Compare.Value(key, value));
      return this;
    }

    public Builder put(Bytes key, Bytes value) {
      writes.add(new Write.Put(key, value));
      return this;
    }

    public Builder delete(Bytes key) {
      writes.add(new Write.Delete(key));
      return this;
    }

    public Txn build() {
      return new Txn(compares, writes);
    }
  }
}
