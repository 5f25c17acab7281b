package dev.evenkeel.serve.allocation;

import dev.evenkeel.kernel.fit.NodeLedger;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.serve.ledger.Charge;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A write of a node, as far as its ledger is concerned.
 *
 * @param ledger the node's name
 * @param now the node as it is to be; null if it goes
 * @param isNew whether there was none before
 * @param onlyIfAbsent whether a ledger that is there stays as it is
 */
public record NodeChange(String ledger, @Nullable JsonNode now, boolean isNew, boolean onlyIfAbsent)
    implements Charge<NodeLedger> {

  /**
   * @param before null if the node is new
   * @param after null if the node goes
   * @return null if what can be had of it stays the same
   */
  public static @Nullable NodeChange of(
      String name, byte @Nullable [] before, byte @Nullable [] after) {
    if (before == null || after == null) {
      JsonNode now = after == null ? null : Json.parse(after);
      return new NodeChange(name, now, before == null, false);
    }
    JsonNode next = Json.parse(after);
    NodeLedger had = NodeLedger.uncounted(Json.parse(before));
    NodeLedger has = NodeLedger.uncounted(next);
    return had.capacity().equals(has.capacity()) && had.zone().equals(has.zone())
        ? null
        : new NodeChange(name, next, false, false);
  }

  boolean needsCount() {
    return isNew || onlyIfAbsent;
  }

  @Override
  public boolean isOfUse() {
    return false;
  }

  @Override
  public boolean isFor(@Nullable NodeLedger before) {
    return before == null || !onlyIfAbsent;
  }

  @Override
  public @Nullable NodeLedger charged(@Nullable NodeLedger before) {
    if (now == null) {
      return null;
    }
    return before == null || isNew ? NodeLedger.uncounted(now) : before.of(now);
  }
}
