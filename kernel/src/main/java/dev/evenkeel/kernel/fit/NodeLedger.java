package dev.evenkeel.kernel.fit;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.json.Json;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a node has, and what the pods on it take. Two with the same bytes are the same, whatever
 * happened between.
 *
 * @param uid the node's
 * @param counted whether the pods that were there before the ledger are in it
 * @param zone the node's, empty if it has none
 * @param capacity what can be had, by resource, in the units of {@link Demand}; empty if the node
 *     has not said
 * @param used what is taken
 * @param ports that are taken, sorted
 */
public record NodeLedger(
    String uid,
    boolean counted,
    String zone,
    SortedMap<String, Long> capacity,
    SortedMap<String, Long> used,
    List<HostPort> ports) {

  public static final String ZONE_LABEL = "topology.kubernetes.io/zone";

  public NodeLedger {
    capacity = Collections.unmodifiableSortedMap(capacity);
    used = Collections.unmodifiableSortedMap(used);
    ports = ports.isEmpty() ? List.of() : ports.stream().sorted().toList();
  }

  /** Of a node whose pods are yet to be counted. */
  public static NodeLedger uncounted(JsonNode node) {
    JsonNode metadata = node.path("metadata");
    return new NodeLedger(
        Meta.text(metadata.path("uid")),
        false,
        Meta.text(metadata.path("labels").path(ZONE_LABEL)),
        Demand.capacity(node.path("status").path("allocatable")),
        new TreeMap<>(),
        List.of());
  }

  /** The same pods on what the node has now. */
  public NodeLedger of(JsonNode node) {
    NodeLedger now = uncounted(node);
    return new NodeLedger(uid, counted, now.zone, now.capacity, used, ports);
  }

  /** With these pods, and all of them. */
  public NodeLedger counted(Iterable<Demand> pods) {
    NodeLedger sum = new NodeLedger(uid, true, zone, capacity, new TreeMap<>(), List.of());
    for (Demand pod : pods) {
      sum = sum.with(pod);
    }
    return sum;
  }

  /** With one pod more. */
  public NodeLedger with(Demand pod) {
    List<HostPort> more = ports;
    if (!pod.ports().isEmpty()) {
      more = new ArrayList<>(ports);
      more.addAll(pod.ports());
    }
    return new NodeLedger(uid, counted, zone, capacity, sum(pod, 1), more);
  }

  /** With one pod less. */
  public NodeLedger without(Demand pod) {
    List<HostPort> fewer = ports;
    if (!pod.ports().isEmpty()) {
      fewer = new ArrayList<>(ports);
      // One each: two pods that were there before the node may have the same.
      pod.ports().forEach(fewer::remove);
    }
    return new NodeLedger(uid, counted, zone, capacity, sum(pod, -1), fewer);
  }

  private SortedMap<String, Long> sum(Demand pod, int sign) {
    SortedMap<String, Long> sum = new TreeMap<>(used);
    pod.amounts()
        .forEach(
            (name, amount) ->
                sum.merge(
                    name,
                    sign * amount,
                    (was, more) -> was + more == 0 ? null : Long.valueOf(added(was, more))));
    return sum;
  }

  /** Pods may be on a node before there is such a node, however many: then it is full. */
  private static long added(long was, long more) {
    long sum = was + more;
    return was > 0 && more > 0 && sum < 0 ? Long.MAX_VALUE : sum;
  }

  public static @Nullable NodeLedger parse(byte @Nullable [] stored) {
    if (stored == null) {
      return null;
    }
    ObjectNode json = Json.parseObject(stored);
    List<HostPort> ports = new ArrayList<>(0);
    json.path("ports").forEach(port -> ports.add(HostPort.parse(Meta.text(port))));
    return new NodeLedger(
        Meta.text(json.path("uid")),
        json.path("counted").asBoolean(false),
        Meta.text(json.path("zone")),
        numbers(json.path("capacity")),
        numbers(json.path("used")),
        ports);
  }

  private static SortedMap<String, Long> numbers(JsonNode json) {
    SortedMap<String, Long> numbers = new TreeMap<>();
    json.forEachEntry((name, number) -> numbers.put(name, number.asLong(0)));
    return numbers;
  }

  public byte[] encode() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("uid", uid).put("counted", counted).put("zone", zone);
    ObjectNode has = json.putObject("capacity");
    capacity.forEach((name, number) -> has.put(name, number.longValue()));
    ObjectNode takes = json.putObject("used");
    used.forEach((name, number) -> takes.put(name, number.longValue()));
    if (!ports.isEmpty()) {
      var list = json.putArray("ports");
      ports.forEach(port -> list.add(port.toString()));
    }
    return Json.encode(json);
  }
}
