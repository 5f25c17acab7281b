package dev.evenkeel.serve.admission.builtin;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.env.Clock;
import dev.evenkeel.kernel.schema.FieldError;
import dev.evenkeel.kernel.tree.SortedTree;
import dev.evenkeel.serve.admission.AdmissionPlugin;
import dev.evenkeel.serve.admission.AdmissionRequest;
import dev.evenkeel.serve.admission.Interest;
import dev.evenkeel.serve.admission.Operation;
import dev.evenkeel.serve.admission.Resource;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.cache.Scope;
import dev.evenkeel.serve.podsecurity.ExistingPods;
import dev.evenkeel.serve.podsecurity.NamespacePolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The labels by which a namespace says what its pods may do: they must make sense, and whoever
 * makes them stricter is told which pods would no longer be let in.
 */
final class PodSecurityLabels implements AdmissionPlugin {

  private final Clock clock;

  PodSecurityLabels(Clock clock) {
    this.clock = clock;
  }

  @Override
  public String name() {
    return PodSecurity.NAME;
  }

  @Override
  public List<Interest> validates() {
    return List.of(Interest.in(PodSecurity.NAMESPACES, Operation.CREATE, Operation.UPDATE));
  }

  @Override
  public Set<Resource> reads() {
    return Set.of(PodSecurity.PODS);
  }

  /** It may look at thousands of pods. */
  @Override
  public boolean mayTakeLong() {
    return true;
  }

  @Override
  public void validate(AdmissionRequest request) {
    NamespacePolicy policy = NamespacePolicy.of(Meta.labels(request.wanted()));
    NamespacePolicy before =
        request.old() == null
            ? NamespacePolicy.NONE
            : NamespacePolicy.of(Meta.labels(request.old()));
    List<FieldError> errors = policy.errorsUnlessIn(before);
    if (!errors.isEmpty()) {
      throw Status.invalid(
              request.definition().group(),
              request.definition().gvk().kind(),
              Meta.name(request.wanted()),
              errors)
          .asException();
    }
    if (request.old() != null && policy.mayCatchPodsOf(before)) {
      new ExistingPods(policy.enforce(), clock)
          .warnings(Meta.name(request.wanted()), pods(request))
          .forEach(request.warnings());
    }
  }

  private static List<byte[]> pods(AdmissionRequest request) {
    Scope scope = Scope.of(Meta.name(request.wanted()));
    SortedTree.Walk<CachedObject> walk =
        request.views().of(PodSecurity.PODS).from(scope.firstKey());
    List<byte[]> pods = new ArrayList<>();
    CachedObject next = walk.next();
    while (next != null && !scope.isPast(next)) {
      pods.add(next.json());
      next = walk.next();
    }
    return pods;
  }
}
