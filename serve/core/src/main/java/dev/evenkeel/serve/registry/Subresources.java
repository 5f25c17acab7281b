package dev.evenkeel.serve.registry;

import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.serve.api.ApiResponse;
import dev.evenkeel.serve.call.Call;
import dev.evenkeel.serve.call.Decoding;
import dev.evenkeel.serve.kinds.ResourceDefinition;
import dev.evenkeel.serve.object.ObjectRules;
import dev.evenkeel.serve.pod.Bindings;
import dev.evenkeel.serve.pod.Evictions;
import dev.evenkeel.serve.pod.GroupBindings;
import dev.evenkeel.serve.read.Reads;
import dev.evenkeel.serve.resource.Served;
import dev.evenkeel.serve.write.Gatekeeper;
import dev.evenkeel.serve.write.Writes;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** What is written beside the main resource: status, scale, binding and the like. */
final class Subresources {

  private final Reads reads;
  private final Writes writes;
  private final Evictions evictions;
  private final Gatekeeper gatekeeper;
  private final Bindings bindings;
  private final GroupBindings groupBindings;
  private final ScaleView scale;
  private final @Nullable TokenRequests tokens;
  private final AgentCalls agentCalls;

  Subresources(
      Reads reads,
      Writes writes,
      Evictions evictions,
      Bindings bindings,
      GroupBindings groupBindings,
      Gatekeeper gatekeeper,
      @Nullable TokenRequests tokens) {
    this.gatekeeper = gatekeeper;
    this.tokens = tokens;
    this.reads = reads;
    this.writes = writes;
    this.evictions = evictions;
    this.bindings = bindings;
    this.groupBindings = groupBindings;
    this.scale = new ScaleView(reads, writes);
    this.agentCalls = new AgentCalls(reads);
  }

  CompletableFuture<ApiResponse> handle(Call call, Served served, String verb) {
    String name = call.target().subresource();
    ResourceDefinition.Subresource subresource = served.definition().subresource(name);
    if (subresource == null) {
      if (AgentCalls.isOf(served, name)) {
        return agentCalls.handle(call, served);
      }
      throw served.definition().rules().isCustom()
          ? served.notFound(call.target().name()).asException()
          : Status.noSuchPath().asException();
    }
    if (!subresource.verbs().contains(verb)) {
      throw Status.methodNotAllowed(
              "the server does not allow this method on the requested resource")
          .asException();
    }
    return switch (name) {
      case "status" -> part(call, served, verb, Writes.Part.STATUS);
      case "scale" -> scale.handle(call, served, verb);
      case "binding" ->
          GroupBindings.isOf(served)
              ? groupBindings.bind(call, served)
              : bind(call, served, served);
      case "finalize" -> finish(call, served);
      case "approval" -> approve(call, served, verb);
      case "eviction" ->
          created(call, served, Evictions.EVICTION, () -> evictions.evict(call, served));
      case "ephemeralcontainers" ->
          verb.equals("update")
              ? replace(call, served, Writes.Part.MAIN, "spec", "ephemeralContainers")
              : part(call, served, verb, Writes.Part.MAIN);
      case "resize" -> part(call, served, verb, Writes.Part.MAIN);
      case "token" -> {
        if (tokens == null) {
          throw notServed(served, name);
        }
        yield tokens.create(call, served);
      }
      default -> throw notServed(served, name);
    };
  }

  private static ApiException notServed(Served served, String name) {
    return Status.of(
            501,
            "NotImplemented",
            served.plural() + "/" + name + " is not served by this version of Evenkeel")
        .asException();
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
  CompletableFuture<ApiResponse> bind(Call call, Served served, Served pods) {
    return created(call, served, Bindings.BINDING, () -> bindings.bind(call, pods));
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
          Decoding.defaults(next, served.definition());
          return next;
        });
  }

  private static ObjectNode section(ObjectNode object, String name) {
    return object.get(name) instanceof ObjectNode known ? known : object.putObject(name);
  }
}
