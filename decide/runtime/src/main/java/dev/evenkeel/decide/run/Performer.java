package dev.evenkeel.decide.run;

import dev.evenkeel.decide.lead.Leadership;
import dev.evenkeel.decide.lead.Term;
import dev.evenkeel.decide.plan.Action;
import dev.evenkeel.explain.record.Decision.ActionRecord;
import dev.evenkeel.explain.record.Decision.ActionRecord.Result;
import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.api.LeaseFence;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.FutureFailure;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.observe.transport.Client;
import dev.evenkeel.observe.transport.OutcomeUnknownException;
import dev.evenkeel.observe.transport.PatchType;
import dev.evenkeel.observe.transport.Query;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Carries out one action and finds out what came of it, also where the connection does not say. */
public final class Performer {

  /**
   * What came of an action.
   *
   * @param name of the object, which the server may have made
   * @param version that a cache must have reached to show it; 0 if none is known
   * @param status what the server said, where it refused
   * @param shows what else a cache must show before anything is planned on it
   */
  public record Done(
      Result result,
      String name,
      long version,
      String detail,
      @Nullable Status status,
      Shows shows) {

    /** By what one can tell that a cache shows what came of an action. */
    public enum Shows {
      /** By its version. */
      VERSION,
      /** The object is not there any more, or is about to go; in which version nobody said. */
      ABSENCE,
      /** The server has to be asked, through {@link Performer#readBack}. */
      ANSWER
    }

    /** Whether the name is somebody else's. */
    boolean isNameTaken() {
      return status != null && status.reason().equals("AlreadyExists");
    }

    public ActionRecord record(Action action) {
      return record(action, action.preconditions());
    }

    /** Whether the server only has too much to do. */
    boolean isOverload() {
      return status != null && (status.code() == 429 || status.code() == 503);
    }

    /** Whether somebody refused because of what was asked, and not because of who, when or how. */
    boolean isForGood() {
      return status != null && !isOverload() && !status.reason().equals(LeaseFence.LEASE_LOST);
    }

    ActionRecord record(Action action, String preconditions) {
      return new ActionRecord(
          action.verb(),
          action.target(name),
          action.because(),
          preconditions,
          result,
          version,
          detail);
    }
  }

  private final Client client;
  private final String manager;
  private final Leadership leadership;

  /**
   * @param manager who owns what is written
   */
  public Performer(Client client, String manager, Leadership leadership) {
    this.client = client;
    this.manager = manager;
    this.leadership = leadership;
  }

  /**
   * Never fails: whatever went wrong is in the answer.
   *
   * @param term in which the action was decided on; in another it is not carried out
   */
  public CompletableFuture<Done> perform(Action action, Term term) {
    return perform(action, term, false);
  }

  /**
   * The same.
   *
   * @param drawn whether the name was drawn for this attempt alone: what has it is not ours then
   */
  CompletableFuture<Done> perform(Action action, Term term, boolean drawn) {
    if (!leadership.holds(term)) {
      return now(
          Result.REFUSED, action.name(), 0, "it was decided in a " + term + ", which is over");
    }
    CompletableFuture<ObjectNode> answer;
    try {
      answer = send(term.fence(client), action, manager);
    } catch (RuntimeException e) {
      answer = CompletableFuture.failedFuture(e);
    }
    return answer
        .thenCompose(object -> CompletableFuture.completedFuture(done(action, object)))
        .exceptionallyCompose(failure -> failed(action, failure, drawn))
        .thenApply(
            done -> {
              Status status = done.status();
              if (status != null && status.reason().equals(LeaseFence.LEASE_LOST)) {
                leadership.doubt(term);
              }
              return done;
            });
  }

  private static CompletableFuture<ObjectNode> send(Client client, Action action, String manager) {
    return switch (action) {
      case Action.Create create ->
          client.create(create.kind(), create.namespace(), create.object());
      case Action.Apply apply ->
          client.patch(
              apply.kind(),
              apply.namespace(),
              apply.name(),
              PatchType.APPLY,
              Bytes.wrap(Json.encode(apply.object())),
              new Query().with("fieldManager", manager).with("force", "true"));
      case Action.Patch patch ->
          client.patch(
              patch.kind(),
              patch.namespace(),
              patch.name(),
              patch.subresource(),
              PatchType.MERGE,
              Bytes.wrap(Json.encode(conditional(patch))),
              new Query().with("fieldManager", manager));
      case Action.Delete delete ->
          client.delete(delete.kind(), delete.namespace(), delete.name(), options(delete));
      case Action.Effect effect ->
          throw new IllegalStateException("nobody acts through " + effect.actuator() + " here");
    };
  }

  /** A merge patch that carries uid and version is refused where they are not the object's. */
  private static ObjectNode conditional(Action.Patch patch) {
    ObjectNode change = patch.change().deepCopy();
    ObjectNode metadata =
        change.get("metadata") instanceof ObjectNode known ? known : change.putObject("metadata");
    if (!patch.uid().isEmpty()) {
      metadata.put("uid", patch.uid());
    }
    if (patch.version() != 0) {
      metadata.put("resourceVersion", Long.toString(patch.version()));
    }
    return change;
  }

  private static ObjectNode options(Action.Delete delete) {
    ObjectNode options = JsonNodeFactory.instance.objectNode();
    options.put("apiVersion", "v1").put("kind", "DeleteOptions");
    options.put("propagationPolicy", delete.propagation().word());
    if (delete.atOnce()) {
      options.put("gracePeriodSeconds", 0);
    }
    ObjectNode preconditions = options.putObject("preconditions");
    preconditions.put("uid", delete.uid());
    if (delete.version() != 0) {
      preconditions.put("resourceVersion", Long.toString(delete.version()));
    }
    return options;
  }

  private static Done done(Action action, ObjectNode object) {
    boolean delete = action instanceof Action.Delete;
    String name = delete ? "" : Meta.name(object);
    // A deletion may be answered without a version, or with the one before it.
    return new Done(
        Result.DONE,
        name.isEmpty() ? action.name() : name,
        version(object),
        "",
        null,
        delete ? Done.Shows.ABSENCE : Done.Shows.VERSION);
  }

  private CompletableFuture<Done> failed(Action action, Throwable failure, boolean drawn) {
    Throwable cause = FutureFailure.cause(failure);
    String why = String.valueOf(cause.getMessage());
    return switch (cause) {
      case ApiException refused -> refused(action, refused.status(), drawn);
      case OutcomeUnknownException _ ->
          CompletableFuture.completedFuture(
              new Done(Result.UNKNOWN, action.name(), 0, why, null, Done.Shows.ANSWER));
      default -> now(Result.REFUSED, action.name(), 0, why);
    };
  }

  private static CompletableFuture<Done> now(
      Result result, String name, long version, String detail) {
    return CompletableFuture.completedFuture(
        new Done(result, name, version, detail, null, Done.Shows.VERSION));
  }

  private CompletableFuture<Done> refused(Action action, Status status, boolean drawn) {
    if (action instanceof Action.Delete && status.code() == 404) {
      return CompletableFuture.completedFuture(
          new Done(Result.UNCHANGED, action.name(), 0, "it was gone", null, Done.Shows.ABSENCE));
    }
    boolean conflict = status.code() == 409 || status.code() == 404;
    if (!conflict) {
      return CompletableFuture.completedFuture(
          new Done(Result.REFUSED, action.name(), 0, status.message(), status, Done.Shows.VERSION));
    }
    if (drawn) {
      return CompletableFuture.completedFuture(
          new Done(
              Result.CONFLICT, action.name(), 0, status.message(), status, Done.Shows.VERSION));
    }
    // Somebody was faster: the cache must have seen that before this is decided again.
    return client
        .get(action.kind(), action.namespace(), action.name())
        .handle(
            (there, failure) -> {
              if (failure != null) {
                Done.Shows shows = isNotFound(failure) ? Done.Shows.ABSENCE : Done.Shows.ANSWER;
                return new Done(Result.CONFLICT, action.name(), 0, status.message(), status, shows);
              }
              boolean ours =
                  action instanceof Action.Create create && isOurs(create.object(), there);
              return new Done(
                  ours ? Result.UNCHANGED : Result.CONFLICT,
                  action.name(),
                  version(there),
                  ours ? "it was there" : status.message(),
                  ours ? null : status,
                  Done.Shows.VERSION);
            });
  }

  private static boolean isNotFound(Throwable failure) {
    return FutureFailure.cause(failure) instanceof ApiException refused
        && refused.status().code() == 404;
  }

  /** Whether an object that is there is the one that was to be made: it has the same controller. */
  private static boolean isOurs(ObjectNode wanted, ObjectNode there) {
    String owner = controller(wanted);
    return !owner.isEmpty() && owner.equals(controller(there));
  }

  private static String controller(ObjectNode object) {
    for (JsonNode owner : object.path("metadata").path("ownerReferences")) {
      if (owner.path("controller").asBoolean(false)) {
        return Meta.text(owner.path("uid"));
      }
    }
    return "";
  }

  /**
   * Asks the server itself how far a cache must have come to show what became of an action. If the
   * object is there, that is its version; if it is not, the newest of the whole kind. Fails where
   * the server cannot be asked: then nothing is known, and is to be asked again.
   */
  CompletableFuture<Long> readBack(Action action) {
    if (action.name().isEmpty()) {
      return newest(action);
    }
    return client
        .get(action.kind(), action.namespace(), action.name())
        .thenApply(Performer::version)
        .exceptionallyCompose(
            failure ->
                isNotFound(failure) ? newest(action) : CompletableFuture.failedFuture(failure));
  }

  private CompletableFuture<Long> newest(Action action) {
    return client
        .list(action.kind(), action.namespace(), new Query().with("limit", "1"))
        .thenApply(Performer::version);
  }

  private static long version(ObjectNode object) {
    String text = Meta.resourceVersion(object);
    try {
      return text.isEmpty() ? 0 : Long.parseLong(text);
    } catch (NumberFormatException e) {
      // A server whose versions are no numbers cannot be waited for.
      return 0;
    }
  }
}
