package dev.evenkeel.store.testkit.history;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.store.Compare;
import dev.evenkeel.store.GetResult;
import dev.evenkeel.store.KeyValue;
import dev.evenkeel.store.RangeQuery;
import dev.evenkeel.store.RangeResult;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.StoreException;
import dev.evenkeel.store.Txn;
import dev.evenkeel.store.TxnResult;
import dev.evenkeel.store.Write;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A client that asks at random: few keys, so that clients meet; conditions mostly taken from what
 * it last read, so that some hold and some fail; every value written is unique.
 */
final class RandomClient {

  private static final int GROUPS = 3;
  private static final int KEYS_PER_GROUP = 4;
  private static final long RETRY_MILLIS = 5;

  private final String name;
  private final Bytes prefix;
  private final RecordingClient client;
  private final Random random;
  private final Map<Bytes, KeyValue> lastRead = new HashMap<>();
  private final List<Long> revisions = new ArrayList<>();
  private int values;

  RandomClient(
      String name, Bytes prefix, RecordingClient client, long startRevision, Random random) {
    this.name = name;
    this.prefix = prefix;
    this.client = client;
    this.random = random;
    revisions.add(startRevision);
  }

  void run(int operations, BooleanSupplier stopped) {
    for (int i = 0; i < operations && !stopped.getAsBoolean(); i++) {
      Outcome outcome = askSomething();
      learn(outcome);
      if (outcome instanceof Outcome.Failed(StoreException reason)
          && (reason instanceof StoreException.Unavailable
              || reason instanceof StoreException.Closed)) {
        // The store is away: do not use up all operations before it is back.
        Pause.millis(RETRY_MILLIS);
      }
    }
  }

  private Outcome askSomething() {
    int dice = random.nextInt(100);
    if (dice < 15) {
      return client.commit(Txn.put(someKey(), newValue()));
    } else if (dice < 23) {
      return client.commit(Txn.delete(someKey()));
    } else if (dice < 38) {
      return client.commit(new Txn(List.of(), someWrites()));
    } else if (dice < 60) {
      return client.commit(new Txn(someCompares(), someWrites()));
    } else if (dice < 63) {
      return client.commit(new Txn(someCompares(), List.of()));
    } else if (dice < 75) {
      return client.get(someKey(), Store.NEWEST);
    } else if (dice < 82) {
      return client.get(someKey(), someRevision());
    } else if (dice < 92) {
      return client.range(someRange());
    } else if (dice < 97) {
      return client.range(someRange().at(someRevision()));
    } else {
      return client.currentRevision();
    }
  }

  private void learn(Outcome outcome) {
    switch (outcome) {
      case Outcome.Got(GetResult result) -> {
        revisions.add(result.revision());
        if (result.item() != null) {
          lastRead.put(result.item().key(), result.item());
        }
      }
      case Outcome.Ranged(RangeResult result) -> {
        revisions.add(result.revision());
        result.items().forEach(item -> lastRead.put(item.key(), item));
      }
      case Outcome.Decided(TxnResult.Rejected result) -> {
        for (TxnResult.Failure failure : result.failures()) {
          if (failure.current() == null) {
            lastRead.remove(failure.compare().key());
          } else {
            lastRead.put(failure.compare().key(), failure.current());
          }
        }
      }
      case Outcome.Decided(TxnResult.Committed result) -> revisions.add(result.revision());
      case Outcome.Revision(long revision) -> revisions.add(revision);
      case Outcome.Failed _, Outcome.Unknown _, Outcome.Broken _ -> {}
    }
  }

  private List<Write> someWrites() {
    var writes = new ArrayList<Write>();
    for (Bytes key : someKeys()) {
      writes.add(random.nextInt(4) == 0 ? new Write.Delete(key) : new Write.Put(key, newValue()));
    }
    return writes;
  }

  private List<Compare> someCompares() {
    var compares = new ArrayList<Compare>();
    for (Bytes key : someKeys()) {
      compares.add(someCompare(key, lastRead.get(key)));
    }
    return compares;
  }

  private Compare someCompare(Bytes key, @Nullable KeyValue last) {
    return switch (random.nextInt(5)) {
      case 0 -> new Compare.Exists(key);
      case 1 -> new Compare.Absent(key);
      case 2 -> new Compare.Version(key, last == null ? 0 : last.version());
      case 3 -> last == null ? new Compare.Absent(key) : new Compare.Value(key, last.value());
      default -> new Compare.ModRevision(key, last == null ? 0 : last.modRevision());
    };
  }

  private List<Bytes> someKeys() {
    var keys = new ArrayList<Bytes>();
    for (int group = 0; group < GROUPS; group++) {
      for (int number = 0; number < KEYS_PER_GROUP; number++) {
        keys.add(key(group, number));
      }
    }
    Collections.shuffle(keys, random);
    return keys.subList(0, 1 + random.nextInt(3));
  }

  private Bytes someKey() {
    return key(random.nextInt(GROUPS), random.nextInt(KEYS_PER_GROUP));
  }

  private RangeQuery someRange() {
    RangeQuery query =
        RangeQuery.prefix(random.nextBoolean() ? prefix : group(prefix, random.nextInt(GROUPS)));
    query = random.nextInt(3) == 0 ? query.startingAt(someKey()) : query;
    query = random.nextInt(3) == 0 ? query.limit(1 + random.nextInt(4)) : query;
    return switch (random.nextInt(6)) {
      case 0 -> query.keysOnly();
      case 1 -> query.countOnly();
      default -> query;
    };
  }

  private long someRevision() {
    return revisions.get(random.nextInt(revisions.size()));
  }

  private Bytes newValue() {
    return Bytes.utf8(name + "-" + values++);
  }

  private Bytes key(int group, int number) {
    return Bytes.utf8(group(prefix, group).utf8() + number);
  }

  static Bytes group(Bytes prefix, int group) {
    return Bytes.utf8(prefix.utf8() + (char) ('a' + group % GROUPS) + "/");
  }
}
