package dev.evenkeel.serve.allocation;

import dev.evenkeel.kernel.fit.NodeLedger;
import dev.evenkeel.kernel.json.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A write of a node, as far as its ledger is concerned.
 *
 * @param now the node as it is to be; null if it goes
 * @param isNew whether there was none before
 */
public record NodeChange(String node, @Nullable JsonNode now, boolean isNew) {

  /**
   * @param before null if the node is new
   * @param after null if the node goes
   * @return null if what can be had of it stays the same
   */
  public static @Nullable NodeChange of(
      String name, byte @Nullable [] before, byte @Nullable [] after) {
    if (before == null || after == null) {
      return new NodeChange(name, after == null ? null : Json.parse(after), before == null);
    }
    JsonNode next = Json.parse(after);
    NodeLedger had = NodeLedger.uncounted(Json.parse(before));
    NodeLedger has = NodeLedger.uncounted(next);
    return had.capacity().equals(has.capacity()) && had.zone().equals(has.zone())
        ? null
        : new NodeChange(name, next, false);
  }
}
