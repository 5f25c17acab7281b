package dev.evenkeel.serve.policy;

import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.kernel.tree.SortedTree;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.kinds.policy.Binding;
import dev.evenkeel.serve.kinds.policy.Policy;
import dev.evenkeel.serve.kinds.policy.PolicyReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/**
 * The policies of one kind that are bound, compiled, as of a state of the caches.
 *
 * <p><b>Threading:</b> immutable.
 */
final class InForce {

  static final InForce NONE =
      new InForce(SortedTree.empty(), SortedTree.empty(), Map.of(), List.of());

  /** A policy with what puts it into force. */
  record Bound(Policy policy, List<Binding> bindings) {}

  private record Compiled(long revision, Policy policy) {}

  private final SortedTree<CachedObject> policies;
  private final SortedTree<CachedObject> bindings;
  private final Map<String, Compiled> compiled;
  private final List<Bound> bound;

  private InForce(
      SortedTree<CachedObject> policies,
      SortedTree<CachedObject> bindings,
      Map<String, Compiled> compiled,
      List<Bound> bound) {
    this.policies = policies;
    this.bindings = bindings;
    this.compiled = compiled;
    this.bound = bound;
  }

  /** In the order of the policies' names, and of the bindings' within. */
  List<Bound> bound() {
    return bound;
  }

  boolean isOf(SortedTree<CachedObject> otherPolicies, SortedTree<CachedObject> otherBindings) {
    return policies == otherPolicies && bindings == otherBindings;
  }

  /** The same as of another state; policies that did not change are not compiled again. */
  InForce next(SortedTree<CachedObject> newPolicies, SortedTree<CachedObject> newBindings) {
    Map<String, List<Binding>> byPolicy = new HashMap<>();
    SortedTree.Walk<CachedObject> walk = newBindings.from("");
    CachedObject object;
    while ((object = walk.next()) != null) {
      Binding binding = Binding.read(Json.parseObject(object.json()));
      byPolicy.computeIfAbsent(binding.policyName(), _ -> new ArrayList<>()).add(binding);
    }
    Map<String, Compiled> kept = new HashMap<>();
    List<Bound> all = new ArrayList<>();
    walk = newPolicies.from("");
    while ((object = walk.next()) != null) {
      List<Binding> its = byPolicy.get(object.name());
      if (its == null) {
        continue;
      }
      Compiled known = compiled.get(object.name());
      if (known == null || known.revision() != object.revision()) {
        ObjectNode written = Json.parseObject(object.json());
        known = new Compiled(object.revision(), PolicyReader.read(written, new Problems()));
      }
      kept.put(object.name(), known);
      all.add(new Bound(known.policy(), List.copyOf(its)));
    }
    return new InForce(newPolicies, newBindings, Map.copyOf(kept), List.copyOf(all));
  }

  @Override
  public String toString() {
    return bound.stream().map(each -> each.policy().name()).toList().toString();
  }
}
