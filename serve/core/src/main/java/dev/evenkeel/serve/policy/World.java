package dev.evenkeel.serve.policy;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.serve.admission.AdmissionRequest;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.cel.CelAuthorizer;
import dev.evenkeel.serve.kinds.ResourceDefinition;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** What policies need of the server they are in. */
public interface World {

  /** The kind, null if it is not served. */
  @Nullable ResourceDefinition kind(Gvk gvk);

  /** The versions that a kind is served in, this one too. */
  List<ResourceDefinition> versions(ResourceDefinition kind);

  /** An object of the cache in the version of that definition. */
  ObjectNode shown(ResourceDefinition kind, CachedObject object);

  /** An object of one version in another. The object is not changed. */
  ObjectNode converted(ResourceDefinition from, ResourceDefinition to, ObjectNode object);

  /**
   * Brings an object that was changed into its kind's form, defaults included.
   *
   * @throws dev.evenkeel.kernel.api.ApiException if it cannot be
   */
  void settle(ResourceDefinition kind, ObjectNode object);

  /** What a write of a subresource is about, such as a Scale; null if the object itself. */
  @Nullable ObjectNode part(AdmissionRequest request, ObjectNode object);

  /** The kind of that part. */
  Gvk partKind(AdmissionRequest request);

  /** Who may do what, as the one who asks sees it. */
  CelAuthorizer authorizer(AdmissionRequest.User user);
}
