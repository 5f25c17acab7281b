package dev.evenkeel.serve.allocation;

import dev.evenkeel.kernel.fit.Demand;
import dev.evenkeel.kernel.fit.Fit;
import dev.evenkeel.kernel.fit.HostPort;
import dev.evenkeel.kernel.fit.NodeLedger;
import dev.evenkeel.kernel.fit.Shortage;
import dev.evenkeel.serve.ledger.Charge;
import dev.evenkeel.serve.ledger.LedgerState;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What one write changes on one node. Pods that come together are judged together: each alone might
 * fit where all do not.
 *
 * @param ledger the node's name
 * @param changes not empty, all of this node
 */
record NodeCharge(String ledger, List<PodChange> changes) implements Charge<NodeLedger> {

  /** By node, in the order of names: that is the order in which a refusal names them. */
  static List<NodeCharge> of(List<PodChange> changes) {
    if (changes.size() == 1) {
      return List.of(new NodeCharge(changes.getFirst().node(), changes));
    }
    var byNode = new TreeMap<String, List<PodChange>>();
    for (PodChange change : changes) {
      byNode.computeIfAbsent(change.node(), _ -> new ArrayList<>()).add(change);
    }
    List<NodeCharge> charges = new ArrayList<>(byNode.size());
    byNode.forEach((node, on) -> charges.add(new NodeCharge(node, on)));
    return charges;
  }

  /** Empty if there is no such node, or it is in none. */
  static String zone(@Nullable NodeLedger now) {
    return now == null ? "" : now.zone();
  }

  /**
   * Whether the pods say of their node's zone what its ledger says, as far as they say anything.
   */
  @Override
  public boolean isFor(@Nullable NodeLedger now) {
    for (PodChange change : changes) {
      if (change.zone() != null && !change.zone().equals(zone(now))) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean isRefusedBy(@Nullable NodeLedger now) {
    return now != null && now.counted() && !shortages(now).isEmpty();
  }

  /** If there is no such node, what is on it by then will be counted when there is. */
  @Override
  public boolean isReady(@Nullable NodeLedger now) {
    return now == null || now.counted();
  }

  @Override
  public @Nullable NodeLedger charged(@Nullable NodeLedger now) {
    return now == null ? null : with(now);
  }

  NodeRefusal.OfNode refusal(LedgerState<NodeLedger> refusing) {
    NodeLedger now = Objects.requireNonNull(refusing.ledger());
    return new NodeRefusal.OfNode(this, firstRefused(now), shortages(now), refusing.version());
  }

  private NodeLedger with(NodeLedger now) {
    NodeLedger after = now;
    for (PodChange change : changes) {
      after = charged(after, change);
    }
    return after;
  }

  private static NodeLedger charged(NodeLedger ledger, PodChange change) {
    NodeLedger after = released(ledger, change);
    return change.after().isNothing() ? after : after.with(change.after());
  }

  private static NodeLedger released(NodeLedger ledger, PodChange change) {
    return change.before().isNothing() ? ledger : ledger.without(change.before());
  }

  /** What the node has too little of for all of them; nothing if they fit. */
  private List<Shortage> shortages(NodeLedger ledger) {
    NodeLedger others = ledger;
    Demand wanted = Demand.NONE;
    for (PodChange change : changes) {
      others = change.refusable() ? released(others, change) : charged(others, change);
      if (change.refusable()) {
        wanted = wanted.plus(change.after());
      }
    }
    if (wanted.isNothing()) {
      return List.of();
    }
    List<Shortage> shortages = Fit.shortages(others, wanted);
    if (changes.size() > 1 && !wanted.ports().isEmpty()) {
      addPortsWantedTwice(shortages);
    }
    return shortages;
  }

  private void addPortsWantedTwice(List<Shortage> shortages) {
    List<HostPort> given = new ArrayList<>();
    for (PodChange change : changes) {
      for (HostPort port : change.after().ports()) {
        var taken = new Shortage.PortTaken(port);
        if (given.stream().anyMatch(port::excludes) && !shortages.contains(taken)) {
          shortages.add(taken);
        }
      }
      given.addAll(change.after().ports());
    }
  }

  /** The first that does not fit any more where all together do not. */
  private PodChange firstRefused(NodeLedger ledger) {
    NodeLedger soFar = ledger;
    for (PodChange change : changes) {
      if (change.refusable() && !Fit.shortages(released(soFar, change), change.after()).isEmpty()) {
        return change;
      }
      soFar = charged(soFar, change);
    }
    return changes.getLast();
  }
}
