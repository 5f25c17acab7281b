package dev.evenkeel.serve.write;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.schema.FieldError;
import dev.evenkeel.serve.call.Call;
import dev.evenkeel.serve.kinds.ResourceDefinition;
import dev.evenkeel.serve.object.ObjectRules;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What becomes of an object's dependents when it is deleted. The server only writes it down, as a
 * finalizer that holds the object; the garbage collector does the work and takes it away.
 */
public enum Propagation {
  /** Nothing was said: what was decided before holds, or else what is usual for the kind. */
  UNSAID,
  BACKGROUND,
  /** The object goes after its dependents. */
  FOREGROUND,
  /** The dependents stay, and belong to nobody. */
  ORPHAN;

  private static final String ORPHAN_FINALIZER = "orphan";
  private static final String FOREGROUND_FINALIZER = "foregroundDeletion";

  /** Kinds that came before there was a choice, and kept what was usual then. */
  private static final Set<String> ORPHANING_KINDS =
      Set.of("/replicationcontrollers", "batch/jobs");

  static Propagation read(ObjectNode body, Call call) {
    String policy = Meta.text(body.path("propagationPolicy"));
    if (policy.isEmpty()) {
      policy = call.query().text("propagationPolicy");
    }
    JsonNode inBody = body.path("orphanDependents");
    boolean said = inBody.isBoolean() || call.query().has("orphanDependents");
    if (said && !policy.isEmpty()) {
      throw invalid(
          FieldError.Reason.INVALID,
          "Invalid value: \""
              + policy
              + "\": orphanDependents and deletionPropagation cannot be both set");
    }
    if (said) {
      boolean orphan =
          inBody.isBoolean() ? inBody.booleanValue() : call.query().flag("orphanDependents");
      return orphan ? ORPHAN : BACKGROUND;
    }
    return switch (policy) {
      case "" -> UNSAID;
      case "Background" -> BACKGROUND;
      case "Foreground" -> FOREGROUND;
      case "Orphan" -> ORPHAN;
      default ->
          throw invalid(
              FieldError.Reason.NOT_SUPPORTED,
              "Unsupported value: \""
                  + policy
                  + "\": supported values: \"Foreground\", \"Background\", \"Orphan\", \"nil\"");
    };
  }

  private static RuntimeException invalid(FieldError.Reason reason, String message) {
    return Status.invalid(
            "meta.k8s.io",
            "DeleteOptions",
            "",
            List.of(new FieldError(reason, "propagationPolicy", message)))
        .asException();
  }

  /** Writes it into an object that is to be deleted. */
  void mark(ResourceDefinition definition, ObjectNode object) {
    Set<String> before =
        new LinkedHashSet<>(ObjectRules.texts(object.path("metadata").path("finalizers")));
    Set<String> after = new LinkedHashSet<>(before);
    after.remove(ORPHAN_FINALIZER);
    after.remove(FOREGROUND_FINALIZER);
    switch (this) {
      case ORPHAN -> after.add(ORPHAN_FINALIZER);
      case FOREGROUND -> after.add(FOREGROUND_FINALIZER);
      case BACKGROUND -> {}
      case UNSAID -> {
        if (before.contains(ORPHAN_FINALIZER)) {
          after.add(ORPHAN_FINALIZER);
        } else if (before.contains(FOREGROUND_FINALIZER)) {
          after.add(FOREGROUND_FINALIZER);
        } else if (ORPHANING_KINDS.contains(definition.group() + "/" + definition.plural())) {
          after.add(ORPHAN_FINALIZER);
        }
      }
    }
    if (after.equals(before)) {
      return;
    }
    if (after.isEmpty()) {
      Meta.of(object).remove("finalizers");
      return;
    }
    ArrayNode names = JsonNodeFactory.instance.arrayNode();
    after.forEach(names::add);
    Meta.of(object).set("finalizers", names);
  }
}
