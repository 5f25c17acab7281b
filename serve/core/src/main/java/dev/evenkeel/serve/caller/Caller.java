package dev.evenkeel.serve.caller;

import java.util.List;
import java.util.Map;

/**
 * Who asks.
 *
 * @param uid empty if it is not known
 * @param extra what else is said of them, for others to judge
 */
public record Caller(
    String name, List<String> groups, String uid, Map<String, List<String>> extra) {
  /** Whoever is in it may do everything. */
  public static final String MASTERS = "system:masters";

  public Caller {
    groups = List.copyOf(groups);
  }

  public Caller(String name, List<String> groups) {
    this(name, groups, "", Map.of());
  }

  public boolean isMaster() {
    return groups.contains(MASTERS);
  }
}
