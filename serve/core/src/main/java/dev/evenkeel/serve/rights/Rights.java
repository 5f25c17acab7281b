package dev.evenkeel.serve.rights;

import dev.evenkeel.serve.cache.KindCache;
import dev.evenkeel.serve.caller.Caller;
import dev.evenkeel.serve.resource.ResourceTable;
import dev.evenkeel.store.Store;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Who may do what: members of {@code system:masters} everything, others what an authorizer allows
 * them. The first that has an opinion decides.
 *
 * <p><b>Threading:</b> any.
 */
public final class Rights {

  static final String GROUP = "rbac.authorization.k8s.io";

  /** What masters may, whatever bindings there are. */
  private static final List<Rule> EVERYTHING =
      List.of(
          new Rule(List.of("*"), List.of("*"), List.of("*"), List.of(), List.of()),
          new Rule(List.of("*"), List.of(), List.of(), List.of(), List.of("*")));

  private final Store store;
  private final List<KindCache> caches;
  private final Roles roles;
  private final List<Authorizer> authorizers;

  /** What somebody may do in a namespace, and what is wrong with what they hold. */
  public record Allowed(List<Rule> rules, String fault) {}

  public Rights(Store store, ResourceTable resources) {
    this.store = store;
    var index =
        new RoleIndex(
            cache(resources, "roles"),
            cache(resources, "clusterroles"),
            cache(resources, "rolebindings"),
            cache(resources, "clusterrolebindings"));
    this.caches = index.caches();
    this.roles = new Roles(index);
    this.authorizers = List.of(roles);
  }

  private static KindCache cache(ResourceTable resources, String plural) {
    return resources.at(GROUP, "v1", plural).cache();
  }

  /** Whether it is about a kind whose objects give rights. */
  public static boolean areGivenBy(String group) {
    return group.equals(GROUP);
  }

  /** Answered when roles and bindings are known. */
  public CompletableFuture<@Nullable Void> ready() {
    return allOf(caches.stream().map(KindCache::ready).toList());
  }

  boolean isReady() {
    for (KindCache cache : caches) {
      if (!cache.isReady()) {
        return false;
      }
    }
    return true;
  }

  /** Answered when all is known that was written before it was asked for. */
  public CompletableFuture<@Nullable Void> newest() {
    return ready()
        .thenCompose(_ -> store.currentRevision())
        .thenCompose(
            revision -> allOf(caches.stream().map(cache -> cache.atLeast(revision)).toList()));
  }

  private static CompletableFuture<@Nullable Void> allOf(
      List<? extends CompletableFuture<?>> futures) {
    return CompletableFuture.allOf(futures.toArray(CompletableFuture<?>[]::new))
        .thenApply(_ -> null);
  }

  /** The answer as the caches show it now. A no says why, for whoever may know it. */
  public Verdict decide(Attributes wanted) {
    if (wanted.isMaster()) {
      return Verdict.ALLOWED;
    }
    String reason = "";
    for (Authorizer authorizer : authorizers) {
      Verdict verdict = authorizer.decide(wanted);
      if (verdict.decision() != Verdict.Decision.NO_OPINION) {
        return verdict;
      }
      reason = reason.isEmpty() ? verdict.reason() : reason + "; " + verdict.reason();
    }
    return reason.isEmpty() ? Verdict.NO_OPINION : new Verdict(Verdict.Decision.NO_OPINION, reason);
  }

  /**
   * The same, but a no rests on all that was written before the question: whoever was just given a
   * right has it, whichever server they ask.
   */
  public CompletableFuture<Verdict> decideOnNewest(Attributes wanted) {
    if (wanted.isMaster() || isReady()) {
      Verdict verdict = decide(wanted);
      if (verdict.isAllowed()) {
        return CompletableFuture.completedFuture(verdict);
      }
    }
    return newest().thenApply(_ -> decide(wanted));
  }

  /** All that somebody may do in a namespace. */
  public Allowed rules(Caller caller, String namespace) {
    Holdings holdings = roles.holdings(caller.name(), caller.groups());
    List<Rule> rules = holdings.rules(namespace);
    if (caller.isMaster() && !Coverage.missing(rules, EVERYTHING).isEmpty()) {
      rules.addAll(0, EVERYTHING);
    }
    List<String> missing = holdings.missingRoles(namespace);
    return new Allowed(
        rules,
        missing.size() > 1 ? "[" + String.join(", ", missing) + "]" : String.join("", missing));
  }

  /** The rules of a role; null if there is none. */
  @Nullable List<Rule> rulesOf(String namespace, String name) {
    return roles.rules(namespace, name);
  }
}
