package dev.evenkeel.serve.admission;

import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.serve.kinds.ResourceDefinition;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A write that asks to be let in. Objects are in the version that the client speaks.
 *
 * @param definition the kind, in that version
 * @param options how the write is to be done, in the API's form
 * @param object the state it is to have; null for a delete. Plugins change it while they may
 * @param old the state it has; null for a create
 * @param views other kinds
 * @param warnings takes what the client should know
 * @param annotations takes what the audit log should know, by key
 */
public record AdmissionRequest(
    Operation operation,
    ResourceDefinition definition,
    String subresource,
    String namespace,
    String name,
    @Nullable ObjectNode object,
    @Nullable ObjectNode old,
    ObjectNode options,
    boolean dryRun,
    User user,
    Views views,
    Consumer<String> warnings,
    BiConsumer<String, String> annotations) {

  /**
   * Who asks.
   *
   * @param uid empty if it is not known
   */
  public record User(
      String name, String uid, List<String> groups, Map<String, List<String>> extra) {
    public User {
      groups = List.copyOf(groups);
    }
  }

  public Resource resource() {
    return new Resource(definition.group(), definition.plural());
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
            definition.group(), definition.plural(), called.isEmpty() ? "Unknown" : called, why)
        .asException();
  }

  /** The same with another code and reason, and the cause once more where programs look for it. */
  public ApiException refused(int code, String reason, String why) {
    return withCause(code, reason, forbidden(why).status().message(), why);
  }

  /** The refusal of something that could not be done as it should be, in plain words. */
  public ApiException denied(String why) {
    return withCause(403, "Invalid", why, why);
  }

  private ApiException withCause(int code, String reason, String message, String why) {
    Status.Details about = forbidden(why).status().details();
    List<Status.Cause> causes = List.of(new Status.Cause("", why, ""));
    return new Status(
            code,
            reason,
            message,
            about == null
                ? null
                : new Status.Details(
                    about.name(), about.group(), about.kind(), about.uid(), causes, 0),
            null)
        .asException();
  }
}
