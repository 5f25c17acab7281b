package dev.evenkeel.serve.admission.builtin;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.tree.SortedTree;
import dev.evenkeel.serve.admission.AdmissionPlugin;
import dev.evenkeel.serve.admission.AdmissionRequest;
import dev.evenkeel.serve.admission.Interest;
import dev.evenkeel.serve.admission.Operation;
import dev.evenkeel.serve.admission.Resource;
import dev.evenkeel.serve.cache.CachedObject;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Claims that name no class of storage get the newest one that is marked as default. */
final class DefaultStorageClass implements AdmissionPlugin {

  private static final Resource CLASSES = new Resource("storage.k8s.io", "storageclasses");
  private static final String IS_DEFAULT = "storageclass.kubernetes.io/is-default-class";
  private static final String IS_DEFAULT_BETA = "storageclass.beta.kubernetes.io/is-default-class";
  private static final String CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";

  @Override
  public String name() {
    return "DefaultStorageClass";
  }

  @Override
  public List<Interest> mutates() {
    return List.of(Interest.in(Resource.core("persistentvolumeclaims"), Operation.CREATE));
  }

  @Override
  public Set<Resource> reads() {
    return Set.of(CLASSES);
  }

  @Override
  public void mutate(AdmissionRequest request) {
    ObjectNode claim = request.wanted();
    // An empty name is a choice too: no class at all.
    if (claim.path("metadata").path("annotations").has(CLASS_ANNOTATION)
        || claim.path("spec").path("storageClassName").isString()) {
      return;
    }
    ObjectNode chosen = defaultOf(request.views().of(CLASSES));
    if (chosen != null) {
      request.spec().put("storageClassName", Meta.name(chosen));
    }
  }

  private static @Nullable ObjectNode defaultOf(SortedTree<CachedObject> classes) {
    ObjectNode newest = null;
    SortedTree.Walk<CachedObject> walk = classes.from("");
    CachedObject next;
    while ((next = walk.next()) != null) {
      ObjectNode one = Json.parseObject(next.json());
      JsonNode annotations = one.path("metadata").path("annotations");
      boolean isDefault =
          Meta.text(annotations.path(IS_DEFAULT)).equals("true")
              || Meta.text(annotations.path(IS_DEFAULT_BETA)).equals("true");
      if (isDefault && (newest == null || created(one).compareTo(created(newest)) > 0)) {
        newest = one;
      }
    }
    return newest;
  }

  private static String created(ObjectNode object) {
    return Meta.text(object.path("metadata").path("creationTimestamp"));
  }
}
