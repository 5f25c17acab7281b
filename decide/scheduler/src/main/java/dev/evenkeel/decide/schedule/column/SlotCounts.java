package dev.evenkeel.decide.schedule.column;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A number for each slot, and its sums by topology where they are asked for.
 *
 * <p><b>Threading</b>: of the cluster's thread.
 */
public class SlotCounts {

  private int[] numbers;
  private final List<DomainSums> sums = new ArrayList<>(1);

  SlotCounts(int slots) {
    this.numbers = new int[slots];
  }

  public final int at(int slot) {
    return numbers[slot];
  }

  /** By slot; to be read only, and only until the next change. */
  public final int[] numbers() {
    return numbers;
  }

  final void resize(int slots) {
    numbers = Arrays.copyOf(numbers, slots);
  }

  final void add(int slot, int more) {
    for (int i = 0; i < sums.size(); i++) {
      sums.get(i).add(slot, more);
    }
    numbers[slot] += more;
  }

  final void clear() {
    for (int slot = 0; slot < numbers.length; slot++) {
      if (numbers[slot] != 0) {
        add(slot, -numbers[slot]);
      }
    }
  }

  final DomainSums sums(String topologyKey, Topologies topologies) {
    for (int i = 0; i < sums.size(); i++) {
      if (sums.get(i).topology().key().equals(topologyKey)) {
        return sums.get(i);
      }
    }
    DomainSums made = topologies.of(topologyKey).sumsOf(this);
    sums.add(made);
    return made;
  }

  final void drop() {
    sums.forEach(made -> made.topology().drop(made));
    sums.clear();
  }
}
