package dev.evenkeel.decide.schedule.column;

import dev.evenkeel.decide.schedule.model.NodeInfo;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * On how many nodes each image is.
 *
 * <p><b>Threading</b>: of the cluster's thread.
 */
public final class Images {

  private final Map<String, Integer> nodesByName = new HashMap<>();
  private long version;

  void changed(@Nullable NodeInfo before, @Nullable NodeInfo after) {
    Map<String, Long> had = before == null ? Map.of() : before.images();
    Map<String, Long> has = after == null ? Map.of() : after.images();
    // How rare an image is depends on how many nodes there are.
    if ((before == null) != (after == null) || !had.equals(has)) {
      version++;
    }
    had.keySet().forEach(name -> nodesByName.merge(name, -1, Images::sum));
    has.keySet().forEach(name -> nodesByName.merge(name, 1, Images::sum));
  }

  private static @Nullable Integer sum(Integer was, Integer more) {
    return was + more == 0 ? null : Integer.valueOf(was + more);
  }

  /** Grows with each change that can change a score. */
  public long version() {
    return version;
  }

  public int nodesWith(String name) {
    return nodesByName.getOrDefault(name, 0);
  }

  public boolean hasAny(List<String> names) {
    for (int i = 0; i < names.size(); i++) {
      if (nodesByName.containsKey(names.get(i))) {
        return true;
      }
    }
    return false;
  }
}
