package dev.evenkeel.serve.caller;

import java.util.List;

/**
 * Who may do what. Until roles decide, members of {@code system:masters} may do everything and
 * nobody else anything.
 */
public final class Access {

  /** Why others may not. */
  public static final String REASON = "only members of " + Caller.MASTERS + " have access";

  private Access() {}

  public static boolean isAllowed(List<String> groups) {
    return groups.contains(Caller.MASTERS);
  }
}
