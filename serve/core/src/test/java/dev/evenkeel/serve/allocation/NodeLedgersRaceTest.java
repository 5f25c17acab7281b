package dev.evenkeel.serve.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.kernel.env.RealEnv;
import dev.evenkeel.kernel.fit.Demand;
import dev.evenkeel.kernel.fit.NodeLedger;
import dev.evenkeel.serve.ledger.Postings;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.Txn;
import dev.evenkeel.store.TxnResult;
import dev.evenkeel.store.memory.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Writers on threads of their own that charge the same nodes, in opposite order: all of their
 * charges are made, and once.
 */
class NodeLedgersRaceTest {

  private static final int WRITES = 5_000;
  private static final List<String> NODES = List.of("a", "b", "c", "d");

  @Test
  void writesOfTheSameNodesInOppositeOrder_areAllCharged() throws Exception {
    var env = new RealEnv();
    // Closed when all went well: one that is held up cannot be closed.
    Loop one = env.loop("one");
    Loop other = env.loop("other");
    try (Store store = MemoryStore.open(env);
        Loop owner = env.loop("ledgers")) {
      for (String node : NODES) {
        var ledger = new NodeLedger(node, true, "", new TreeMap<>(), new TreeMap<>(), List.of());
        var _ = store.commit(Txn.put(key(node), Bytes.wrap(ledger.encode()))).get();
      }
      var postings = new Postings(store, owner);
      var ledgers = new NodeLedgers(store, postings, owner, () -> null, () -> null);
      CompletableFuture<Integer> first = charge(postings, ledgers, one, NODES);
      CompletableFuture<Integer> second = charge(postings, ledgers, other, NODES.reversed());
      assertThat(first.get(60, TimeUnit.SECONDS)).isEqualTo(WRITES);
      assertThat(second.get(60, TimeUnit.SECONDS)).isEqualTo(WRITES);
      for (String node : NODES) {
        var found = Objects.requireNonNull(store.get(key(node), Store.NEWEST).get().item());
        NodeLedger ledger = Objects.requireNonNull(NodeLedger.parse(found.value().array()));
        assertThat(ledger.used()).containsEntry("cpu", 2L * WRITES);
      }
      one.close();
      other.close();
    }
  }

  private static Bytes key(String node) {
    return Bytes.utf8("/evenkeel/nodes/ledgers/" + node);
  }

  /** Charges all nodes again and again, without waiting for the store. */
  private static CompletableFuture<Integer> charge(
      Postings postings, NodeLedgers ledgers, Loop loop, List<String> nodes) {
    var cpu = new TreeMap<String, Long>();
    cpu.put("cpu", 1L);
    List<PodChange> changes = new ArrayList<>();
    for (String node : nodes) {
      changes.add(
          new PodChange(node, "default", "p", Demand.NONE, new Demand(cpu, List.of()), true, ""));
    }
    var done = new CompletableFuture<Integer>();
    loop.execute(
        () -> {
          List<CompletableFuture<TxnResult>> answers = new ArrayList<>(WRITES);
          for (int i = 0; i < WRITES; i++) {
            answers.add(postings.commit(Txn.builder().build(), List.of(ledgers.bill(changes))));
          }
          int written = 0;
          for (CompletableFuture<TxnResult> answer : answers) {
            written += answer.join() instanceof TxnResult.Committed ? 1 : 0;
          }
          done.complete(written);
        });
    return done;
  }
}
