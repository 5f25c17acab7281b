package dev.evenkeel.kernel.apply;

import java.util.ArrayList;
import java.util.List;

/** Others own what a configuration wants to be different. */
public final class ConflictException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * One field and its owner.
   *
   * @param manager as it is printed
   */
  public record Conflict(String manager, FieldSet.Path path) {}

  private final transient List<Conflict> conflicts;

  /**
   * @param conflicts sorted by manager
   */
  public ConflictException(List<Conflict> conflicts) {
    super(message(conflicts));
    this.conflicts = List.copyOf(conflicts);
  }

  public List<Conflict> conflicts() {
    return conflicts;
  }

  /** The conflicts that the set does not excuse. */
  public List<Conflict> without(FieldSet excused) {
    return conflicts.stream().filter(one -> !excused.has(one.path().elements())).toList();
  }

  private static String message(List<Conflict> conflicts) {
    if (conflicts.size() == 1) {
      Conflict only = conflicts.getFirst();
      return "Apply failed with 1 conflict: conflict with " + only.manager() + ": " + only.path();
    }
    List<String> lines = new ArrayList<>();
    String last = "";
    for (Conflict conflict : conflicts) {
      if (!conflict.manager().equals(last)) {
        lines.add("conflicts with " + conflict.manager() + ":");
        last = conflict.manager();
      }
      lines.add("- " + conflict.path());
    }
    return "Apply failed with " + conflicts.size() + " conflicts: " + String.join("\n", lines);
  }
}
