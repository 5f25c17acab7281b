package dev.evenkeel.store;

import dev.evenkeel.kernel.bytes.Bytes;
import java.util.HashSet;

/**
 * What an engine accepts, and the checks that go with it.
 *
 * @param keyBytesMax a key's length
 * @param requestBytesMax a transaction's keys and values, comparisons included, added up
 * @param operationsMax a transaction's comparisons, and likewise its writes
 */
public record StoreLimits(int keyBytesMax, int requestBytesMax, int operationsMax) {

  /** What an etcd with default settings takes; its request limit leaves room for the framing. */
  public static final StoreLimits ETCD_DEFAULTS = new StoreLimits(4096, 1_572_864 - 16 * 1024, 128);

  /** The local engines': room for the API's 3 MiB bodies and for wide transactions. */
  public static final StoreLimits LOCAL_DEFAULTS = new StoreLimits(4096, 8 << 20, 4096);

  /** Throws what is wrong with a transaction, whatever the store's state. */
  public void check(Txn txn) {
    checkCount("comparisons in a transaction", txn.compares().size());
    checkCount("writes in a transaction", txn.writes().size());
    long bytes = 0;
    for (Compare compare : txn.compares()) {
      checkKey(compare.key());
      bytes += compare.key().length();
      switch (compare) {
        case Compare.ModRevision c -> checkNotNegative("mod revision", c.modRevision());
        case Compare.Version c -> checkNotNegative("version", c.version());
        case Compare.Value c -> bytes += c.value().length();
        case Compare.Exists _, Compare.Absent _ -> {}
      }
    }
    var written = HashSet.<Bytes>newHashSet(txn.writes().size());
    for (Write write : txn.writes()) {
      checkKey(write.key());
      bytes += write.key().length();
      if (write instanceof Write.Put put) {
        bytes += put.value().length();
      }
      if (!written.add(write.key())) {
        throw new StoreException.InvalidRequest(
            "the transaction writes key " + write.key() + " twice; write each key once");
      }
    }
    if (bytes > requestBytesMax) {
      throw new StoreException.TooLarge("bytes in a transaction", bytes, requestBytesMax);
    }
  }

  /** Throws if the key is empty or too long. */
  public void checkKey(Bytes key) {
    if (key.isEmpty()) {
      throw new StoreException.InvalidRequest("the key is empty; a key has at least one byte");
    }
    checkKeyLength(key);
  }

  /** Throws what is wrong with a range, whatever the store's state. */
  public void check(RangeQuery query) {
    checkKeyLength(query.prefix());
    checkKeyLength(query.start());
    checkNotNegative("limit", query.limit());
    checkRevision(query.revision());
  }

  /** Throws what is wrong with a watch, whatever the store's state. */
  public void check(WatchQuery query) {
    checkKeyLength(query.prefix());
    if (query.fromRevision() < 1) {
      throw new StoreException.InvalidRequest(
          "a watch from revision "
              + query.fromRevision()
              + "; watch from 1 or later, after a read at revision R from R + 1");
    }
  }

  /** Throws if the revision to read is negative. */
  public void checkRevision(long revision) {
    checkNotNegative("revision", revision);
  }

  private void checkKeyLength(Bytes key) {
    if (key.length() > keyBytesMax) {
      throw new StoreException.TooLarge("bytes in a key", key.length(), keyBytesMax);
    }
  }

  private void checkCount(String what, int count) {
    if (count > operationsMax) {
      throw new StoreException.TooLarge(what, count, operationsMax);
    }
  }

  private static void checkNotNegative(String what, long value) {
    if (value < 0) {
      throw new StoreException.InvalidRequest("the " + what + " " + value + " is negative");
    }
  }
}
