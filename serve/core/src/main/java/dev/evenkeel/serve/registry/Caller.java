package dev.evenkeel.serve.registry;

import java.util.List;

/** Who asks. */
public record Caller(String name, List<String> groups) {
  /** Whoever is in it may do everything. */
  static final String MASTERS = "system:masters";

  public Caller {
    groups = List.copyOf(groups);
  }

  public boolean isMaster() {
    return groups.contains(MASTERS);
  }
}
