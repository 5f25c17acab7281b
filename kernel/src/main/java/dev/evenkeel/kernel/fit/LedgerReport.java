package dev.evenkeel.kernel.fit;

import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.json.JsonException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What the ledger said by which a binding was refused, for the scheduler that asked: its picture is
 * older, and can be corrected until the change itself arrives. It travels in two causes of the
 * refusal, beside those for people.
 *
 * @param name of the node, or of the tenant's quota
 * @param version of the ledger
 * @param used of each resource of which there is too little, in all, in the units of {@link Demand}
 */
public record LedgerReport(Sort sort, String name, long version, Map<String, Long> used) {

  /** Whose ledger it is. */
  public enum Sort {
    NODE("LedgerVersion", "LedgerUsed", ""),
    TENANT("TenantLedgerVersion", "TenantLedgerUsed", "quota/");

    private final String versionReason;
    private final String usedReason;
    private final String fieldPrefix;

    Sort(String versionReason, String usedReason, String fieldPrefix) {
      this.versionReason = versionReason;
      this.usedReason = usedReason;
      this.fieldPrefix = fieldPrefix;
    }

    /** What a cause is about that belongs to the ledger of that name. */
    public String field(String name) {
      return fieldPrefix + name;
    }
  }

  public LedgerReport {
    used = Map.copyOf(used);
  }

  /** The causes that say it. */
  public List<Status.Cause> causes() {
    ObjectNode amounts = JsonNodeFactory.instance.objectNode();
    new TreeMap<>(used).forEach(amounts::put);
    String field = sort.field(name);
    return List.of(
        new Status.Cause(sort.versionReason, Long.toString(version), field),
        new Status.Cause(
            sort.usedReason, new String(Json.encode(amounts), StandardCharsets.UTF_8), field));
  }

  /** All that a refusal says; empty if it is not one by ledgers. */
  public static List<LedgerReport> in(Status status) {
    Status.Details details = status.details();
    List<LedgerReport> reports = new ArrayList<>();
    if (details == null) {
      return reports;
    }
    for (Status.Cause cause : details.causes()) {
      for (Sort sort : Sort.values()) {
        if (cause.reason().equals(sort.versionReason)
            && cause.field().startsWith(sort.fieldPrefix)) {
          reports.add(
              new LedgerReport(
                  sort,
                  cause.field().substring(sort.fieldPrefix.length()),
                  number(cause.message()),
                  used(details.causes(), sort, cause.field())));
        }
      }
    }
    return reports;
  }

  private static Map<String, Long> used(List<Status.Cause> causes, Sort sort, String field) {
    Map<String, Long> used = new HashMap<>();
    for (Status.Cause cause : causes) {
      if (cause.reason().equals(sort.usedReason) && cause.field().equals(field)) {
        for (Map.Entry<String, JsonNode> amount : amounts(cause.message())) {
          used.put(amount.getKey(), amount.getValue().asLong(0));
        }
      }
    }
    return used;
  }

  /** What another server may have sent is worth no failure: without it, nothing is corrected. */
  private static Iterable<Map.Entry<String, JsonNode>> amounts(String json) {
    try {
      return Json.parseObject(json.getBytes(StandardCharsets.UTF_8)).properties();
    } catch (JsonException e) {
      return List.of();
    }
  }

  private static long number(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
