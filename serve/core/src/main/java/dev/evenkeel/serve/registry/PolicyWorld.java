package dev.evenkeel.serve.registry;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.schema.Shape;
import dev.evenkeel.serve.admission.AdmissionRequest;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.call.Decoding;
import dev.evenkeel.serve.caller.Caller;
import dev.evenkeel.serve.cel.CelAuthorizer;
import dev.evenkeel.serve.kinds.ResourceDefinition;
import dev.evenkeel.serve.policy.World;
import dev.evenkeel.serve.resource.ResourceTable;
import dev.evenkeel.serve.resource.Served;
import dev.evenkeel.serve.rights.Attributes;
import dev.evenkeel.serve.rights.Rights;
import dev.evenkeel.serve.rights.Verdict;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The server as policies see it. */
final class PolicyWorld implements World {

  private final ResourceTable resources;
  private final Rights rights;

  PolicyWorld(ResourceTable resources, Rights rights) {
    this.resources = resources;
    this.rights = rights;
  }

  @Override
  public @Nullable ResourceDefinition kind(Gvk gvk) {
    Served served = resources.byKind(gvk);
    return served == null ? null : served.definition();
  }

  @Override
  public List<ResourceDefinition> versions(ResourceDefinition kind) {
    ResourceDefinition.Storage storage = kind.storage();
    List<ResourceDefinition> versions = new ArrayList<>(2);
    for (Served other : resources.sharing(storage.group(), storage.resource())) {
      versions.add(other.definition());
    }
    return versions;
  }

  @Override
  public ObjectNode shown(ResourceDefinition kind, CachedObject object) {
    Served served = resources.at(kind.group(), kind.gvk().version(), kind.plural());
    return Json.parseObject(served.shown(object));
  }

  @Override
  public ObjectNode converted(ResourceDefinition from, ResourceDefinition to, ObjectNode object) {
    return from.gvk().equals(to.gvk())
        ? object
        : to.storage()
            .conversion()
            .toServed(from.storage().conversion().toStored(object.deepCopy()));
  }

  @Override
  public void settle(ResourceDefinition kind, ObjectNode object) {
    Shape.Report report = kind.rules().shape(object, kind.schema());
    String refusal = report.refusal(kind.gvk().kind(), kind.gvk().version());
    if (refusal != null) {
      throw Status.badRequest(refusal).asException();
    }
    Decoding.defaults(object, kind);
  }

  @Override
  public @Nullable ObjectNode part(AdmissionRequest request, ObjectNode object) {
    return request.subresource().equals("scale")
        ? ScaleView.of(request.definition(), object)
        : null;
  }

  @Override
  public Gvk partKind(AdmissionRequest request) {
    ResourceDefinition.Subresource subresource =
        request.definition().subresource(request.subresource());
    Gvk own = subresource == null ? null : subresource.gvk();
    return own == null ? request.definition().gvk() : own;
  }

  @Override
  public CelAuthorizer authorizer(AdmissionRequest.User user) {
    var self = new Caller(user.name(), user.groups());
    return question -> {
      CelAuthorizer.User other = question.user();
      Verdict verdict =
          rights.decide(
              attributes(
                  question, other == null ? self : new Caller(other.name(), other.groups())));
      return new CelAuthorizer.Decision(
          verdict.isAllowed(), verdict.isDenied(), verdict.reason(), null);
    };
  }

  private static Attributes attributes(CelAuthorizer.Question question, Caller caller) {
    return question.isResource()
        ? Attributes.ofResource(
                caller,
                question.verb(),
                question.group(),
                question.resource(),
                question.subresource(),
                question.namespace(),
                question.name())
            .selecting(question.fieldSelector(), question.labelSelector())
        : Attributes.ofPath(caller, question.verb(), question.path());
  }
}
