package dev.evenkeel.decide.schedule.column;

import java.util.Arrays;

/**
 * A tally summed up by the domains of a topology.
 *
 * <p><b>Invariants</b>: each sum is that of the tally's numbers over the slots of the domain.
 *
 * <p><b>Threading</b>: of the cluster's thread.
 */
public final class DomainSums {

  private final Topology topology;
  private final SlotCounts tally;
  private long[] sums;
  private long total;

  DomainSums(Topology topology, SlotCounts tally) {
    this.topology = topology;
    this.tally = tally;
    this.sums = new long[Math.max(8, topology.numbers())];
    for (int slot = 0; slot < topology.domains().length; slot++) {
      add(slot, tally.at(slot));
    }
  }

  public Topology topology() {
    return topology;
  }

  /** By domain, all of them; to be read only, and only until the next change. */
  public long[] sums() {
    if (sums.length < topology.numbers()) {
      sums = Arrays.copyOf(sums, Math.max(topology.numbers(), sums.length * 2));
    }
    return sums;
  }

  /** Over all slots that are in a domain. */
  public long total() {
    return total;
  }

  /** Of the domain that the slot is in; 0 if it is in none. */
  public long at(int slot) {
    int domain = topology.domain(slot);
    return domain == Topology.NOWHERE || domain >= sums.length ? 0 : sums[domain];
  }

  void add(int slot, int more) {
    int domain = topology.domain(slot);
    if (domain != Topology.NOWHERE && more != 0) {
      change(domain, more);
    }
  }

  void move(int slot, int before, int after) {
    int number = tally.at(slot);
    if (number == 0) {
      return;
    }
    if (before != Topology.NOWHERE) {
      change(before, -number);
    }
    if (after != Topology.NOWHERE) {
      change(after, number);
    }
  }

  private void change(int domain, int more) {
    if (domain >= sums.length) {
      sums = Arrays.copyOf(sums, Math.max(domain + 1, sums.length * 2));
    }
    sums[domain] += more;
    total += more;
  }
}
