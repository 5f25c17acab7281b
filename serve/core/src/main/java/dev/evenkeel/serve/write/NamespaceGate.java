package dev.evenkeel.serve.write;

import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.resource.ResourceTable;
import dev.evenkeel.serve.resource.Served;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps objects out of namespaces that do not exist or are going away. The namespace's version is
 * part of the transaction that creates the object: nothing slips in while it is emptied.
 */
final class NamespaceGate {

  private final ResourceTable resources;

  NamespaceGate(ResourceTable resources) {
    this.resources = resources;
  }

  List<Authority.Guard> guards(Served served, String namespace, String name) {
    if (!served.definition().namespaced()) {
      return List.of();
    }
    Served namespaces = resources.at("", "v1", "namespaces");
    return List.of(new InNamespace(namespaces, namespace, served, name));
  }

  private record InNamespace(Served served, String key, Served wanted, String name)
      implements Authority.Guard {

    @Override
    public void check(@Nullable CachedObject current) {
      if (current == null) {
        throw Status.notFound("", "namespaces", key).asException();
      }
      int phase = served.cache().indexedFields().indexOf("status.phase");
      if (phase >= 0 && current.field(phase).equals("Terminating")) {
        Status refused =
            Status.forbidden(
                wanted.group(),
                wanted.plural(),
                name,
                "unable to create new content in namespace "
                    + key
                    + " because it is being terminated");
        throw new Status(
                refused.code(),
                refused.reason(),
                refused.message(),
                new Status.Details(
                    name,
                    wanted.group(),
                    wanted.plural(),
                    "",
                    List.of(
                        new Status.Cause(
                            "NamespaceTerminating",
                            "namespace " + key + " is being terminated",
                            "metadata.namespace")),
                    0),
                null)
            .asException();
      }
    }
  }
}
