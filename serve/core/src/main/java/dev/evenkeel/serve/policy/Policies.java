package dev.evenkeel.serve.policy;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.serve.admission.Admission;
import dev.evenkeel.serve.admission.AdmissionPlugin;
import dev.evenkeel.serve.admission.Operation;
import dev.evenkeel.serve.admission.Resource;
import dev.evenkeel.serve.cache.KindCache;
import dev.evenkeel.serve.kinds.ResourceDefinition;
import dev.evenkeel.serve.kinds.policy.Asked;
import dev.evenkeel.serve.kinds.policy.Binding;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The policies in force. They follow the caches: a write is judged by what the caches have when it
 * comes.
 *
 * <p><b>Threading:</b> any thread.
 */
public final class Policies {

  private static final String GROUP = "admissionregistration.k8s.io";

  /** A policy must never keep anybody from mending it; and questions are no writes. */
  private static final Set<String> EXEMPT_GROUPS =
      Set.of(GROUP, "authentication.k8s.io", "authorization.k8s.io");

  private final World world;
  private final Kind validating;
  private final Kind mutating;

  /** Policies of one kind and their bindings. */
  private static final class Kind {
    private final KindCache policies;
    private final KindCache bindings;
    private final AtomicReference<InForce> known = new AtomicReference<>(InForce.NONE);

    Kind(KindCache policies, KindCache bindings) {
      this.policies = policies;
      this.bindings = bindings;
    }

    /** Compiles what changed; two who come at once both do, and come to the same. */
    List<InForce.Bound> bound() {
      var policyTree = policies.newest().tree();
      var bindingTree = bindings.newest().tree();
      InForce last = known.get();
      if (!last.isOf(policyTree, bindingTree)) {
        last = last.next(policyTree, bindingTree);
        known.set(last);
      }
      return last.bound();
    }
  }

  /** Finds the cache of a kind of ours. */
  public interface Caches {
    KindCache of(String group, String version, String plural);
  }

  public Policies(World world, Caches caches) {
    this.world = world;
    this.validating =
        new Kind(
            caches.of(GROUP, "v1", "validatingadmissionpolicies"),
            caches.of(GROUP, "v1", "validatingadmissionpolicybindings"));
    this.mutating =
        new Kind(
            caches.of(GROUP, "v1beta1", "mutatingadmissionpolicies"),
            caches.of(GROUP, "v1beta1", "mutatingadmissionpolicybindings"));
  }

  /** Answered when no policy that was there before can be missed. */
  public CompletableFuture<@Nullable Void> ready() {
    return CompletableFuture.allOf(
            validating.policies.ready(),
            validating.bindings.ready(),
            mutating.policies.ready(),
            mutating.bindings.ready())
        .thenApply(_ -> null);
  }

  public boolean isReady() {
    return validating.policies.isReady()
        && validating.bindings.isReady()
        && mutating.policies.isReady()
        && mutating.bindings.isReady();
  }

  /** What is to be asked about such a write, with the policies that may have a say in it. */
  public Admission.Plan join(
      Admission.Plan plan,
      Operation operation,
      ResourceDefinition kind,
      String subresource,
      String namespace) {
    List<InForce.Bound> judging = validating.bound();
    List<InForce.Bound> changing = mutating.bound();
    if ((judging.isEmpty() && changing.isEmpty()) || isExempt(kind)) {
      return plan;
    }
    Asked asked =
        new Asked(
            operation.name(),
            kind.group(),
            kind.gvk().version(),
            kind.plural(),
            subresource,
            namespace,
            Asked.ANY_NAME);
    List<Asked> equivalents = Selection.equivalents(world, kind, asked);
    List<InForce.Bound> mayJudge = about(judging, asked, equivalents);
    List<InForce.Bound> mayChange = about(changing, asked, equivalents);
    if (mayJudge.isEmpty() && mayChange.isEmpty()) {
      return plan;
    }
    Set<Resource> reads = new LinkedHashSet<>(plan.reads());
    reads.add(Resource.core("namespaces"));
    parameters(mayJudge, reads);
    parameters(mayChange, reads);
    return new Admission.Plan(
        mayChange.isEmpty()
            ? plan.mutating()
            : and(plan.mutating(), new MutatingPolicies(world, mayChange, plan.mutating())),
        mayJudge.isEmpty()
            ? plan.validating()
            : and(plan.validating(), new ValidatingPolicies(world, mayJudge)),
        reads,
        plan.meter());
  }

  private static boolean isExempt(ResourceDefinition kind) {
    return EXEMPT_GROUPS.contains(kind.group());
  }

  private static List<InForce.Bound> about(
      List<InForce.Bound> all, Asked asked, List<Asked> equivalents) {
    List<InForce.Bound> about = new ArrayList<>(0);
    for (InForce.Bound bound : all) {
      if (bound.policy().matching().match(asked, equivalents) != null) {
        List<Binding> bindings =
            bound.bindings().stream()
                .filter(binding -> binding.matching().match(asked, equivalents) != null)
                .toList();
        if (!bindings.isEmpty()) {
          about.add(new InForce.Bound(bound.policy(), bindings));
        }
      }
    }
    return about;
  }

  private void parameters(List<InForce.Bound> all, Set<Resource> reads) {
    for (InForce.Bound bound : all) {
      Gvk gvk = bound.policy().parameters();
      ResourceDefinition kind = gvk == null ? null : world.kind(gvk);
      if (kind != null) {
        reads.add(new Resource(kind.group(), kind.plural()));
      }
    }
  }

  private static List<AdmissionPlugin> and(List<AdmissionPlugin> plugins, AdmissionPlugin last) {
    List<AdmissionPlugin> all = new ArrayList<>(plugins);
    all.add(last);
    return all;
  }
}
