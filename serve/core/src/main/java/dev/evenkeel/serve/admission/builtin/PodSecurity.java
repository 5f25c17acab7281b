package dev.evenkeel.serve.admission.builtin;

import dev.evenkeel.serve.admission.AdmissionPlugin;
import dev.evenkeel.serve.admission.AdmissionRequest;
import dev.evenkeel.serve.admission.Interest;
import dev.evenkeel.serve.admission.Operation;
import dev.evenkeel.serve.admission.Resource;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.podsecurity.NamespacePolicy;
import dev.evenkeel.serve.podsecurity.PodParts;
import dev.evenkeel.serve.podsecurity.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Pods keep to the level of their namespace; of what would make others, its sender is warned. */
final class PodSecurity implements AdmissionPlugin {

  /** Also of the part that judges labels, as upstream. */
  static final String NAME = "PodSecurity";

  static final Resource NAMESPACES = Resource.core("namespaces");
  static final Resource PODS = Resource.core("pods");

  /** What makes pods from a template. */
  private static final List<Resource> MAKERS =
      List.of(
          Resource.core("replicationcontrollers"),
          Resource.core("podtemplates"),
          new Resource("apps", "replicasets"),
          new Resource("apps", "deployments"),
          new Resource("apps", "statefulsets"),
          new Resource("apps", "daemonsets"),
          new Resource("batch", "jobs"),
          new Resource("batch", "cronjobs"));

  @Override
  public String name() {
    return NAME;
  }

  /** A resize changes no image and adds no container. */
  @Override
  public List<Interest> validates() {
    List<Interest> interests = new ArrayList<>();
    interests.add(Interest.in(PODS, Operation.CREATE, Operation.UPDATE));
    interests.add(Interest.in(PODS, "ephemeralcontainers", Operation.UPDATE));
    for (Resource maker : MAKERS) {
      interests.add(Interest.in(maker, Operation.CREATE, Operation.UPDATE));
    }
    return interests;
  }

  @Override
  public Set<Resource> reads() {
    return Set.of(NAMESPACES);
  }

  @Override
  public void validate(AdmissionRequest request) {
    boolean isPod = request.resource().equals(PODS);
    CachedObject namespace = request.views().of(NAMESPACES).get(request.namespace());
    if (namespace == null) {
      if (isPod) {
        // Not known yet, so not let in unseen: this is judged again on the newest state.
        throw request.forbidden("failed to lookup namespace \"" + request.namespace() + "\"");
      }
      return;
    }
    Verdict verdict = verdict(request, isPod, NamespacePolicy.of(namespace.labels()));
    verdict.annotations().forEach(request.annotations());
    if (verdict.warning() != null) {
      request.warnings().accept(verdict.warning());
    }
    if (verdict.refusal() != null) {
      throw request.forbidden(verdict.refusal());
    }
  }

  private static Verdict verdict(AdmissionRequest request, boolean isPod, NamespacePolicy policy) {
    JsonNode object = request.wanted();
    if (isPod) {
      @Nullable JsonNode old = request.old();
      return policy.isSilent() || (old != null && !PodParts.isChanged(object, old))
          ? Verdict.SILENT
          : Verdict.onPod(policy, object);
    }
    JsonNode template = PodParts.template(request.definition().plural(), object);
    return template.isMissingNode() ? Verdict.SILENT : Verdict.onTemplate(policy, template);
  }
}
