package dev.evenkeel.serve.registry;

import java.util.List;

/**
 * Who may do what. Until roles decide, members of {@code system:masters} may do everything and
 * nobody else anything.
 */
final class Access {

  /** Why others may not. */
  static final String REASON = "only members of " + Caller.MASTERS + " have access";

  private Access() {}

  static boolean isAllowed(List<String> groups) {
    return groups.contains(Caller.MASTERS);
  }
}
