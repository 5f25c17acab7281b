package dev.evenkeel.decide.schedule.policy;

import dev.evenkeel.decide.schedule.model.PodInfo;
import dev.evenkeel.decide.schedule.place.Profile;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.selector.LabelSelector;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * How pods in a scope are placed.
 *
 * @param policyVersion what its authors call this state of it
 * @param version the object's
 * @param canaryPercent the share of the pods in scope that it is for
 * @param scope which pods it is for
 * @param weights that are others than the profile's, by plugin
 * @param maxZoneSkew by how many pods a zone may be ahead of the emptiest; 0 if by any number
 */
public record SchedulingPolicy(
    String name,
    String policyVersion,
    long version,
    boolean isActive,
    int canaryPercent,
    Scope scope,
    Map<String, Integer> weights,
    int maxZoneSkew) {

  private static final int PERCENT = 100;

  /** Spreads the bits of a hash: neighbors come to lie far from each other. */
  private static final int GOLDEN = 0x9E3779B9;

  /**
   * Which pods.
   *
   * @param schedulerName empty for those of all schedulers
   * @param namespaces empty for all
   * @param pods null for all
   */
  public record Scope(String schedulerName, Set<String> namespaces, @Nullable LabelSelector pods) {

    public Scope {
      namespaces = Set.copyOf(namespaces);
    }

    boolean contains(PodInfo pod) {
      return (schedulerName.isEmpty() || schedulerName.equals(pod.schedulerName()))
          && (namespaces.isEmpty() || namespaces.contains(pod.namespace()))
          && (pods == null || pods.matches(pod.labels()));
    }

    /** The same pods, in parts that lie in one namespace each; one part if it is all of them. */
    List<Scope> byNamespace() {
      return namespaces.isEmpty()
          ? List.of(this)
          : namespaces.stream()
              .map(namespace -> new Scope(schedulerName, Set.of(namespace), pods))
              .toList();
    }

    /** Whether each pod in the other one is in this one, as far as they are written alike. */
    boolean containsAll(Scope other) {
      return (schedulerName.isEmpty() || schedulerName.equals(other.schedulerName))
          && (namespaces.isEmpty()
              || (!other.namespaces.isEmpty() && namespaces.containsAll(other.namespaces)))
          && (pods == null || pods.isEverything() || pods.equals(other.pods));
    }

    /** In how many ways it is narrower than everything. */
    int specificity() {
      return (schedulerName.isEmpty() ? 0 : 1)
          + (namespaces.isEmpty() ? 0 : 1)
          + (pods == null || pods.isEverything() ? 0 : 1);
    }
  }

  public SchedulingPolicy {
    weights = Map.copyOf(weights);
  }

  public static SchedulingPolicy of(ObjectNode policy) {
    JsonNode spec = policy.path("spec");
    JsonNode scope = spec.path("scope");
    Set<String> namespaces = new HashSet<>();
    scope.path("namespaces").forEach(namespace -> namespaces.add(Meta.text(namespace)));
    JsonNode selector = scope.path("podSelector");
    Map<String, Integer> weights = new HashMap<>();
    spec.path("weights").forEachEntry((name, weight) -> weights.put(name, weight.asInt(0)));
    String version = Meta.resourceVersion(policy);
    return new SchedulingPolicy(
        Meta.name(policy),
        Meta.text(spec.path("policyVersion")),
        version.isEmpty() ? 0 : Long.parseLong(version),
        spec.path("active").asBoolean(true),
        spec.path("canaryPercent").asInt(PERCENT),
        new Scope(
            Meta.text(scope.path("schedulerName")),
            namespaces,
            selector.isObject() ? LabelSelector.fromJson(selector) : null),
        weights,
        spec.path("maxZoneSkew").asInt(0));
  }

  /**
   * Whether the pod is placed by it, if by no other. The same pod is in a share or not for ever.
   */
  boolean isFor(PodInfo pod) {
    return isActive && scope.contains(pod) && share(pod.uid()) < canaryPercent;
  }

  /** Whether every pod in the scope that is in a share of so many percent is one for this. */
  boolean isForAllOf(Scope other, int percent) {
    return isActive && canaryPercent >= percent && scope.containsAll(other);
  }

  /** A number below a hundred that belongs to the pod: a share that grows keeps those it has. */
  private static int share(String uid) {
    int hash = uid.hashCode() * GOLDEN;
    hash = (hash ^ (hash >>> 15)) * GOLDEN;
    return Integer.remainderUnsigned(hash ^ (hash >>> 13), PERCENT);
  }

  /** The profile as this policy has it. */
  public Profile on(Profile profile) {
    Profile changed = profile.withZoneSkew(maxZoneSkew);
    for (Map.Entry<String, Integer> weight : weights.entrySet()) {
      changed = changed.withWeight(weight.getKey(), weight.getValue());
    }
    return changed;
  }

  /** Whether pods are placed in the same way by both. */
  boolean placesLike(SchedulingPolicy other) {
    return weights.equals(other.weights) && maxZoneSkew == other.maxZoneSkew;
  }
}
