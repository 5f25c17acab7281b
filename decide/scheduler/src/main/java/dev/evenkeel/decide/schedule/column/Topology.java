package dev.evenkeel.decide.schedule.column;

import dev.evenkeel.decide.schedule.model.NodeInfo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The domains that a label of nodes makes: each value is one, with a small number.
 *
 * <p><b>Invariants</b>: a slot without a node, or whose node lacks the label, is in no domain. A
 * number is given again only after the last node left its domain, and then every sum over it is
 * zero, because a sum counts what is on nodes.
 *
 * <p><b>Threading</b>: of the cluster's thread.
 */
public final class Topology {

  /** Of a slot in no domain. */
  public static final int NOWHERE = -1;

  private final String key;
  private final Map<String, Integer> numbers = new HashMap<>();
  private final List<String> values = new ArrayList<>();
  private final List<Integer> free = new ArrayList<>(0);
  private final List<DomainSums> sums = new ArrayList<>(1);
  private int[] domains = new int[0];
  private int[] nodes = new int[0];

  Topology(String key) {
    this.key = key;
  }

  public String key() {
    return key;
  }

  /** One more than the greatest number of a domain. */
  public int numbers() {
    return values.size();
  }

  public int domain(int slot) {
    return domains[slot];
  }

  /** By slot; to be read only, and only until the next change. */
  public int[] domains() {
    return domains;
  }

  void resize(int slots) {
    int before = domains.length;
    domains = Arrays.copyOf(domains, slots);
    Arrays.fill(domains, before, slots, NOWHERE);
  }

  void nodeChanged(int slot, @Nullable NodeInfo node) {
    String value = node == null ? null : node.labels().get(key);
    int before = domains[slot];
    if (value == null ? before == NOWHERE : before != NOWHERE && isAt(before, value)) {
      return;
    }
    int after = value == null ? NOWHERE : number(value);
    for (int i = 0; i < sums.size(); i++) {
      sums.get(i).move(slot, before, after);
    }
    domains[slot] = after;
    if (after != NOWHERE) {
      nodes[after]++;
    }
    if (before != NOWHERE && --nodes[before] == 0) {
      numbers.remove(values.get(before));
      free.add(before);
    }
  }

  private boolean isAt(int domain, String value) {
    return values.get(domain).equals(value);
  }

  private int number(String value) {
    Integer known = numbers.get(value);
    if (known != null) {
      return known;
    }
    int number;
    if (free.isEmpty()) {
      number = values.size();
      values.add(value);
      if (number == nodes.length) {
        nodes = Arrays.copyOf(nodes, Math.max(8, number * 2));
      }
    } else {
      number = free.removeLast();
      values.set(number, value);
    }
    numbers.put(value, number);
    return number;
  }

  DomainSums sumsOf(SlotCounts tally) {
    var made = new DomainSums(this, tally);
    sums.add(made);
    return made;
  }

  void drop(DomainSums dropped) {
    sums.remove(dropped);
  }

  boolean isUnused() {
    return sums.isEmpty();
  }
}
