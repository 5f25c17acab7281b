package dev.evenkeel.serve.admission;

import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.api.Status;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A write that asks to be let in. Objects are in the version that the client speaks.
 *
 * @param object the state it is to have; null for a delete. Plugins change it while they may
 * @param old the state it has; null for a create
 * @param views other kinds
 * @param warnings takes what the client should know
 */
public record AdmissionRequest(
    Operation operation,
    Resource resource,
    String subresource,
    String namespace,
    String name,
    @Nullable ObjectNode object,
    @Nullable ObjectNode old,
    boolean dryRun,
    User user,
    Views views,
    Consumer<String> warnings) {

  /** Who asks. */
  public record User(String name, List<String> groups) {
    public User {
      groups = List.copyOf(groups);
    }
  }

  /** The object, for plugins that are about no deletes. */
  public ObjectNode wanted() {
    if (object == null) {
      throw new IllegalStateException(operation + " has no object");
    }
    return object;
  }

  /** The object's spec, made if it had none. */
  public ObjectNode spec() {
    JsonNode spec = wanted().get("spec");
    return spec instanceof ObjectNode known ? known : wanted().putObject("spec");
  }

  public boolean isCreate() {
    return operation == Operation.CREATE;
  }

  /** The refusal, in the API's form. An object whose name is yet to be made goes by its stem. */
  public ApiException forbidden(String why) {
    String called = name;
    if (called.isEmpty() && object != null) {
      called = Meta.name(object);
    }
    if (called.isEmpty() && object != null) {
      called = Meta.text(object.path("metadata").path("generateName"));
    }
    return Status.forbidden(
            resource.group(), resource.plural(), called.isEmpty() ? "Unknown" : called, why)
        .asException();
  }
}
