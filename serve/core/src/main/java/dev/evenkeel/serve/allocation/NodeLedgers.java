package dev.evenkeel.serve.allocation;

import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.kernel.fit.NodeLedger;
import dev.evenkeel.serve.cache.KindCache;
import dev.evenkeel.serve.ledger.Bill;
import dev.evenkeel.serve.ledger.Charge;
import dev.evenkeel.serve.ledger.LedgerState;
import dev.evenkeel.serve.ledger.Ledgers;
import dev.evenkeel.serve.ledger.Postings;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.Txn;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The ledgers of nodes: charged by whatever gives a pod its node, changes what it takes, or ends
 * it, and changed with the node itself.
 *
 * <p><b>Threading:</b> any thread; pods are added up on a loop.
 */
public final class NodeLedgers {

  private final Postings postings;
  private final Ledgers<NodeLedger> ledgers;
  private final Map<String, LongAdder> refusals = new ConcurrentHashMap<>();

  /**
   * @param walks where pods are added up
   */
  public NodeLedgers(
      Store store,
      Postings postings,
      Loop walks,
      Supplier<@Nullable KindCache> pods,
      Supplier<@Nullable KindCache> nodes) {
    this.postings = postings;
    this.ledgers =
        new Ledgers<>(postings, new NodeKind(store, walks, pods, nodes, this::enter), walks);
  }

  /** What a write of pods costs; those that come together are charged together. */
  public Bill<?> bill(List<PodChange> changes) {
    return new OfPods(NodeCharge.of(changes));
  }

  /** What a write of a node changes. */
  public Bill<?> bill(NodeChange change) {
    return new OfNode(change);
  }

  /** All of them. */
  public Ledgers<?> all() {
    return ledgers;
  }

  /** The node's zone as its ledger has it; null if the ledger is not known here. */
  public @Nullable String zone(String node) {
    LedgerState<NodeLedger> known = ledgers.known(node);
    return known == null ? null : NodeCharge.zone(known.ledger());
  }

  /** The version of a node's ledger as far as it is known here; 0 if it is not. */
  public long version(String node) {
    LedgerState<NodeLedger> known = ledgers.known(node);
    return known == null ? 0 : known.version();
  }

  /** How many writes were refused, by reason. */
  public Map<String, Long> refusals() {
    Map<String, Long> counts = new TreeMap<>();
    refusals.forEach((reason, count) -> counts.put(reason, count.sum()));
    return counts;
  }

  /** Enters a node that has no ledger, as those of a store have that is older than ledgers are. */
  private CompletableFuture<?> enter(String node, JsonNode object) {
    return postings.commit(
        Txn.builder().build(), List.of(new OfNode(new NodeChange(node, object, false, true))));
  }

  private final class OfPods extends Bill<NodeLedger> {

    private final List<NodeCharge> charges;

    OfPods(List<NodeCharge> charges) {
      super(ledgers);
      this.charges = charges;
    }

    @Override
    protected List<NodeCharge> charges() {
      return charges;
    }

    @Override
    protected ApiException refusal(List<Refused<NodeLedger>> refused) {
      List<NodeRefusal.OfNode> nodes = new ArrayList<>(refused.size());
      for (Refused<NodeLedger> one : refused) {
        NodeRefusal.OfNode node = ((NodeCharge) one.charge()).refusal(one.state());
        refusals
            .computeIfAbsent(node.shortages().getFirst().reason(), _ -> new LongAdder())
            .increment();
        nodes.add(node);
      }
      return NodeRefusal.status(nodes).asException();
    }
  }

  private final class OfNode extends Bill<NodeLedger> {

    private final NodeChange change;

    OfNode(NodeChange change) {
      super(ledgers);
      this.change = change;
    }

    @Override
    protected List<Charge<NodeLedger>> charges() {
      return List.of(change);
    }

    @Override
    protected void committed(long revision) {
      if (change.needsCount()) {
        // Before somebody has to wait for it.
        var _ = ledgers.count(change.ledger());
      }
    }
  }
}
