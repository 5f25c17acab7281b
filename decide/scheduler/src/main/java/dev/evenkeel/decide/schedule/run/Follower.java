package dev.evenkeel.decide.schedule.run;

import dev.evenkeel.decide.schedule.group.GroupBook;
import dev.evenkeel.decide.schedule.group.KnownGroup;
import dev.evenkeel.decide.schedule.model.Budget;
import dev.evenkeel.decide.schedule.model.NodeInfo;
import dev.evenkeel.decide.schedule.model.PodInfo;
import dev.evenkeel.decide.schedule.model.WakeOn;
import dev.evenkeel.decide.schedule.place.Cluster;
import dev.evenkeel.decide.schedule.policy.PolicyBook;
import dev.evenkeel.decide.schedule.policy.SchedulingPolicy;
import dev.evenkeel.decide.schedule.queue.SchedulingQueue;
import dev.evenkeel.decide.schedule.tenant.TenantQuota;
import dev.evenkeel.decide.schedule.volume.Claim;
import dev.evenkeel.decide.schedule.volume.StorageClass;
import dev.evenkeel.decide.schedule.volume.Volume;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.observe.cache.Change;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kind;
import dev.evenkeel.observe.object.Kinds;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Brings the server's changes into the picture of the cluster and the queue, and notes whom they
 * can help.
 *
 * <p><b>Threading:</b> of the scheduler's loop.
 */
final class Follower {

  /** All that the picture is made of. */
  static final List<Kind<ObjectNode>> ALL =
      List.of(
          Kinds.NODES,
          Kinds.NAMESPACES,
          Kinds.SERVICES,
          Kinds.DISRUPTION_BUDGETS,
          Kinds.STORAGE_CLASSES,
          Kinds.VOLUMES,
          Kinds.VOLUME_CLAIMS,
          Kinds.TENANT_QUOTAS,
          Kinds.SCHEDULING_POLICIES,
          Kinds.POD_GROUPS,
          Kinds.PODS);

  private final Cluster cluster;
  private final SchedulingQueue queue;
  private final PolicyBook policies;
  private final GroupBook groups;
  private final Predicate<String> isOurs;
  private final EnumSet<WakeOn> changes = EnumSet.noneOf(WakeOn.class);

  /** Versions in which pods have the nodes that were given to them here, until they are seen. */
  private final Map<String, Long> bound = new HashMap<>();

  private String lastChange = "";
  private long podsVersion;
  private long nodesVersion;
  private long quotasVersion;

  /**
   * @param isOurs whether pods that name this scheduler are to be placed here
   */
  Follower(
      Cluster cluster,
      SchedulingQueue queue,
      PolicyBook policies,
      GroupBook groups,
      Predicate<String> isOurs) {
    this.cluster = cluster;
    this.queue = queue;
    this.policies = policies;
    this.groups = groups;
    this.isOurs = isOurs;
  }

  /** The version of pods that the picture shows. */
  long podsVersion() {
    return podsVersion;
  }

  long nodesVersion() {
    return nodesVersion;
  }

  /** The version of tenants' quotas that the picture shows. */
  long quotasVersion() {
    return quotasVersion;
  }

  /** The server has committed an assumption: the picture shows it already. */
  void bound(String uid, long version) {
    if (version > podsVersion) {
      bound.put(uid, version);
    }
  }

  /** Wakes those who may have room that was promised to others, if some is so no longer. */
  void wakeReleased() {
    Set<String> nodes = cluster.takeReleased();
    if (!nodes.isEmpty()) {
      queue.wake(
          EnumSet.of(WakeOn.ROOM_RELEASED),
          Set.of(),
          "room on node \"%s\" is not held any more".formatted(nodes.iterator().next()));
    }
  }

  /** Wakes those whom the changes since the last call can help. */
  void wake() {
    wakeReleased();
    Set<String> freed = cluster.tenants().takeFreed();
    if (!changes.isEmpty() || !freed.isEmpty()) {
      queue.wake(
          changes,
          freed,
          freed.isEmpty() ? lastChange : "TenantQuota/" + freed.iterator().next() + " was freed");
      changes.clear();
    }
    Set<String> members = groups.takeWoken();
    if (!members.isEmpty()) {
      queue.wake(members, "its pod group changed");
    }
  }

  private void changed(WakeOn what, Cached<?> object) {
    changes.add(what);
    lastChange = object.kind().gvk().kind() + "/" + object.name() + " changed";
  }

  void apply(Change<ObjectNode> change) {
    switch (change.newest().kind().plural()) {
      case "pods" -> pod(change);
      case "nodes" -> node(change);
      case "namespaces" -> namespace(change);
      case "services" -> service(change);
      case "poddisruptionbudgets" -> budget(change);
      case "tenantquotas" -> quota(change);
      case "schedulingpolicies" -> policy(change);
      case "podgroups" -> group(change);
      default -> storage(change);
    }
  }

  private void pod(Change<ObjectNode> change) {
    podsVersion = Math.max(podsVersion, change.version());
    Cached<ObjectNode> before = change.before();
    Cached<ObjectNode> after = change.after();
    if (before != null && (after == null || !after.uid().equals(before.uid()))) {
      gone(before.uid(), before);
    }
    if (after == null) {
      return;
    }
    Long own = bound.get(after.uid());
    if (own != null && after.version() >= own) {
      bound.remove(after.uid());
      if (after.version() == own && cluster.nodeOf(after.uid()) != null) {
        changed(WakeOn.POD_ADDED_OR_LABELED, after);
        return;
      }
    }
    PodInfo pod = PodInfo.of(after.tree());
    if (pod.hasEnded()) {
      gone(pod.uid(), after);
      if (!pod.nodeName().isEmpty() && isDone(after)) {
        groups.hasNode(pod);
      }
    } else if (!pod.nodeName().isEmpty()) {
      queue.remove(pod.uid());
      groups.hasNode(pod);
      cluster.removeNomination(pod.uid());
      cluster.put(pod);
      changed(WakeOn.POD_ADDED_OR_LABELED, after);
    } else if (pod.isDeleting() || !isOurs.test(pod.schedulerName())) {
      gone(pod.uid(), after);
    } else if (cluster.nodeOf(pod.uid()) == null) {
      queue.put(after, pod);
      groups.waits(pod);
      if (!pod.nominatedNode().isEmpty()) {
        cluster.nominate(pod, pod.nominatedNode());
      }
    } else if (queue.find(pod.uid()) != null) {
      // It is being bound. Should that fail, what is known of it then is this. If it is not in the
      // queue, it was bound, and this is a state from before.
      queue.put(after, pod);
      groups.waits(pod);
    }
  }

  /** Of a group's pods those count that did what they were to do: they are not to come again. */
  private static boolean isDone(Cached<ObjectNode> pod) {
    return Meta.text(pod.tree().path("status").path("phase")).equals("Succeeded");
  }

  private void gone(String uid, Cached<ObjectNode> object) {
    bound.remove(uid);
    groups.gone(uid);
    queue.remove(uid);
    cluster.removeNomination(uid);
    if (cluster.nodeOf(uid) != null) {
      cluster.removePod(uid);
      changed(WakeOn.POD_REMOVED, object);
    }
  }

  private void node(Change<ObjectNode> change) {
    nodesVersion = Math.max(nodesVersion, change.version());
    Cached<ObjectNode> after = change.after();
    if (after == null) {
      cluster.removeNode(change.newest().name());
      // Its domains may have gone with it, and with them what was too few there.
      changed(WakeOn.NODE_LABELS, change.newest());
      return;
    }
    NodeInfo now = NodeInfo.of(after.tree());
    NodeInfo was = cluster.node(now.name());
    if (was == null) {
      cluster.put(now);
      changed(WakeOn.NODE_ADDED, after);
      return;
    }
    EnumSet<WakeOn> what = EnumSet.noneOf(WakeOn.class);
    if (!was.allocatable().equals(now.allocatable())) {
      what.add(WakeOn.NODE_ALLOCATABLE);
    }
    if (!was.labels().equals(now.labels())) {
      what.add(WakeOn.NODE_LABELS);
    }
    if (!was.taints().equals(now.taints()) || was.unschedulable() != now.unschedulable()) {
      what.add(WakeOn.NODE_TAINTS);
    }
    // Heartbeats change nothing of this.
    if (!what.isEmpty() || !was.images().equals(now.images()) || !was.uid().equals(now.uid())) {
      cluster.put(now);
    }
    what.forEach(each -> changed(each, after));
  }

  private void namespace(Change<ObjectNode> change) {
    Cached<ObjectNode> after = change.after();
    if (after == null) {
      cluster.removeNamespace(change.newest().name());
    } else {
      cluster.putNamespace(after.name(), after.labels());
    }
    changed(WakeOn.NAMESPACE, change.newest());
  }

  private void service(Change<ObjectNode> change) {
    Cached<ObjectNode> after = change.after();
    Cached<ObjectNode> newest = change.newest();
    if (after == null) {
      cluster.removeService(newest.namespace(), newest.name());
    } else {
      cluster.putService(
          after.namespace(),
          after.name(),
          Meta.strings(after.tree().path("spec").path("selector")));
    }
  }

  private void quota(Change<ObjectNode> change) {
    quotasVersion = Math.max(quotasVersion, change.version());
    Cached<ObjectNode> after = change.after();
    if (after == null) {
      cluster.tenants().remove(change.newest().key());
    } else {
      cluster.tenants().put(TenantQuota.of(after.tree()));
    }
  }

  private void group(Change<ObjectNode> change) {
    Cached<ObjectNode> after = change.after();
    if (after == null) {
      groups.remove(change.newest().key());
    } else {
      groups.put(KnownGroup.of(after.tree()));
    }
  }

  private void policy(Change<ObjectNode> change) {
    Cached<ObjectNode> after = change.after();
    if (after == null) {
      policies.remove(change.newest().name());
    } else {
      policies.put(SchedulingPolicy.of(after.tree()));
    }
    changed(WakeOn.POLICY, change.newest());
  }

  private void budget(Change<ObjectNode> change) {
    Cached<ObjectNode> after = change.after();
    if (after == null) {
      cluster.removeBudget(change.newest().key());
    } else {
      cluster.put(Budget.of(after.tree()));
    }
  }

  private void storage(Change<ObjectNode> change) {
    Cached<ObjectNode> newest = change.newest();
    @Nullable ObjectNode tree = change.after() == null ? null : newest.tree();
    switch (newest.kind().plural()) {
      case "persistentvolumeclaims" -> {
        if (tree == null) {
          cluster.claims().removeClaim(newest.key());
        } else {
          cluster.claims().put(Claim.of(tree));
        }
      }
      case "persistentvolumes" -> {
        if (tree == null) {
          cluster.claims().removeVolume(newest.name());
        } else {
          cluster.claims().put(Volume.of(tree));
        }
      }
      case "storageclasses" -> {
        if (tree == null) {
          cluster.claims().removeClass(newest.name());
        } else {
          cluster.claims().put(StorageClass.of(tree));
        }
      }
      default -> throw new IllegalStateException("nobody follows " + newest.kind());
    }
    changed(WakeOn.CLAIM, newest);
  }
}
