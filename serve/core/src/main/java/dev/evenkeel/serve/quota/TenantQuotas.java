package dev.evenkeel.serve.quota;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.fit.Demand;
import dev.evenkeel.kernel.fit.LedgerReport;
import dev.evenkeel.kernel.quantity.Amounts;
import dev.evenkeel.kernel.quantity.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * How a TenantQuota stands in the register of its namespace: as a quota of pods that have a node,
 * in one zone or in all. So it is counted, charged and audited as every quota is.
 */
public final class TenantQuotas {

  public static final String GROUP = "evenkeel.dev";
  public static final String PLURAL = "tenantquotas";

  /** The cause of a refusal: another zone may do. */
  public static final String EXCEEDED = "TenantQuotaExceeded";

  /** On a pod, by the server: the zone of its node. */
  public static final String ZONE_ANNOTATION = "evenkeel.dev/zone";

  /** Which pods: those with a node, and if there are values, in these zones. */
  static final String SCOPE = "evenkeel.dev/Zone";

  /** No ResourceQuota has such a name. */
  private static final String PREFIX = "tenant/";

  private static final String REQUESTS = "requests.";
  private static final String PODS = "pods";
  private static final String ALL_ZONES = "all zones";

  private TenantQuotas() {}

  public static boolean isKind(String group, String plural) {
    return group.equals(GROUP) && plural.equals(PLURAL);
  }

  /** Whether a name in the register, or a ledger, is one of these quotas'. */
  public static boolean isRegistered(String name) {
    return name.startsWith(PREFIX);
  }

  /** The name in the register. */
  public static String registered(String name) {
    return PREFIX + name;
  }

  /** The name of the object. */
  public static String name(String registered) {
    return registered.substring(PREFIX.length());
  }

  /** What is used, by the names that the object uses. */
  public static Amounts shown(Amounts used) {
    var amounts = new TreeMap<String, Quantity>();
    used.byName()
        .forEach(
            (name, amount) ->
                amounts.put(
                    name.startsWith(REQUESTS) ? name.substring(REQUESTS.length()) : name, amount));
    return new Amounts(amounts);
  }

  /** The object's spec, in the words of quotas. */
  static ObjectNode spec(JsonNode tenantSpec) {
    ObjectNode spec = JsonNodeFactory.instance.objectNode();
    ObjectNode hard = spec.putObject("hard");
    tenantSpec
        .path("hard")
        .forEachEntry(
            (name, amount) -> hard.set(name.equals(PODS) ? name : REQUESTS + name, amount));
    ObjectNode scope = spec.putObject("scopeSelector").putArray("matchExpressions").addObject();
    String zone = Meta.text(tenantSpec.path("zone"));
    scope.put("scopeName", SCOPE).put("operator", zone.isEmpty() ? "Exists" : "In");
    if (!zone.isEmpty()) {
      scope.putArray("values").add(zone);
    }
    return spec;
  }

  /** Whether the pod is one that is charged. */
  static boolean isIn(ScopeRequirement scope, JsonNode pod) {
    if (Meta.text(pod.path("spec").path("nodeName")).isEmpty()) {
      return false;
    }
    String zone = Meta.text(pod.path("metadata").path("annotations").path(ZONE_ANNOTATION));
    return scope.operator().equals("Exists") || scope.values().contains(zone);
  }

  /** The object, by kind, name and zone: its name alone could be a ResourceQuota's. */
  static String described(QuotaSpec quota) {
    List<String> zones = zones(quota);
    return "TenantQuota %s of %s"
        .formatted(
            name(quota.name()), zones.isEmpty() ? ALL_ZONES : "zone " + String.join(",", zones));
  }

  /** Empty if it is about all. */
  private static List<String> zones(QuotaSpec quota) {
    return quota.scopes().getFirst().values();
  }

  /** What a refusal says beside its message: of what there is too little where, as of when. */
  static List<Status.Cause> causes(
      QuotaSpec quota, Amounts exceeded, Amounts used, long ledgerVersion) {
    String field = LedgerReport.Sort.TENANT.field(name(quota.name()));
    List<String> zones = zones(quota);
    String where = zones.isEmpty() ? ALL_ZONES : String.join(",", zones);
    List<Status.Cause> causes = new ArrayList<>();
    ObjectNode usedOfThese = JsonNodeFactory.instance.objectNode();
    shown(exceeded)
        .byName()
        .forEach(
            (name, wanted) -> {
              String limited = name.equals(PODS) ? name : REQUESTS + name;
              usedOfThese.put(name, used.orZero(limited).toString());
              causes.add(
                  new Status.Cause(
                      EXCEEDED,
                      "%s: requested %s, used %s of %s %s"
                          .formatted(
                              where,
                              wanted,
                              used.orZero(limited),
                              quota.hard().orZero(limited),
                              name),
                      field));
            });
    causes.addAll(
        new LedgerReport(
                LedgerReport.Sort.TENANT,
                name(quota.name()),
                ledgerVersion,
                Demand.capacity(usedOfThese))
            .causes());
    return causes;
  }

  /** Whether that is what a status says. */
  public static boolean isRefusal(Status status) {
    Status.Details details = status.details();
    return status.code() == 403
        && details != null
        && details.causes().stream().anyMatch(cause -> cause.reason().equals(EXCEEDED));
  }
}
