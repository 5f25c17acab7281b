package dev.evenkeel.serve.kinds.rules.cluster;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.rules.check.Names;
import dev.evenkeel.serve.kinds.rules.check.Place;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Namespaces. One stays until whoever empties it has taken its finalizer away. */
public final class NamespaceRules implements KindRules {

  private static final String FINALIZER = "kubernetes";
  private static final String NAME_LABEL = "kubernetes.io/metadata.name";

  private static final Set<String> KNOWN_FINALIZERS =
      Set.of(FINALIZER, "orphan", "foregroundDeletion");

  @Override
  public NameRule nameRule() {
    return NameRule.DNS_LABEL;
  }

  /** The name as a label, so that selectors of namespaces can name one. */
  @Override
  public void applyDefaults(ObjectNode namespace) {
    String name = Meta.name(namespace);
    if (!name.isEmpty()) {
      ObjectNode metadata = Meta.of(namespace);
      ObjectNode labels =
          metadata.path("labels") instanceof ObjectNode there
              ? there
              : metadata.putObject("labels");
      labels.put(NAME_LABEL, name);
    }
  }

  @Override
  public void prepareForCreate(ObjectNode namespace) {
    // The name may just have been generated.
    applyDefaults(namespace);
    namespace.putObject("status").put("phase", "Active");
    ObjectNode spec =
        namespace.path("spec") instanceof ObjectNode there ? there : namespace.putObject("spec");
    ArrayNode finalizers =
        spec.path("finalizers") instanceof ArrayNode there ? there : spec.putArray("finalizers");
    for (JsonNode finalizer : finalizers) {
      if (Meta.text(finalizer).equals(FINALIZER)) {
        return;
      }
    }
    finalizers.add(FINALIZER);
  }

  /** Finalizers change through their own subresource. */
  @Override
  public void prepareForUpdate(ObjectNode namespace, ObjectNode old) {
    for (String field : new String[] {"spec", "status"}) {
      namespace.remove(field);
      if (old.has(field)) {
        namespace.set(field, old.get(field));
      }
    }
  }

  @Override
  public void validate(ObjectNode namespace, Problems problems) {
    Place finalizers = Place.of(namespace, problems).at("spec", "finalizers");
    for (String finalizer : finalizers.strings()) {
      for (String fault : Names.qualifiedName(finalizer)) {
        finalizers.invalid(finalizer, fault);
      }
      if (finalizer.indexOf('/') < 0 && !KNOWN_FINALIZERS.contains(finalizer)) {
        finalizers.invalid(
            finalizer, "name is neither a standard finalizer name nor is it fully qualified");
      }
    }
  }

  @Override
  public void validateStatusUpdate(ObjectNode namespace, ObjectNode old, Problems problems) {
    Place phase = Place.of(namespace, problems).at("status", "phase");
    Place told = Place.of("status.Phase", phase.node(), problems);
    boolean deleted = Meta.at(namespace, "metadata", "deletionTimestamp").isString();
    if (!deleted && !phase.is("Active")) {
      told.invalid("may only be 'Active' if `deletionTimestamp` is empty");
    } else if (deleted && !phase.is("Terminating")) {
      told.invalid("may only be 'Terminating' if `deletionTimestamp` is not empty");
    }
  }
}
