package dev.evenkeel.serve.registry;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.env.Clock;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.serve.api.ApiResponse;
import dev.evenkeel.serve.kinds.ResourceDefinition;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What is written beside the main resource: status, scale, binding and the like. */
final class Subresources {

  private static final Gvk BINDING = Gvk.of("v1", "Binding");

  private final Reads reads;
  private final Writes writes;
  private final Evictions evictions;
  private final Gatekeeper gatekeeper;
  private final Clock clock;
  private final ScaleView scale;

  Subresources(
      Reads reads, Writes writes, Evictions evictions, Gatekeeper gatekeeper, Clock clock) {
    this.gatekeeper = gatekeeper;
    this.reads = reads;
    this.writes = writes;
    this.evictions = evictions;
    this.clock = clock;
    this.scale = new ScaleView(reads, writes);
  }

  CompletableFuture<ApiResponse> handle(Call call, Served served, String verb) {
    String name = call.target().subresource();
    ResourceDefinition.Subresource subresource = served.definition().subresource(name);
    if (subresource == null) {
      throw Status.noSuchPath().asException();
    }
    if (!subresource.verbs().contains(verb)) {
      throw Status.methodNotAllowed(
              "the server does not allow this method on the requested resource")
          .asException();
    }
    return switch (name) {
      case "status" -> part(call, served, verb, Writes.Part.STATUS);
      case "scale" -> scale.handle(call, served, verb);
      case "binding" -> created(call, served, BINDING, () -> bind(call, served));
      case "finalize" -> finish(call, served);
      case "approval" -> approve(call, served, verb);
      case "eviction" ->
          created(call, served, Evictions.EVICTION, () -> evictions.evict(call, served));
      case "ephemeralcontainers", "resize" -> part(call, served, verb, Writes.Part.MAIN);
      default ->
          throw Status.of(
                  501,
                  "NotImplemented",
                  served.plural() + "/" + name + " is not served by this version of Evenkeel")
              .asException();
    };
  }

  private CompletableFuture<ApiResponse> created(
      Call call, Served served, Gvk kind, Supplier<CompletableFuture<ApiResponse>> then) {
    return gatekeeper.withJudged(call, served, Decoding.optional(call, kind), then);
  }

  private CompletableFuture<ApiResponse> part(
      Call call, Served served, String verb, Writes.Part part) {
    return switch (verb) {
      case "get" -> reads.get(call, served, key(call, served), call.target().name());
      case "update" -> writes.update(call, served, part);
      default -> writes.patch(call, served, part);
    };
  }

  private static String key(Call call, Served served) {
    return served.key(call.target().namespace(), call.target().name());
  }

  /** Gives a pod its node by a Binding that is created in the pod's namespace. */
  CompletableFuture<ApiResponse> bind(Call call, Served bindings, Served pods) {
    return created(call, bindings, BINDING, () -> bind(call, pods));
  }

  /** Gives a pod its node, once. */
  private CompletableFuture<ApiResponse> bind(Call call, Served pods) {
    ObjectNode binding = Decoding.optional(call, BINDING);
    String pod = Meta.name(binding).isEmpty() ? call.target().name() : Meta.name(binding);
    if (!call.target().name().isEmpty() && !pod.equals(call.target().name())) {
      throw Status.badRequest("the name in the binding is not the pod's").asException();
    }
    String node = Meta.text(binding.path("target").path("name"));
    String kind = Meta.text(binding.path("target").path("kind"));
    if (node.isEmpty() || !(kind.isEmpty() || kind.equals("Node"))) {
      throw Status.invalid(
              "",
              "Binding",
              pod,
              java.util.List.of(
                  new dev.evenkeel.kernel.schema.FieldError(
                      dev.evenkeel.kernel.schema.FieldError.Reason.REQUIRED,
                      "target.name",
                      "Required value: the name of a node")))
          .asException();
    }
    Call named = call.named(pod);
    return writes
        .changed(named, pods, Writes.Part.MAIN_AND_STATUS, current -> bound(current, binding, node))
        .thenApply(_ -> call.answer(201, Json.encode(Status.of(201, "", "").toJson())));
  }

  private ObjectNode bound(ObjectNode pod, ObjectNode binding, String node) {
    String name = Meta.name(pod);
    String uid = Meta.uid(binding);
    if (!uid.isEmpty() && !uid.equals(Meta.uid(pod))) {
      throw Status.conflict("", "pods", name, "the binding is for another pod of this name")
          .asException();
    }
    if (pod.path("metadata").has("deletionTimestamp")) {
      throw Status.conflict(
              "", "pods", name, "pod " + name + " is being deleted, cannot be assigned to a host")
          .asException();
    }
    String assigned = Meta.text(pod.path("spec").path("nodeName"));
    if (!assigned.isEmpty()) {
      throw Status.conflict(
              "", "pods", name, "pod " + name + " is already assigned to node \"" + assigned + "\"")
          .asException();
    }
    if (!pod.path("spec").path("schedulingGates").isEmpty()) {
      throw Status.conflict(
              "", "pods", name, "pod " + name + " has non-empty .spec.schedulingGates")
          .asException();
    }
    ObjectNode next = pod.deepCopy();
    ((ObjectNode) next.path("spec")).put("nodeName", node);
    ObjectNode annotations =
        next.path("metadata").get("annotations") instanceof ObjectNode known
            ? known
            : Meta.of(next).putObject("annotations");
    binding.path("metadata").path("annotations").forEachEntry(annotations::set);
    if (annotations.isEmpty()) {
      Meta.of(next).remove("annotations");
    }
    ObjectNode status =
        next.get("status") instanceof ObjectNode known ? known : next.putObject("status");
    condition(status, "PodScheduled", "True");
    return next;
  }

  private void condition(ObjectNode status, String type, String value) {
    ArrayNode conditions =
        status.get("conditions") instanceof ArrayNode known ? known : status.putArray("conditions");
    String now = Timestamps.seconds(clock.now());
    for (JsonNode condition : conditions) {
      if (Meta.text(condition.path("type")).equals(type)
          && condition instanceof ObjectNode existing) {
        existing.put("status", value).put("lastTransitionTime", now);
        existing.remove("reason");
        existing.remove("message");
        return;
      }
    }
    conditions.addObject().put("type", type).put("status", value).put("lastTransitionTime", now);
  }

  /** Takes finalizers off a namespace's spec; the last one lets it go. */
  private CompletableFuture<ApiResponse> finish(Call call, Served served) {
    return replace(call, served, Writes.Part.FINALIZERS, "spec", "finalizers");
  }

  /** Conditions of a request for a certificate, and nothing else. */
  private CompletableFuture<ApiResponse> approve(Call call, Served served, String verb) {
    return switch (verb) {
      case "get" -> reads.get(call, served, key(call, served), call.target().name());
      case "patch" -> writes.patch(call, served, Writes.Part.STATUS);
      default -> replace(call, served, Writes.Part.STATUS, "status", "conditions");
    };
  }

  /** Takes one field of what was sent, and leaves all else as it is. */
  private CompletableFuture<ApiResponse> replace(
      Call call, Served served, Writes.Part part, String section, String field) {
    ObjectNode sent = Decoding.object(call, served.definition());
    return writes.change(
        call,
        served,
        part,
        current -> {
          ObjectNode next = current.deepCopy();
          ObjectRules.takeFrom(section(sent, section), section(next, section), field);
          ObjectRules.takeFrom(Meta.of(sent), Meta.of(next), "resourceVersion");
          return next;
        });
  }

  private static ObjectNode section(ObjectNode object, String name) {
    return object.get(name) instanceof ObjectNode known ? known : object.putObject(name);
  }
}
