package dev.evenkeel.serve.resource;

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

  /** Of the store's keys of a kind's objects. */
  public static String prefix(ResourceDefinition definition) {
    ResourceDefinition.Storage storage = definition.storage();
    return "/registry/"
        + (storage.group().isEmpty() ? "core" : storage.group())
        + "/"
        + storage.resource()
        + "/";
  }

  /** The store's key of an object. */
  public Bytes storeKey(String key) {
    return Bytes.utf8(prefix + key);
  }

  /** The cache's key of an object. */
  public String key(String namespace, String name) {
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

  public Status notFound(String name) {
    return Status.notFound(group(), plural(), name);
  }

  /** The object's bytes in the version that is served. */
  public byte[] shown(CachedObject object) {
    return presentations.plain().encode(object);
  }
}
