package dev.evenkeel.decide.schedule.judge;

import dev.evenkeel.decide.schedule.model.NodeInfo;
import dev.evenkeel.decide.schedule.model.PodInfo;
import dev.evenkeel.decide.schedule.volume.Claim;
import dev.evenkeel.decide.schedule.volume.ClaimBook;
import dev.evenkeel.decide.schedule.volume.StorageClass;
import dev.evenkeel.decide.schedule.volume.Volume;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the claims of one shape say of nodes.
 *
 * <p><b>Threading</b>: of the cluster's thread.
 */
public final class ShapeClaims {

  private static final Comparator<Volume> SMALLEST =
      Comparator.comparingLong(Volume::bytes).thenComparing(Volume::name);

  /**
   * A claim that is bound only when its pod is placed.
   *
   * @param volumes that it could have, the smallest first
   */
  private record Waiting(Claim claim, List<Volume> volumes) {}

  private final List<String> keys;
  private final ClaimBook book;
  private final List<Volume> bound = new ArrayList<>(0);
  private final List<Waiting> waiting = new ArrayList<>(0);
  private final List<String> exclusive = new ArrayList<>(0);
  private boolean misses;
  private @Nullable String refusal;
  private long seen = -1;
  private boolean isTaken;

  public ShapeClaims(List<String> keys, ClaimBook book) {
    this.keys = keys;
    this.book = book;
  }

  /** Whether all nodes are to be judged again. */
  public boolean refresh() {
    if (keys.isEmpty()) {
      return false;
    }
    boolean changed = seen != book.version();
    if (changed) {
      seen = book.version();
      read();
    }
    boolean wasTaken = isTaken;
    isTaken = users() > 0;
    return changed || isTaken != wasTaken;
  }

  private void read() {
    bound.clear();
    waiting.clear();
    exclusive.clear();
    misses = false;
    refusal = null;
    for (String key : keys) {
      Claim claim = book.claim(key);
      if (claim == null) {
        refuse("persistentvolumeclaim \"" + key.substring(key.indexOf('/') + 1) + "\" not found");
        continue;
      }
      if (claim.isLost()) {
        refuse(
            "persistentvolumeclaim \"%s\" bound to non-existent persistentvolume \"%s\""
                .formatted(claim.name(), claim.volume()));
      } else if (claim.isDeleting()) {
        refuse("persistentvolumeclaim \"" + claim.name() + "\" is being deleted");
      }
      if (claim.accessModes().contains(Claim.ONE_POD)) {
        exclusive.add(key);
      }
      if (claim.isBound()) {
        Volume volume = book.volume(claim.volume());
        misses |= volume == null;
        if (volume != null) {
          bound.add(volume);
        }
      } else if (waitsForPod(claim)) {
        List<Volume> suiting =
            book.volumes().stream().filter(volume -> volume.suits(claim)).sorted(SMALLEST).toList();
        waiting.add(new Waiting(claim, suiting));
      } else {
        refuse("pod has unbound immediate PersistentVolumeClaims");
      }
    }
    waiting.sort(
        Comparator.comparingLong((Waiting each) -> each.claim.bytes())
            .thenComparing(each -> each.claim.key()));
  }

  private void refuse(String why) {
    refusal = refusal == null ? why : refusal;
  }

  private boolean waitsForPod(Claim claim) {
    StorageClass storageClass = book.storageClass(claim.storageClass());
    return claim.volume().isEmpty() && storageClass != null && storageClass.waitsForPod();
  }

  /** Why no node can do; null if one could. */
  public @Nullable String refusal() {
    return refusal;
  }

  /** How often claims that one pod alone may use are used. */
  private int users() {
    int users = 0;
    for (int i = 0; i < exclusive.size(); i++) {
      users += book.users(exclusive.get(i));
    }
    return users;
  }

  /** How many of these a pod uses. */
  public int sharedBy(PodInfo pod) {
    int shared = 0;
    for (int i = 0; i < exclusive.size(); i++) {
      shared += pod.shape().claims().contains(exclusive.get(i)) ? 1 : 0;
    }
    return shared;
  }

  /**
   * @param more how many more uses there were of claims that one pod alone may use
   */
  public int verdict(NodeInfo node, int more) {
    if (keys.isEmpty()) {
      return Reasons.FITS;
    }
    if (!exclusive.isEmpty() && users() + more > 0) {
      return Reasons.CLAIM_TAKEN;
    }
    if (misses) {
      return Reasons.VOLUME_GONE;
    }
    for (Volume volume : bound) {
      if (!volume.selection().matches(node)) {
        return Reasons.VOLUME_NODE;
      }
    }
    if (!canBind(node)) {
      return Reasons.VOLUME_NONE;
    }
    for (Volume volume : bound) {
      if (!volume.isInZoneOf(node)) {
        return Reasons.VOLUME_ZONE;
      }
    }
    return Reasons.FITS;
  }

  /** Whether each claim that waits would find a volume of its own, or have one made. */
  private boolean canBind(NodeInfo node) {
    if (waiting.isEmpty()) {
      return true;
    }
    Set<String> chosen = new HashSet<>();
    for (Waiting each : waiting) {
      Volume found = null;
      for (int i = 0; found == null && i < each.volumes.size(); i++) {
        Volume volume = each.volumes.get(i);
        if (!chosen.contains(volume.name()) && volume.selection().matches(node)) {
          found = volume;
        }
      }
      if (found != null) {
        chosen.add(found.name());
        continue;
      }
      StorageClass storageClass = book.storageClass(each.claim.storageClass());
      if (storageClass == null || !storageClass.makesVolumesFor(node)) {
        return false;
      }
    }
    return true;
  }
}
