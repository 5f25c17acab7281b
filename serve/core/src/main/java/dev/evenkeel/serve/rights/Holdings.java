package dev.evenkeel.serve.rights;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What one identity holds at one epoch of the index.
 *
 * <p><b>Threading:</b> filled by one thread, then never changed.
 */
final class Holdings {

  /** A role that is held: all verdicts that it gives are the same one. */
  record Held(Grant grant, List<Rule> rules, boolean hasRole, Verdict allowed) {}

  private final long epoch;
  private final List<Held> everywhere = new ArrayList<>();
  private final Map<String, List<Held>> byNamespace = new TreeMap<>();

  Holdings(long epoch) {
    this.epoch = epoch;
  }

  void add(Grant grant, Grant.Subject subject, @Nullable List<Rule> rules) {
    if (!grant.roleKnown()) {
      return;
    }
    var held =
        new Held(
            grant,
            rules == null ? List.of() : rules,
            rules != null,
            new Verdict(Verdict.Decision.ALLOWED, grant.allowedBy(subject)));
    if (grant.namespace().isEmpty()) {
      everywhere.add(held);
    } else {
      byNamespace.computeIfAbsent(grant.namespace(), _ -> new ArrayList<>()).add(held);
    }
  }

  long epoch() {
    return epoch;
  }

  List<Held> everywhere() {
    return everywhere;
  }

  List<Held> in(String namespace) {
    return namespace.isEmpty() ? List.of() : byNamespace.getOrDefault(namespace, List.of());
  }

  /** By namespace, without what is held everywhere. */
  Map<String, List<Held>> byNamespace() {
    return byNamespace;
  }

  /** The verdict of the first role that allows it, null if none does. */
  @Nullable Verdict allowing(Attributes wanted) {
    String resource = wanted.resourcePath();
    Verdict verdict = allowing(everywhere, wanted, resource);
    return verdict == null ? allowing(in(wanted.namespace()), wanted, resource) : verdict;
  }

  private static @Nullable Verdict allowing(List<Held> all, Attributes wanted, String resource) {
    for (Held held : all) {
      for (Rule rule : held.rules()) {
        if (rule.allows(wanted, resource)) {
          return held.allowed();
        }
      }
    }
    return null;
  }

  /** What may be done in a namespace, or everywhere if it is empty. */
  List<Rule> rules(String namespace) {
    List<Rule> rules = new ArrayList<>();
    everywhere.forEach(held -> rules.addAll(held.rules()));
    in(namespace).forEach(held -> rules.addAll(held.rules()));
    return rules;
  }

  /** Of roles that are held and are not there, in upstream's words. */
  List<String> missingRoles(String namespace) {
    List<String> missing = new ArrayList<>();
    Predicate<Held> isMissing = held -> !held.hasRole();
    everywhere.stream()
        .filter(isMissing)
        .forEach(held -> missing.add(held.grant().roleIsMissing()));
    in(namespace).stream()
        .filter(isMissing)
        .forEach(held -> missing.add(held.grant().roleIsMissing()));
    return missing.stream().distinct().toList();
  }
}
