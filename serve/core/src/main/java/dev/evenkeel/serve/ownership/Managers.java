package dev.evenkeel.serve.ownership;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.api.WireTime;
import dev.evenkeel.kernel.apply.ConflictException;
import dev.evenkeel.kernel.apply.ManagedFields;
import dev.evenkeel.kernel.apply.Manager;
import dev.evenkeel.kernel.apply.NewOwnership;
import dev.evenkeel.kernel.apply.TypeException;
import dev.evenkeel.kernel.apply.Updater;
import dev.evenkeel.kernel.env.Clock;
import dev.evenkeel.kernel.json.JsonException;
import dev.evenkeel.serve.call.Call;
import dev.evenkeel.serve.call.Configuration;
import dev.evenkeel.serve.resource.ResourceTable;
import dev.evenkeel.serve.resource.Served;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Keeps {@code metadata.managedFields}: whoever writes comes to own what the write changes. All
 * ways of writing meet here; what ownership is, {@link dev.evenkeel.kernel.apply} knows.
 */
public final class Managers {

  public static final String FIELD = "managedFields";

  /** For clients that say nothing of themselves. */
  private static final String UNKNOWN = "unknown";

  private final ResourceTable resources;
  private final Clock clock;

  public Managers(ResourceTable resources, Clock clock) {
    this.resources = resources;
    this.clock = clock;
  }

  private String now() {
    return WireTime.seconds(clock.now());
  }

  private KindVersions versions(Call call, Served served) {
    return new KindVersions(resources, served, call.target().subresource());
  }

  private static String name(Call call) {
    String manager = call.fieldManager();
    return manager.isEmpty() ? UNKNOWN : manager;
  }

  // ---- create and update

  /**
   * The managers of a new object, for its metadata.
   *
   * @param object prepared, without managers
   * @param given those that the client sent
   * @return null if there are none
   */
  public @Nullable JsonNode ofNew(
      Call call, Served served, ObjectNode object, @Nullable JsonNode given) {
    KindVersions versions = versions(call, served);
    ManagedFields before = given == null ? null : decoded(given);
    try {
      if (before == null || before.isEmpty()) {
        return NewOwnership.of(object, versions.own(), name(call), now());
      }
      ObjectNode nothing = JsonNodeFactory.instance.objectNode();
      return orNull(
          new Updater(versions, versions.own())
              .update(nothing, object, before, name(call), "", now()));
    } catch (TypeException e) {
      // Items that cannot be told apart cannot be owned; the object itself is none the worse.
      return null;
    }
  }

  /**
   * The managers of an object that is changed, for its metadata. Takes those that it has out of the
   * wanted object.
   *
   * @param next as it is wanted
   * @param given the managers that the client sent; null if it may not set them
   * @return null if there are none
   */
  public @Nullable JsonNode update(
      Call call, Served served, ObjectNode next, ObjectNode old, @Nullable JsonNode given) {
    JsonNode live = Meta.of(old).remove(FIELD);
    Meta.of(next).remove(FIELD);
    try {
      return isBinding(call) ? live : updated(call, served, next, old, live, given);
    } finally {
      set(Meta.of(old), live);
    }
  }

  /**
   * The same for what the server itself writes through a subresource.
   *
   * @param next as it is written, with the managers that it had; they are changed
   */
  public void updateByServer(
      Served served, ObjectNode next, ObjectNode old, String manager, String subresource) {
    JsonNode live = Meta.of(next).remove(FIELD);
    ManagedFields before = decoded(live);
    JsonNode after = live;
    if (before != null && !before.isEmpty()) {
      var versions = new KindVersions(resources, served, subresource);
      JsonNode ofOld = Meta.of(old).remove(FIELD);
      try {
        after =
            orNull(
                new Updater(versions, versions.own())
                    .update(old, next, before, manager, subresource, now()));
      } catch (TypeException e) {
        // They stay as they were.
      } finally {
        set(Meta.of(old), ofOld);
      }
    }
    set(Meta.of(next), after);
  }

  /** A binding is the server's own write. */
  private static boolean isBinding(Call call) {
    return call.target().subresource().equals("binding")
        || call.target().plural().equals("bindings");
  }

  private @Nullable JsonNode updated(
      Call call,
      Served served,
      ObjectNode next,
      ObjectNode old,
      @Nullable JsonNode live,
      @Nullable JsonNode given) {
    if (given != null && isReset(given)) {
      return null;
    }
    boolean asksForOthers = given != null && !given.equals(live);
    String version = served.gvk().apiVersion();
    String subresource = call.target().subresource();
    if (!asksForOthers
        && live != null
        && SoleOwner.ownsAllChanges(live, old, next, name(call), version, subresource)) {
      return SoleOwner.at(live, now());
    }
    ManagedFields wanted = asksForOthers ? decoded(given) : null;
    boolean asLive = wanted == null || wanted.isEmpty();
    ManagedFields before = asLive ? decoded(live) : wanted;
    if (before == null || before.isEmpty()) {
      // Whoever had no managers so far gets them with the first application.
      return null;
    }
    KindVersions versions = versions(call, served);
    try {
      ManagedFields after =
          new Updater(versions, versions.own())
              .update(old, next, before, name(call), call.target().subresource(), now());
      return asLive && after.equals(before) ? live : orNull(after);
    } catch (TypeException e) {
      return live;
    }
  }

  private static boolean isReset(JsonNode given) {
    return given.isArray() && (given.isEmpty() || (given.size() == 1 && given.path(0).isEmpty()));
  }

  /** Null if they are not what a server writes. */
  private static @Nullable ManagedFields decoded(@Nullable JsonNode list) {
    try {
      return ManagedFields.fromJson(list);
    } catch (JsonException e) {
      return null;
    }
  }

  private static @Nullable JsonNode orNull(ManagedFields managers) {
    return managers.isEmpty() ? null : managers.toJson();
  }

  public static void set(ObjectNode metadata, @Nullable JsonNode managers) {
    if (managers == null || (managers.isArray() && managers.isEmpty())) {
      metadata.remove(FIELD);
    } else {
      metadata.set(FIELD, managers);
    }
  }

  // ---- apply

  /**
   * What applying the configuration makes of an object, with its managers and without defaults.
   *
   * @param old null if there is none yet
   */
  public ObjectNode apply(
      Call call, Served served, Configuration configuration, @Nullable ObjectNode old) {
    ManagedFields before = ManagedFields.NONE;
    ObjectNode live = null;
    JsonNode list = null;
    if (old != null) {
      live = old.deepCopy();
      list = Meta.of(live).remove(FIELD);
      try {
        before = ManagedFields.fromJson(list);
      } catch (JsonException e) {
        throw Status.internal("failed to decode managed fields: " + e.getMessage()).asException();
      }
    }
    List<String> unseen = configuration.unseen();
    if (live != null && unseen != null) {
      hideZero(live, unseen);
    }
    Updater.Applied applied = applied(call, served, configuration, live, before);
    ObjectNode next = applied.object();
    if (LastApplied.isKept(call, next)) {
      LastApplied.set(next, configuration);
    }
    // Written anew they could stand in another order, and that would be a change.
    boolean same = applied.managers().equals(before);
    set(Meta.of(next), same ? list : orNull(applied.managers()));
    return next;
  }

  private Updater.Applied applied(
      Call call,
      Served served,
      Configuration configuration,
      @Nullable ObjectNode live,
      ManagedFields before) {
    KindVersions versions = versions(call, served);
    var updater = new Updater(versions, versions.own());
    var manager = Manager.applier(call.fieldManager(), call.target().subresource());
    boolean force = call.query().flag("force");
    try {
      return updater.apply(live, configuration.object(), before, manager, force, now());
    } catch (ConflictException e) {
      List<ConflictException.Conflict> left =
          live == null ? e.conflicts() : LastApplied.unexcused(call, served, updater, live, e);
      if (left.isEmpty()) {
        return updater.apply(live, configuration.object(), before, manager, true, now());
      }
      throw conflict(new ConflictException(left)).asException();
    } catch (TypeException e) {
      throw Status.badRequest("failed to merge config: " + e.getMessage()).asException();
    }
  }

  private static Status conflict(ConflictException e) {
    List<Status.Cause> causes = new ArrayList<>();
    for (ConflictException.Conflict conflict : e.conflicts()) {
      causes.add(
          new Status.Cause(
              "FieldManagerConflict",
              "conflict with " + conflict.manager(),
              conflict.path().toString()));
    }
    return new Status(
        409,
        "Conflict",
        String.valueOf(e.getMessage()),
        new Status.Details("", "", "", "", causes, 0),
        null);
  }

  /** Takes a number out of an object if it is zero: its scale does not show it. */
  private static void hideZero(ObjectNode object, List<String> path) {
    JsonNode holder = object;
    for (String step : path.subList(0, path.size() - 1)) {
      holder = holder.path(step);
    }
    if (holder instanceof ObjectNode known && known.path(path.getLast()).asLong(1) == 0) {
      known.remove(path.getLast());
    }
  }
}
