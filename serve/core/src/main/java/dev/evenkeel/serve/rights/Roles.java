package dev.evenkeel.serve.rights;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What the roles say that somebody is bound to, as themselves or as a member of a group.
 *
 * <p><b>Invariants:</b> what is kept for an identity counts for one epoch of the index, and is made
 * anew after it.
 *
 * <p><b>Threading:</b> any.
 */
final class Roles implements Authorizer {

  /**
   * Of more identities than that nothing is kept: whoever makes up names must not fill the heap.
   */
  static final int IDENTITIES_MAX = 4_096;

  private final RoleIndex index;
  private final ConcurrentHashMap<Identity, Holdings> known = new ConcurrentHashMap<>();

  private record Identity(String user, List<String> groups) {}

  Roles(RoleIndex index) {
    this.index = index;
  }

  /** What somebody holds, as the caches show it now. */
  Holdings holdings(String user, List<String> groups) {
    long epoch = index.look();
    var identity = new Identity(user, groups);
    Holdings kept = known.get(identity);
    if (kept != null && kept.epoch() >= epoch) {
      return kept;
    }
    Holdings made = index.holdings(user, groups);
    if (known.size() >= IDENTITIES_MAX && kept == null) {
      known.clear();
    }
    known.put(identity, made);
    return made;
  }

  int identities() {
    return known.size();
  }

  /** The rules of a role as the caches show them now; null if there is none. */
  @Nullable List<Rule> rules(String namespace, String name) {
    var _ = index.look();
    return index.rules(Grant.roleKey(namespace, name));
  }

  @Override
  public Verdict decide(Attributes wanted) {
    Holdings holdings = holdings(wanted.user(), wanted.groups());
    Verdict allowed = holdings.allowing(wanted);
    if (allowed != null) {
      return allowed;
    }
    String reason = reason(holdings, wanted);
    return reason.isEmpty() ? Verdict.NO_OPINION : new Verdict(Verdict.Decision.NO_OPINION, reason);
  }

  private static String reason(Holdings holdings, Attributes wanted) {
    List<String> missing = holdings.missingRoles(wanted.namespace());
    String miss = NearestMiss.of(holdings, wanted);
    if (missing.isEmpty()) {
      return miss;
    }
    String roles =
        "RBAC: "
            + (missing.size() == 1 ? missing.getFirst() : "[" + String.join(", ", missing) + "]");
    return miss.isEmpty() ? roles : roles + "; " + miss;
  }
}
