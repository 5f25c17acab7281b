package dev.evenkeel.decide.schedule.group;

import dev.evenkeel.decide.schedule.model.PodInfo;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which groups there are, and which pods are of them: those that wait for a node and those that
 * have one. Pods may be here before their group, and without it.
 *
 * <p><b>Invariants:</b> a pod is in one group at most, and there it waits or has a node. What is
 * kept of a group that is gone is what its pods need.
 *
 * <p><b>Threading:</b> of the scheduler's loop.
 */
public final class GroupBook {

  private static final class Entry {
    @Nullable KnownGroup group;
    final Map<String, PodInfo> waiting = new LinkedHashMap<>();
    final Set<String> placed = new HashSet<>();

    boolean isEmpty() {
      return group == null && waiting.isEmpty() && placed.isEmpty();
    }
  }

  private final Map<String, Entry> entries = new HashMap<>();
  private final Map<String, String> keyByUid = new HashMap<>();
  private final Set<String> changed = new LinkedHashSet<>();
  private final Set<String> woken = new LinkedHashSet<>();

  /** {@code namespace/name} of the group that the pod says it is of. */
  public static String key(PodInfo pod) {
    return pod.namespace() + "/" + pod.group();
  }

  private Entry entry(String key) {
    changed.add(key);
    return entries.computeIfAbsent(key, _ -> new Entry());
  }

  private void tidy(String key) {
    Entry entry = entries.get(key);
    if (entry != null && entry.isEmpty()) {
      entries.remove(key);
    }
  }

  // ---- what happens

  /** A group as it is now. */
  public void put(KnownGroup group) {
    Entry entry = entry(group.key());
    KnownGroup before = entry.group;
    entry.group = group;
    if (before == null || !before.asks(group)) {
      woken.addAll(entry.waiting.keySet());
    }
  }

  /**
   * @param key {@code namespace/name}
   */
  public void remove(String key) {
    Entry entry = entry(key);
    entry.group = null;
    woken.addAll(entry.waiting.keySet());
    tidy(key);
  }

  /** A pod wants a node, or has changed while it does. */
  public void waits(PodInfo pod) {
    if (pod.group().isEmpty() && !keyByUid.containsKey(pod.uid())) {
      return;
    }
    String key = key(pod);
    if (!key.equals(keyByUid.get(pod.uid()))) {
      gone(pod.uid());
    }
    if (!pod.group().isEmpty()) {
      Entry entry = entry(key);
      keyByUid.put(pod.uid(), key);
      entry.placed.remove(pod.uid());
      entry.waiting.put(pod.uid(), pod);
    }
  }

  /** A pod has a node; or had one, and did on it what it was to do. */
  public void hasNode(PodInfo pod) {
    if (pod.group().isEmpty()) {
      if (keyByUid.containsKey(pod.uid())) {
        gone(pod.uid());
      }
      return;
    }
    String key = key(pod);
    if (!key.equals(keyByUid.get(pod.uid()))) {
      gone(pod.uid());
    }
    Entry entry = entry(key);
    keyByUid.put(pod.uid(), key);
    entry.waiting.remove(pod.uid());
    boolean wasEnough = isEnough(entry);
    entry.placed.add(pod.uid());
    if (!wasEnough && isEnough(entry)) {
      // From now on each is placed by itself.
      woken.addAll(entry.waiting.keySet());
    }
  }

  private static boolean isEnough(Entry entry) {
    return entry.group != null && entry.placed.size() >= entry.group.minimum();
  }

  /** A pod is gone, has failed, or is nobody's to place. */
  public void gone(String uid) {
    String key = keyByUid.remove(uid);
    woken.remove(uid);
    if (key != null) {
      Entry entry = entry(key);
      entry.waiting.remove(uid);
      entry.placed.remove(uid);
      tidy(key);
    }
  }

  // ---- what is so

  public @Nullable KnownGroup group(String key) {
    Entry entry = entries.get(key);
    return entry == null ? null : entry.group;
  }

  /** How many have a node. */
  public int placed(String key) {
    Entry entry = entries.get(key);
    return entry == null ? 0 : entry.placed.size();
  }

  /** Those that wait for a node and for nothing else. */
  public List<PodInfo> ready(String key) {
    Entry entry = entries.get(key);
    List<PodInfo> ready = new ArrayList<>();
    if (entry != null) {
      entry.waiting.values().stream().filter(it -> it.gates().isEmpty()).forEach(ready::add);
    }
    return ready;
  }

  /** All pods of it, also those behind a gate. */
  public int members(String key) {
    Entry entry = entries.get(key);
    return entry == null ? 0 : entry.placed.size() + entry.waiting.size();
  }

  // ---- who is to be looked at

  /** Groups of which something changed since the last call. */
  public Collection<String> takeChanged() {
    if (changed.isEmpty()) {
      return List.of();
    }
    List<String> keys = List.copyOf(changed);
    changed.clear();
    return keys;
  }

  /** As if something had changed of all of them. */
  public void changedAll() {
    changed.addAll(entries.keySet());
  }

  /** Something else changed that the group's object may have to say. */
  public void changed(String key) {
    changed.add(key);
  }

  /** Pods to whom changes of their group since the last call matter, by uid. */
  public Set<String> takeWoken() {
    if (woken.isEmpty()) {
      return Set.of();
    }
    Set<String> uids = Set.copyOf(woken);
    woken.clear();
    return uids;
  }
}
