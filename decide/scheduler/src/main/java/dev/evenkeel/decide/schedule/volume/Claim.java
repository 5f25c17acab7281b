package dev.evenkeel.decide.schedule.volume;

import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.quantity.Amounts;
import dev.evenkeel.kernel.selector.LabelSelector;
import java.util.HashSet;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A persistent volume claim.
 *
 * @param key {@code namespace/name}
 * @param volume the name of the one it has or asks for; empty for any
 * @param isBound whether it has it
 * @param storageClass empty if it wants none
 * @param bytes how much it asks for
 * @param selector which volumes it takes
 */
public record Claim(
    String key,
    String volume,
    boolean isBound,
    boolean isLost,
    boolean isDeleting,
    String storageClass,
    Set<String> accessModes,
    long bytes,
    LabelSelector selector) {

  private static final String BIND_COMPLETED = "pv.kubernetes.io/bind-completed";

  /** Of a claim that one pod alone may use. */
  public static final String ONE_POD = "ReadWriteOncePod";

  public Claim {
    accessModes = Set.copyOf(accessModes);
  }

  public static Claim of(ObjectNode claim) {
    JsonNode metadata = claim.path("metadata");
    JsonNode spec = claim.path("spec");
    String phase = Meta.text(claim.path("status").path("phase"));
    String volume = Meta.text(spec.path("volumeName"));
    return new Claim(
        Meta.namespace(claim) + "/" + Meta.name(claim),
        volume,
        !volume.isEmpty()
            && (phase.equals("Bound") || metadata.path("annotations").has(BIND_COMPLETED)),
        phase.equals("Lost"),
        !Meta.text(metadata.path("deletionTimestamp")).isEmpty(),
        Meta.text(spec.path("storageClassName")),
        modes(spec.path("accessModes")),
        bytes(spec.path("resources").path("requests")),
        selector(spec.path("selector")));
  }

  static Set<String> modes(JsonNode list) {
    var modes = new HashSet<String>();
    list.forEach(mode -> modes.add(Meta.text(mode)));
    return modes;
  }

  static long bytes(JsonNode amounts) {
    return Amounts.of(amounts).orZero("storage").value().longValue();
  }

  private static LabelSelector selector(JsonNode selector) {
    if (!selector.isObject()) {
      return LabelSelector.EVERYTHING;
    }
    try {
      return LabelSelector.fromJson(selector);
    } catch (ApiException e) {
      return LabelSelector.NOTHING;
    }
  }

  /** {@code name}, without its namespace. */
  public String name() {
    return key.substring(key.indexOf('/') + 1);
  }
}
