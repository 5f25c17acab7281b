package dev.evenkeel.serve.registry;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.cache.KindCache;
import dev.evenkeel.serve.kinds.ResourceDefinition;
import dev.evenkeel.serve.present.Presentations;

/**
 * A kind that is served: its definition with everything that serves it.
 *
 * @param prefix of the keys of its objects in the store
 * @param cache shared with the other versions of the kind
 */
public record Served(
    ResourceDefinition definition, String prefix, KindCache cache, Presentations presentations) {

  /** The store's key of an object. */
  Bytes storeKey(String key) {
    return Bytes.utf8(prefix + key);
  }

  /** The cache's key of an object. */
  String key(String namespace, String name) {
    return definition.namespaced() ? namespace + "/" + name : name;
  }

  public String group() {
    return definition.group();
  }

  public String plural() {
    return definition.plural();
  }

  public Gvk gvk() {
    return definition.gvk();
  }

  Status notFound(String name) {
    return Status.notFound(group(), plural(), name);
  }

  /** The object's bytes in the version that is served. */
  byte[] shown(CachedObject object) {
    return presentations.plain().encode(object);
  }
}
