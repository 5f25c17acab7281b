package dev.evenkeel.decide.schedule.tenant;

import dev.evenkeel.decide.schedule.model.PodInfo;
import dev.evenkeel.kernel.fit.Demand;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What is left of namespaces' shares of zones. Used is what the quota's status says or what the
 * pods in the picture take, assumed ones among them, or what a refusal taught: whichever is more,
 * for each of them may be late.
 *
 * <p><b>Invariants:</b> what is seen of a quota is the sum over the pods of its namespace in its
 * zone. A quota is freed when less of it is used than before, or more may be; then it is told once.
 *
 * <p><b>Threading:</b> of the cluster's thread.
 */
public final class TenantBook {

  /** One quota. */
  private static final class Share {
    private TenantQuota quota;
    private final SortedMap<String, Long> seen = new TreeMap<>();

    /** What a refusal taught, until the picture shows the version that it is of. */
    private final SortedMap<String, Long> taught = new TreeMap<>();

    private long taughtVersion;

    Share(TenantQuota quota) {
      this.quota = quota;
    }

    long used(String resource) {
      return Math.max(
          quota.said().getOrDefault(resource, 0L),
          Math.max(seen.getOrDefault(resource, 0L), taught.getOrDefault(resource, 0L)));
    }

    long left(String resource) {
      return quota.hard().getOrDefault(resource, Long.MAX_VALUE) - used(resource);
    }

    void add(Demand demand, int sign) {
      demand
          .amounts()
          .forEach(
              (resource, amount) -> {
                if (quota.hard().containsKey(resource)) {
                  seen.merge(resource, sign * amount, Long::sum);
                }
              });
    }

    Map<String, Long> left() {
      Map<String, Long> left = new HashMap<>();
      quota.hard().keySet().forEach(resource -> left.put(resource, left(resource)));
      return left;
    }

    /** Whether there is more of anything than there was. */
    boolean hasMoreThan(Map<String, Long> before) {
      return before.entrySet().stream().anyMatch(was -> left(was.getKey()) > was.getValue());
    }
  }

  /** A pod in the picture, and the zone of its node. */
  public interface Pods {
    void forEach(java.util.function.BiConsumer<PodInfo, String> action);
  }

  private final Pods pods;
  private final Map<String, SortedMap<String, Share>> byNamespace = new HashMap<>();
  private Set<String> freed = new HashSet<>();

  public TenantBook(Pods pods) {
    this.pods = pods;
  }

  private @Nullable Share find(String key) {
    int slash = key.indexOf('/');
    SortedMap<String, Share> shares = byNamespace.get(key.substring(0, slash));
    return shares == null ? null : shares.get(key.substring(slash + 1));
  }

  /** As it is now; takes the place of the quota of that name. */
  public void put(TenantQuota quota) {
    Share known = find(quota.key());
    if (known == null) {
      var share = new Share(quota);
      byNamespace.computeIfAbsent(quota.namespace(), _ -> new TreeMap<>()).put(quota.name(), share);
      count(share);
      return;
    }
    Map<String, Long> before = known.left();
    boolean moved =
        !known.quota.zone().equals(quota.zone())
            || !known.quota.hard().keySet().equals(quota.hard().keySet());
    known.quota = quota;
    if (quota.version() > known.taughtVersion) {
      known.taught.clear();
    }
    if (moved) {
      known.seen.clear();
      known.taught.clear();
      count(known);
    }
    if (moved || known.hasMoreThan(before)) {
      freed.add(quota.key());
    }
  }

  private void count(Share share) {
    pods.forEach(
        (pod, zone) -> {
          if (pod.namespace().equals(share.quota.namespace()) && share.quota.isAbout(zone)) {
            share.add(pod.demand(), 1);
          }
        });
  }

  /**
   * @param key {@code namespace/name}
   */
  public void remove(String key) {
    int slash = key.indexOf('/');
    String namespace = key.substring(0, slash);
    SortedMap<String, Share> shares = byNamespace.get(namespace);
    if (shares != null && shares.remove(key.substring(slash + 1)) != null) {
      freed.add(key);
      if (shares.isEmpty()) {
        byNamespace.remove(namespace);
      }
    }
  }

  /** A pod came to a node of the zone. */
  public void added(PodInfo pod, String zone) {
    change(pod, zone, 1);
  }

  /** A pod left its node in the zone. */
  public void removed(PodInfo pod, String zone) {
    change(pod, zone, -1);
  }

  private void change(PodInfo pod, String zone, int sign) {
    SortedMap<String, Share> shares =
        byNamespace.isEmpty() ? null : byNamespace.get(pod.namespace());
    if (shares == null) {
      return;
    }
    for (Share share : shares.values()) {
      if (share.quota.isAbout(zone)) {
        Map<String, Long> before = sign > 0 ? Map.of() : share.left();
        share.add(pod.demand(), sign);
        if (share.hasMoreThan(before)) {
          freed.add(share.quota.key());
        }
      }
    }
  }

  /** A node is in another zone now. */
  public void moved(List<PodInfo> onNode, String before, String after) {
    if (!before.equals(after) && !byNamespace.isEmpty()) {
      for (PodInfo pod : onNode) {
        removed(pod, before);
        added(pod, after);
      }
    }
  }

  /**
   * A server refused a placement, for so much of a quota is used.
   *
   * @param version of the quota's ledger then
   */
  public void taught(String key, String resource, long used, long version) {
    Share share = find(key);
    if (share != null && version >= share.taughtVersion) {
      if (version > share.taughtVersion) {
        share.taught.clear();
      }
      share.taughtVersion = version;
      share.taught.put(resource, used);
    }
  }

  /** The picture of pods shows this version. */
  public void shown(long version) {
    for (SortedMap<String, Share> shares : byNamespace.values()) {
      for (Share share : shares.values()) {
        if (!share.taught.isEmpty() && share.taughtVersion <= version) {
          Map<String, Long> before = share.left();
          share.taught.clear();
          if (share.hasMoreThan(before)) {
            freed.add(share.quota.key());
          }
        }
      }
    }
  }

  /** Quotas that were freed since the last call, as {@code namespace/name}. */
  public Set<String> takeFreed() {
    if (freed.isEmpty()) {
      return Set.of();
    }
    Set<String> taken = freed;
    freed = new HashSet<>();
    return taken;
  }

  /** How many quotas a namespace has. */
  public int quotas(String namespace) {
    SortedMap<String, Share> shares = byNamespace.get(namespace);
    return shares == null ? 0 : shares.size();
  }

  /** The quotas that have no room for the pod; one of all zones comes first. */
  public List<Hold> holds(PodInfo pod) {
    SortedMap<String, Share> shares =
        byNamespace.isEmpty() ? null : byNamespace.get(pod.namespace());
    if (shares == null) {
      return List.of();
    }
    List<Hold> holds = new ArrayList<>(0);
    for (Share share : shares.values()) {
      String reason = reason(share, pod.demand());
      if (!reason.isEmpty()) {
        var hold = new Hold(share.quota.key(), share.quota.zone(), reason);
        holds.add(share.quota.zone().isEmpty() ? 0 : holds.size(), hold);
      }
    }
    return holds;
  }

  private static String reason(Share share, Demand demand) {
    List<String> lacks = new ArrayList<>(0);
    demand
        .amounts()
        .forEach(
            (resource, amount) -> {
              if (share.left(resource) < amount) {
                lacks.add(
                    "%s of %s %s used"
                        .formatted(
                            Units.text(resource, share.used(resource)),
                            Units.text(resource, share.quota.hard().getOrDefault(resource, 0L)),
                            resource));
              }
            });
    return lacks.isEmpty() ? "" : "quota/" + share.quota.name() + ": " + String.join(", ", lacks);
  }
}
