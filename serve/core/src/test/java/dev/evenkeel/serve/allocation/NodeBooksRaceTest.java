package dev.evenkeel.serve.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.kernel.env.RealEnv;
import dev.evenkeel.kernel.fit.Demand;
import dev.evenkeel.kernel.fit.NodeLedger;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.Txn;
import dev.evenkeel.store.TxnResult;
import dev.evenkeel.store.memory.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class NodeBooksRaceTest {

  private static final int WRITES = 20_000;
  private static final List<String> NODES = List.of("a", "b", "c", "d");

  @Test
  void writesOfTheSameNodesInOppositeOrder_doNotHoldEachOtherUp() throws Exception {
    var env = new RealEnv();
    // Closed when all went well: one that is held up cannot be closed.
    Loop one = env.loop("one");
    Loop other = env.loop("other");
    try (Store store = MemoryStore.open(env);
        Loop counting = env.loop("counting")) {
      for (String node : NODES) {
        var ledger = new NodeLedger(node, true, "", new TreeMap<>(), new TreeMap<>(), List.of());
        var _ = store.commit(Txn.put(NodeBooks.key(node), Bytes.wrap(ledger.encode()))).get();
      }
      var books = new NodeBooks(store, counting, () -> null);
      CompletableFuture<Integer> first = charge(books, one, NODES);
      CompletableFuture<Integer> second = charge(books, other, NODES.reversed());
      // If each had what the other waits for, neither would come back.
      assertThat(first.get(60, TimeUnit.SECONDS)).isEqualTo(WRITES);
      assertThat(second.get(60, TimeUnit.SECONDS)).isEqualTo(WRITES);
      assertThat(books.charges()).isEqualTo(2L * WRITES * NODES.size());
      one.close();
      other.close();
    }
  }

  /** Charges all nodes again and again, with a store that agrees to everything. */
  private static CompletableFuture<Integer> charge(NodeBooks books, Loop loop, List<String> nodes) {
    var cpu = new TreeMap<String, Long>();
    cpu.put("cpu", 1L);
    List<PodChange> changes = new ArrayList<>();
    for (String node : nodes) {
      changes.add(
          new PodChange(node, "default", "p", Demand.NONE, new Demand(cpu, List.of()), true, ""));
    }
    var random = new SplittableRandom(nodes.hashCode());
    var done = new CompletableFuture<Integer>();
    loop.execute(
        () -> {
          int written = 0;
          for (int i = 0; i < WRITES; i++) {
            TxnResult result =
                books
                    .commit(
                        changes,
                        Txn.builder().build(),
                        _ -> CompletableFuture.completedFuture(new TxnResult.Committed(1, true)))
                    .join();
            // Both must be about to take locks at a time, not wait for each other in turn.
            for (int pause = random.nextInt(3_000); pause > 0; pause--) {
              Thread.onSpinWait();
            }
            written += result instanceof TxnResult.Committed ? 1 : 0;
          }
          done.complete(written);
        });
    return done;
  }
}
