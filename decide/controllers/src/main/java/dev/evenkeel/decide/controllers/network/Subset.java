package dev.evenkeel.decide.controllers.network;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Addresses that share ports, as Endpoints hold them. */
record Subset(List<ObjectNode> ports, List<ObjectNode> ready, List<ObjectNode> notReady) {

  static ArrayNode json(List<Subset> subsets) {
    ArrayNode list = JsonNodeFactory.instance.arrayNode();
    subsets.forEach(subset -> list.add(subset.json()));
    return list;
  }

  private ObjectNode json() {
    ObjectNode subset = JsonNodeFactory.instance.objectNode();
    put(subset, "addresses", ready);
    put(subset, "notReadyAddresses", notReady);
    put(subset, "ports", ports);
    return subset;
  }

  private static void put(ObjectNode subset, String field, List<ObjectNode> list) {
    if (!list.isEmpty()) {
      list.forEach(subset.putArray(field)::add);
    }
  }

  static int addresses(List<Subset> subsets) {
    return subsets.stream().mapToInt(it -> it.ready.size() + it.notReady.size()).sum();
  }

  /**
   * As many addresses as may be told, those that are ready first. Each subset gives up its share,
   * rounded in its favour; so the last one may get less.
   */
  static List<Subset> truncated(List<Subset> subsets, int addressesMax) {
    int ready = subsets.stream().mapToInt(it -> it.ready.size()).sum();
    boolean onlyReady = ready > addressesMax;
    int room = onlyReady ? addressesMax : addressesMax - ready;
    int sharing = onlyReady ? ready : addresses(subsets) - ready;
    int left = room;
    List<Subset> kept = new ArrayList<>();
    for (Subset subset : subsets) {
      List<ObjectNode> cut = onlyReady ? subset.ready : subset.notReady;
      int share = (int) Math.ceil((double) cut.size() / sharing * room);
      List<ObjectNode> some = cut.subList(0, Math.min(Math.min(share, left), cut.size()));
      left -= some.size();
      var shorter =
          onlyReady
              ? new Subset(subset.ports, some, List.of())
              : new Subset(subset.ports, subset.ready, some);
      if (!shorter.ready.isEmpty() || !shorter.notReady.isEmpty()) {
        kept.add(shorter);
      }
    }
    return kept;
  }
}
