package dev.evenkeel.serve.write;

import dev.evenkeel.kernel.fit.NodeLedger;
import dev.evenkeel.serve.allocation.NodeLedgers;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.cache.KindCache;
import dev.evenkeel.serve.resource.ResourceTable;

/**
 * The zones of nodes, as far as they are known here. The transaction that charges a node finds out
 * when it is not so, and who asks then is told what the node's ledger says.
 */
public final class Zones {

  private final NodeLedgers ledgers;
  private final ResourceTable resources;

  public Zones(NodeLedgers ledgers, ResourceTable resources) {
    this.ledgers = ledgers;
    this.resources = resources;
  }

  /** Empty if the node is in none, or there is no such node. */
  public String of(String node) {
    String charged = ledgers.zone(node);
    if (charged != null) {
      return charged;
    }
    KindCache nodes = resources.cacheOf("", "nodes");
    CachedObject found = nodes == null || !nodes.isReady() ? null : nodes.newest().tree().get(node);
    return found == null ? "" : found.labels().getOrDefault(NodeLedger.ZONE_LABEL, "");
  }
}
