package dev.evenkeel.decide.schedule.volume;

import dev.evenkeel.decide.schedule.model.PodInfo;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All claims, volumes and classes, and how many pods on nodes use each claim.
 *
 * <p><b>Threading</b>: of the cluster's thread.
 */
public final class ClaimBook {

  private final Map<String, Claim> claims = new HashMap<>();
  private final Map<String, Volume> volumes = new TreeMap<>();
  private final Map<String, StorageClass> classes = new HashMap<>();
  private final Map<String, Integer> users = new HashMap<>();
  private long version;

  public void put(Claim claim) {
    changed(!claim.equals(claims.put(claim.key(), claim)));
  }

  public void removeClaim(String key) {
    changed(claims.remove(key) != null);
  }

  public void put(Volume volume) {
    changed(!volume.equals(volumes.put(volume.name(), volume)));
  }

  public void removeVolume(String name) {
    changed(volumes.remove(name) != null);
  }

  public void put(StorageClass storageClass) {
    changed(!storageClass.equals(classes.put(storageClass.name(), storageClass)));
  }

  public void removeClass(String name) {
    changed(classes.remove(name) != null);
  }

  private void changed(boolean really) {
    version += really ? 1 : 0;
  }

  /**
   * @param sign 1 if the pod came to a node, -1 if it left
   */
  public void podChanged(PodInfo pod, int sign) {
    for (String claim : pod.shape().claims()) {
      users.merge(claim, sign, (was, more) -> was + more == 0 ? null : Integer.valueOf(was + more));
    }
  }

  /** Grows with each change but those of who uses what. */
  public long version() {
    return version;
  }

  public int users(String claim) {
    return users.getOrDefault(claim, 0);
  }

  public @Nullable Claim claim(String key) {
    return claims.get(key);
  }

  public @Nullable Volume volume(String name) {
    return volumes.get(name);
  }

  /** In the order of their names. */
  public Collection<Volume> volumes() {
    return volumes.values();
  }

  public @Nullable StorageClass storageClass(String name) {
    return classes.get(name);
  }
}
