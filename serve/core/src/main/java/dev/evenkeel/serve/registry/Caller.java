package dev.evenkeel.serve.registry;

import java.util.List;

/** Who asks. */
public record Caller(String name, List<String> groups) {
  public Caller {
    groups = List.copyOf(groups);
  }
}
