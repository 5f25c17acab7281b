package dev.evenkeel.serve.pod;

import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.env.FutureFailure;
import dev.evenkeel.kernel.fit.BindingNotes;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.schema.FieldError;
import dev.evenkeel.serve.api.ApiResponse;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.call.Call;
import dev.evenkeel.serve.call.Failures;
import dev.evenkeel.serve.request.Target;
import dev.evenkeel.serve.resource.ResourceTable;
import dev.evenkeel.serve.resource.Served;
import dev.evenkeel.serve.write.Authority;
import dev.evenkeel.serve.write.Gatekeeper;
import dev.evenkeel.serve.write.Writes;
import dev.evenkeel.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Gives pods of a group their nodes: all of them in one transaction, with all that is charged for
 * them, or none. Each pod is bound as a Binding of its own would bind it: the same checks, notes
 * and admission, and the same words where it is refused.
 */
public final class GroupBindings {

  private final ResourceTable resources;
  private final Writes writes;
  private final Bindings bindings;
  private final Gatekeeper gatekeeper;

  public GroupBindings(
      ResourceTable resources, Writes writes, Bindings bindings, Gatekeeper gatekeeper) {
    this.resources = resources;
    this.writes = writes;
    this.bindings = bindings;
    this.gatekeeper = gatekeeper;
  }

  public static boolean isOf(Served served) {
    return served.group().equals("evenkeel.dev") && served.plural().equals("podgroups");
  }

  /** Binds what the call asks for, to the group that it names. */
  public CompletableFuture<ApiResponse> bind(Call call, Served groups) {
    GroupRequest request = GroupRequest.read(call);
    Served pods = resources.at("", "v1", "pods");
    Supplier<CompletableFuture<ApiResponse>> bind = () -> bind(call, groups, pods, request);
    return gatekeeper.withJudged(
        call,
        groups,
        request.body(),
        () ->
            pods.cache().isReady()
                ? bind.get()
                : pods.cache().ready().thenCompose(_ -> bind.get()));
  }

  private CompletableFuture<ApiResponse> bind(
      Call call, Served groups, Served pods, GroupRequest request) {
    List<Call> calls = new ArrayList<>(request.places().size());
    List<ObjectNode> each = new ArrayList<>(request.places().size());
    for (GroupRequest.Place place : request.places()) {
      calls.add(
          call.on(
              new Target.Resource(
                  "", "v1", "pods", call.target().namespace(), place.pod(), "binding", false)));
      each.add(request.binding(place));
    }
    String group = request.group();
    var exists = new Exists(groups, groups.key(call.target().namespace(), group), group);
    return gatekeeper
        .withJudged(
            calls,
            pods,
            each,
            () ->
                writes.changedTogether(
                    calls, pods, List.of(exists), current -> bound(request, each, current)))
        .thenApply(after -> answer(call, groups, group, after))
        .exceptionallyCompose(
            failure -> CompletableFuture.failedFuture(explained(failure, request)));
  }

  /** The group must be there, and stay so while its pods are bound. */
  private record Exists(Served served, String key, String name) implements Authority.Guard {
    @Override
    public void check(@Nullable CachedObject current) {
      if (current == null) {
        throw served.notFound(name).asException();
      }
    }
  }

  /** Null if this operation has bound all of them before. */
  private @Nullable List<ObjectNode> bound(
      GroupRequest request, List<ObjectNode> each, List<ObjectNode> pods) {
    ObjectNode before = null;
    ObjectNode without = null;
    for (int i = 0; i < pods.size(); i++) {
      ObjectNode pod = pods.get(i);
      GroupRequest.Place place = request.places().get(i);
      Bindings.checkUid(pod, place.uid());
      if (Bindings.isBoundBy(pod, request.operation())
          && Bindings.nodeOf(pod).equals(place.node())) {
        before = pod;
      } else {
        without = pod;
      }
    }
    if (without == null) {
      return null;
    }
    if (before != null) {
      throw Status.conflict(
              "",
              "pods",
              Meta.name(without),
              "operation \"%s\" gave pod %s its node and not this one: bind the pods that have none by another operation"
                  .formatted(request.operation(), Meta.name(before)))
          .asException();
    }
    checkMembers(request, pods);
    pods.forEach(Bindings::checkFree);
    List<ObjectNode> bound = new ArrayList<>(pods.size());
    for (int i = 0; i < pods.size(); i++) {
      bound.add(bindings.bound(pods.get(i), each.get(i), request.places().get(i).node()));
    }
    return bound;
  }

  private static void checkMembers(GroupRequest request, List<ObjectNode> pods) {
    List<FieldError> errors = new ArrayList<>(0);
    for (int i = 0; i < pods.size(); i++) {
      ObjectNode pod = pods.get(i);
      String group = Meta.text(pod.path("metadata").path("labels").path(BindingNotes.GROUP));
      if (!group.equals(request.group())) {
        errors.add(
            new FieldError(
                FieldError.Reason.INVALID,
                "bindings[" + i + "].pod",
                "Invalid value: \"%s\": is not of the group: its label %s must be \"%s\", not \"%s\""
                    .formatted(Meta.name(pod), BindingNotes.GROUP, request.group(), group)));
      }
    }
    if (!errors.isEmpty()) {
      throw GroupRequest.invalid(request.group(), errors);
    }
  }

  /** Says which group it is, and in which version its pods have their nodes. */
  private static ApiResponse answer(
      Call call, Served groups, String group, List<CachedObject> pods) {
    var details = new Status.Details(group, groups.group(), groups.plural(), "", List.of(), 0);
    ObjectNode json = new Status(201, "", "", details, null).toJson();
    long version = pods.stream().mapToLong(CachedObject::revision).max().orElseThrow();
    Meta.of(json).put("resourceVersion", Long.toString(version));
    return call.answer(201, Json.encode(json));
  }

  /** What went wrong with one pod went wrong with all of them. */
  private static Throwable explained(Throwable failure, GroupRequest request) {
    Throwable cause = FutureFailure.cause(failure);
    String all = "no pod of podgroup \"" + request.group() + "\" was bound: ";
    if (cause instanceof StoreException.TooLarge tooLarge) {
      return Status.tooLarge(
              all
                  + "its %d pods, with what is charged for them, are more than the store takes in one transaction (%s)."
                      .formatted(request.places().size(), tooLarge.getMessage())
                  + " Bind fewer pods at a time in smaller groups, or have the store take more:"
                  + " with etcd a larger --max-txn-ops and --max-request-bytes there, and the same"
                  + " as max-txn-ops and max-request-bytes in the address of --store")
          .asException();
    }
    if (Failures.translated(cause) instanceof ApiException refused) {
      Status status = refused.status();
      Status.Details details = status.details();
      return details != null
              && (details.kind().startsWith("pods") || details.kind().equals("pods/binding"))
          ? new Status(status.code(), status.reason(), all + status.message(), details, null)
              .asException()
          : refused;
    }
    return cause;
  }
}
