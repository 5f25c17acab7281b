package dev.evenkeel.decide.controllers.sets;

import dev.evenkeel.kernel.api.Meta;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a StatefulSet asks for, apart from its template.
 *
 * @param start the first ordinal
 * @param ordered whether pods are made and ended one after the other
 * @param onDelete whether pods are updated only when somebody deletes them
 * @param partition how many pods, from the first on, stay as they are
 * @param unavailableMax how many pods may be missing for an update; 0 if it does not say
 * @param claimTemplates of the claims that each pod has
 * @param claimsGoWithSet whether claims are deleted with the set
 * @param claimsGoWithPods whether claims are deleted when their pod is not wanted any more
 */
record StatefulSpec(
    int replicas,
    int start,
    boolean ordered,
    boolean onDelete,
    int partition,
    int unavailableMax,
    Duration minReady,
    List<ObjectNode> claimTemplates,
    boolean claimsGoWithSet,
    boolean claimsGoWithPods) {

  static StatefulSpec of(ObjectNode set) {
    JsonNode spec = set.path("spec");
    JsonNode strategy = spec.path("updateStrategy");
    JsonNode rolling = strategy.path("rollingUpdate");
    int replicas = Math.max(0, spec.path("replicas").asInt(1));
    List<ObjectNode> claims = new ArrayList<>();
    for (JsonNode claim : spec.path("volumeClaimTemplates")) {
      if (claim instanceof ObjectNode template) {
        claims.add(template);
      }
    }
    JsonNode retention = spec.path("persistentVolumeClaimRetentionPolicy");
    return new StatefulSpec(
        replicas,
        Math.max(0, spec.path("ordinals").path("start").asInt(0)),
        !Meta.text(spec.path("podManagementPolicy")).equals("Parallel"),
        Meta.text(strategy.path("type")).equals("OnDelete"),
        Math.max(0, rolling.path("partition").asInt(0)),
        rolling.has("maxUnavailable")
            ? Math.max(1, Share.of(rolling.path("maxUnavailable"), replicas, false))
            : 0,
        Duration.ofSeconds(spec.path("minReadySeconds").asLong(0)),
        claims,
        Meta.text(retention.path("whenDeleted")).equals("Delete"),
        Meta.text(retention.path("whenScaled")).equals("Delete"));
  }

  boolean isWanted(int ordinal) {
    return ordinal >= start && (long) ordinal < (long) start + replicas;
  }
}
