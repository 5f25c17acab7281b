package dev.evenkeel.kernel.fit;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.quantity.Amounts;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/**
 * What a pod takes of its node: amounts of resources in whole units, of {@value #CPU} in
 * thousandths, its place as one of {@value #PODS}, and ports.
 *
 * @param amounts by the resource's name, none of them zero
 * @param ports sorted
 */
public record Demand(SortedMap<String, Long> amounts, List<HostPort> ports) {

  /**
   * A pod that asks for more asks for this, which no node has: 4 PiB of memory. So small that the
   * sum of a thousand of them is a number still.
   */
  static final long AMOUNT_MAX = 1L << 52;

  public static final String CPU = "cpu";
  public static final String PODS = "pods";

  /** Of nothing. */
  public static final Demand NONE = new Demand(new TreeMap<>(), List.of());

  public Demand {
    amounts = Collections.unmodifiableSortedMap(amounts);
    ports = ports.isEmpty() ? List.of() : ports.stream().sorted().toList();
  }

  /** What the pod asks for, whether it has a node or not; a pod that has ended takes nothing. */
  public static Demand of(JsonNode pod) {
    return hasEnded(pod) ? NONE : ofSpec(pod.path("spec"));
  }

  /** Whether nothing of the pod runs any more, or will. */
  public static boolean hasEnded(JsonNode pod) {
    String phase = Meta.text(pod.path("status").path("phase"));
    return phase.equals("Succeeded") || phase.equals("Failed");
  }

  /** What a pod with this spec asks for. */
  public static Demand ofSpec(JsonNode spec) {
    SortedMap<String, Long> amounts = new TreeMap<>();
    PodAmounts.requestsWithOverhead(spec)
        .byName()
        .forEach(
            (name, quantity) -> {
              long units = units(name, quantity.value(), RoundingMode.CEILING);
              if (units > 0) {
                amounts.put(name, units);
              }
            });
    amounts.put(PODS, 1L);
    return new Demand(amounts, ports(spec));
  }

  /** Amounts as a node reports them: a part of a unit is none. */
  public static SortedMap<String, Long> capacity(JsonNode list) {
    SortedMap<String, Long> capacity = new TreeMap<>();
    Amounts.of(list)
        .byName()
        .forEach(
            (name, quantity) ->
                capacity.put(
                    name,
                    Math.min(units(name, quantity.value(), RoundingMode.FLOOR), AMOUNT_MAX - 1)));
    return capacity;
  }

  /** Units of a resource, {@link #AMOUNT_MAX} at most. */
  private static long units(String name, java.math.BigDecimal value, RoundingMode rounding) {
    java.math.BigDecimal units = name.equals(CPU) ? value.movePointRight(3) : value;
    java.math.BigInteger whole = units.setScale(0, rounding).toBigInteger();
    if (whole.signum() <= 0) {
      return 0;
    }
    return whole.bitLength() > 62 ? AMOUNT_MAX : Math.min(whole.longValue(), AMOUNT_MAX);
  }

  private static List<HostPort> ports(JsonNode spec) {
    List<HostPort> ports = new ArrayList<>(0);
    add(ports, spec.path("containers"), false);
    // Of those that come before, only the ones that go on running keep theirs.
    add(ports, spec.path("initContainers"), true);
    return ports;
  }

  private static void add(List<HostPort> ports, JsonNode containers, boolean onlyLasting) {
    for (JsonNode container : containers) {
      if (onlyLasting && !Meta.text(container.path("restartPolicy")).equals("Always")) {
        continue;
      }
      for (JsonNode port : container.path("ports")) {
        int number = port.path("hostPort").asInt(0);
        if (number > 0) {
          var taken =
              new HostPort(
                  Meta.text(port.path("protocol")), Meta.text(port.path("hostIP")), number);
          if (!ports.contains(taken)) {
            ports.add(taken);
          }
        }
      }
    }
  }

  /** What both take. */
  public Demand plus(Demand other) {
    if (isNothing() || other.isNothing()) {
      return isNothing() ? other : this;
    }
    SortedMap<String, Long> sum = new TreeMap<>(amounts);
    other.amounts.forEach((name, amount) -> sum.merge(name, amount, Demand::capped));
    List<HostPort> all = new ArrayList<>(ports);
    all.addAll(other.ports);
    return new Demand(sum, all);
  }

  private static Long capped(Long one, Long other) {
    return Math.min(one + other, AMOUNT_MAX);
  }

  public boolean isNothing() {
    return amounts.isEmpty() && ports.isEmpty();
  }
}
