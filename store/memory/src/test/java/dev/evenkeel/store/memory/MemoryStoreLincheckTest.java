package dev.evenkeel.store.memory;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.Clock;
import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.kernel.env.RealEnv;
import dev.evenkeel.store.GetResult;
import dev.evenkeel.store.KeyValue;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.Txn;
import dev.evenkeel.store.TxnResult;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;

/**
 * Lincheck searches for interleavings of real threads whose results no sequential order explains.
 * It knows nothing of revisions being the order: an opinion independent of the history checker's.
 */
@Param(name = "key", gen = IntGen.class, conf = "1:2")
@Param(name = "value", gen = IntGen.class, conf = "1:9")
public class MemoryStoreLincheckTest {

  private static final Env SHARED = new SharedLoops();

  private final Store store = MemoryStore.open(SHARED);

  /** Lincheck makes a store for every run and closes none: they share three threads. */
  private static final class SharedLoops implements Env {
    private final RealEnv real = new RealEnv();
    private final Map<String, Loop> loops = new ConcurrentHashMap<>();

    @Override
    public Clock clock() {
      return real.clock();
    }

    @Override
    public RandomGenerator random() {
      return real.random();
    }

    @Override
    public Loop loop(String name) {
      return loops.computeIfAbsent(name, real::loop);
    }
  }

  private static Bytes key(int key) {
    return Bytes.utf8("key" + key);
  }

  @Operation
  public String put(@Param(name = "key") int key, @Param(name = "value") int value) {
    return text(store.commit(Txn.put(key(key), Bytes.utf8("" + value))).join());
  }

  @Operation
  public String putIfAbsent(@Param(name = "key") int key, @Param(name = "value") int value) {
    return text(
        store
            .commit(Txn.builder().ifAbsent(key(key)).put(key(key), Bytes.utf8("" + value)).build())
            .join());
  }

  @Operation
  public String putBothIfVersion(@Param(name = "key") int key, @Param(name = "value") int value) {
    return text(
        store
            .commit(
                Txn.builder()
                    .ifVersion(key(key), 1)
                    .put(key(1), Bytes.utf8("" + value))
                    .put(key(2), Bytes.utf8("" + value))
                    .build())
            .join());
  }

  @Operation
  public String delete(@Param(name = "key") int key) {
    return text(store.commit(Txn.delete(key(key))).join());
  }

  @Operation
  public String get(@Param(name = "key") int key) {
    GetResult found = store.get(key(key), Store.NEWEST).join();
    KeyValue item = found.item();
    return found.revision() + ":" + item + (item == null ? "" : "=" + item.value());
  }

  private static String text(TxnResult result) {
    return result.toString();
  }

  @Test
  void linearizable_underStress() {
    new StressOptions()
        .iterations(30)
        .invocationsPerIteration(200)
        .threads(3)
        .actorsPerThread(3)
        .actorsBefore(2)
        .actorsAfter(1)
        .check(getClass());
  }
}
