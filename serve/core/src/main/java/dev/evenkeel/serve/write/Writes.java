package dev.evenkeel.serve.write;

import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.schema.FieldError;
import dev.evenkeel.kernel.schema.Shape;
import dev.evenkeel.serve.admission.Admission;
import dev.evenkeel.serve.admission.Operation;
import dev.evenkeel.serve.api.ApiResponse;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.call.Call;
import dev.evenkeel.serve.call.Configuration;
import dev.evenkeel.serve.call.Decoding;
import dev.evenkeel.serve.call.Failures;
import dev.evenkeel.serve.call.Patches;
import dev.evenkeel.serve.kinds.ResourceDefinition;
import dev.evenkeel.serve.object.Birth;
import dev.evenkeel.serve.object.ObjectRules;
import dev.evenkeel.serve.object.PodNotes;
import dev.evenkeel.serve.object.WriteStrategy;
import dev.evenkeel.serve.ownership.Managers;
import dev.evenkeel.serve.ownership.SameContent;
import dev.evenkeel.serve.read.Reads;
import dev.evenkeel.serve.resource.ResourceTable;
import dev.evenkeel.serve.resource.Served;
import dev.evenkeel.serve.service.ServiceAllocator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Creates, updates and patches. */
public final class Writes {

  /** A generated name that is taken is tried again with another; with 27^5 names once is plenty. */
  private static final int GENERATED_NAMES_MAX = 8;

  /** An object that comes and goes while it is put is looked for this many times. */
  private static final int PUT_ATTEMPTS_MAX = 8;

  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,19}");

  private final Authority authority;
  private final ObjectRules rules;
  private final NamespaceGate namespaces;
  private final Fences fences;
  private final Gatekeeper gatekeeper;
  private final Managers managers;
  private final Zones zones;
  private final Services services;

  public Writes(
      Authority authority,
      ObjectRules rules,
      ResourceTable resources,
      Gatekeeper gatekeeper,
      Managers managers,
      Zones zones,
      Services services) {
    this.authority = authority;
    this.rules = rules;
    this.namespaces = new NamespaceGate(resources);
    this.fences = new Fences(resources);
    this.gatekeeper = gatekeeper;
    this.managers = managers;
    this.zones = zones;
    this.services = services;
  }

  // ---- create

  public CompletableFuture<ApiResponse> create(Call call, Served served) {
    Admission.Plan plan = gatekeeper.plan(call, served, Operation.CREATE);
    Gift gift = gift(call, served);
    return gatekeeper.withViews(plan, () -> create(call, served, plan, gift));
  }

  /**
   * What the server gives to a new object of its own choice. It is the same however often the
   * create is decided, but for what turns out to be taken.
   *
   * @param attempt null if the kind is given no addresses
   */
  private record Gift(Birth birth, ServiceAllocator.@Nullable Attempt attempt) {}

  private Gift gift(Call call, Served served) {
    return new Gift(rules.birth(), services.attempt(call, served));
  }

  private CompletableFuture<ApiResponse> create(
      Call call, Served served, Admission.Plan plan, Gift gift) {
    ResourceDefinition definition = served.definition();
    ObjectNode object = Decoding.object(call, definition);
    placeInNamespace(call, object, definition);
    // As upstream, where only the store minds it, and to it 0 is none.
    String version = Meta.resourceVersion(object);
    if (!version.isEmpty() && !version.equals("0") && !call.dryRun()) {
      throw Status.badRequest("resourceVersion should not be set on objects to be created")
          .asException();
    }
    boolean generated = Meta.name(object).isEmpty();
    return create(call, served, plan, gift, object, null, generated ? GENERATED_NAMES_MAX : 1)
        .thenApply(created -> Reads.answer(call, served, 201, created));
  }

  /**
   * As upstream: of what is not there yet no version is the wrong one, and who only tries gets back
   * the one that was sent.
   *
   * @param owned the managers of the object; null if whoever creates it owns it
   */
  private CompletableFuture<CachedObject> create(
      Call call,
      Served served,
      Admission.Plan plan,
      Gift gift,
      ObjectNode sent,
      @Nullable JsonNode owned,
      int attempts) {
    ResourceDefinition definition = served.definition();
    ObjectNode object = attempts > 1 ? sent.deepCopy() : sent;
    String version = Meta.resourceVersion(object);
    Meta.of(object).remove("resourceVersion");
    JsonNode given = Meta.of(object).get(Managers.FIELD);
    rules.prepareWish(object, definition);
    // What admission and the server add was nobody's wish, and is owned by nobody.
    JsonNode fields = owned == null ? managers.ofNew(call, served, object, given) : owned;
    if (call.hasEmptyLists()) {
      Shape.withoutEmptyLists(object, definition.schema());
    }
    if (!plan.mutating().isEmpty()) {
      plan.mutate(gatekeeper.request(call, served, Operation.CREATE, object, null));
      Decoding.defaults(object, definition);
      if (definition.namespaced() && !Meta.namespace(object).equals(call.target().namespace())) {
        throw otherNamespace();
      }
    }
    gatekeeper.checkRights(call, object, null);
    rules.prepareNew(object, definition, gift.birth());
    definition.rules().prepareForCaller(object, call.caller().name(), call.caller().groups());
    ServiceAllocator.Attempt attempt = gift.attempt();
    Authority.Decision.Put first = finished(call, served, plan, object, fields, attempt);
    String name = Meta.name(object);
    String node = PodNotes.isPod(definition) ? Meta.text(object.path("spec").path("nodeName")) : "";
    return authority
        .write(
            served,
            served.key(Meta.namespace(object), name),
            call.dryRun(),
            fences.with(call, namespaces.guards(served, Meta.namespace(object), name)),
            Services.telling(
                attempt,
                current -> {
                  if (current != null) {
                    throw Status.alreadyExists(served.group(), served.plural(), name).asException();
                  }
                  if (attempt != null && attempt.wasRefused()) {
                    return finished(call, served, plan, object, fields, attempt);
                  }
                  if (node.isEmpty()) {
                    return first;
                  }
                  // Each time anew: what is known of the node may be another by then.
                  PodNotes.zone(object, zones.of(node));
                  return new Authority.Decision.Put(stored(served, object), object);
                }))
        .thenApply(
            outcome -> {
              CachedObject after = present(outcome);
              return call.dryRun() && NUMBER.matcher(version).matches()
                  ? served.cache().codec().claimed(after, version)
                  : after;
            })
        .exceptionallyCompose(
            failure -> {
              if (attempts <= 1 || !Failures.isAlreadyExists(failure)) {
                return CompletableFuture.failedFuture(failure);
              }
              gift.birth().again();
              return create(call, served, plan, gift, sent, owned, attempts - 1);
            });
  }

  /** A new object as it is stored: given what is given to it, and found right. */
  private Authority.Decision.Put finished(
      Call call,
      Served served,
      Admission.Plan plan,
      ObjectNode prepared,
      @Nullable JsonNode managed,
      ServiceAllocator.@Nullable Attempt attempt) {
    ObjectNode object = prepared;
    if (attempt != null) {
      object = prepared.deepCopy();
      attempt.give(object, null);
    }
    rules.validate(call, object, null, served.definition());
    if (!plan.validating().isEmpty()) {
      plan.validate(gatekeeper.request(call, served, Operation.CREATE, object, null));
    }
    Managers.set(Meta.of(object), managed);
    return new Authority.Decision.Put(stored(served, object), object);
  }

  private static void placeInNamespace(
      Call call, ObjectNode object, ResourceDefinition definition) {
    if (!definition.namespaced()) {
      if (!Meta.namespace(object).isEmpty()) {
        Meta.of(object).remove("namespace");
      }
      return;
    }
    String asked = call.target().namespace();
    String given = Meta.namespace(object);
    if (!given.isEmpty() && !given.equals(asked)) {
      throw otherNamespace();
    }
    Meta.of(object).put("namespace", asked);
  }

  public static ApiException otherNamespace() {
    return Status.badRequest(
            "the namespace of the provided object does not match the namespace sent on the"
                + " request")
        .asException();
  }

  // ---- update

  /** Which part of an object a write is about. */
  public enum Part {
    MAIN,
    STATUS,
    /** What a namespace waits for: admission is asked, and changes nothing. */
    FINALIZERS,
    /** All of it: what the server itself writes. */
    MAIN_AND_STATUS
  }

  public CompletableFuture<ApiResponse> update(Call call, Served served, Part part) {
    ResourceDefinition definition = served.definition();
    ObjectNode sent = sent(call, definition);
    return part == Part.MAIN && definition.putCreates()
        ? put(call, served, sent, PUT_ATTEMPTS_MAX)
        : change(call, served, part, asSent(call, definition, sent));
  }

  private static ObjectNode sent(Call call, ResourceDefinition definition) {
    ObjectNode sent = Decoding.object(call, definition);
    placeInNamespace(call, sent, definition);
    checkPlace("name", Meta.name(sent), call.target().name());
    Decoding.defaults(sent, definition);
    return sent;
  }

  /**
   * The object as the client sent it. The tree is changed on its way into the store, so the first
   * attempt gets it away, and those few that come to a second read the body again: a copy would be
   * a second tree for every update.
   */
  private static Transform asSent(Call call, ResourceDefinition definition, ObjectNode sent) {
    var unused = new AtomicReference<@Nullable ObjectNode>(sent);
    return _ -> {
      ObjectNode first = unused.getAndSet(null);
      return first == null ? sent(call, definition) : first;
    };
  }

  /**
   * Updates what is there, or else creates it. As upstream, a version in the body is no condition
   * on an object that does not exist, and a uid is one.
   */
  private CompletableFuture<ApiResponse> put(
      Call call, Served served, ObjectNode sent, int attempts) {
    return change(call, served, Part.MAIN, _ -> sent.deepCopy())
        .exceptionallyCompose(
            failure ->
                Failures.isNotFound(failure)
                    ? createPut(call, served, sent, attempts)
                    : CompletableFuture.failedFuture(failure));
  }

  private CompletableFuture<ApiResponse> createPut(
      Call call, Served served, ObjectNode sent, int attempts) {
    checkUid(served, sent, Meta.name(sent), "");
    ObjectNode object = sent.deepCopy();
    Admission.Plan plan = gatekeeper.plan(call, served, Operation.CREATE);
    Gift gift = gift(call, served);
    return gatekeeper
        .withViews(plan, () -> create(call, served, plan, gift, object.deepCopy(), null, 1))
        .thenApply(created -> Reads.answer(call, served, 201, created))
        .exceptionallyCompose(
            failure ->
                attempts > 1 && Failures.isAlreadyExists(failure)
                    ? put(call, served, sent, attempts - 1)
                    : CompletableFuture.failedFuture(failure));
  }

  /** Makes the wanted object from the current one, both in the served version. */
  public interface Transform {
    ObjectNode apply(ObjectNode current);

    /** Whether it sets the managers of the object itself. */
    default boolean setsManagers() {
      return false;
    }
  }

  /** Changes the object that the call names, and answers with it. */
  public CompletableFuture<ApiResponse> change(
      Call call, Served served, Part part, Transform transform) {
    return changed(call, served, part, transform)
        .thenApply(after -> Reads.answer(call, served, 200, after));
  }

  public CompletableFuture<CachedObject> changed(
      Call call, Served served, Part part, Transform transform) {
    // What the server itself writes is nobody's wish, so nobody is asked.
    Admission.Plan plan =
        part == Part.MAIN_AND_STATUS
            ? Admission.Plan.NOTHING
            : gatekeeper.plan(call, served, Operation.UPDATE);
    ServiceAllocator.Attempt attempt = part == Part.MAIN ? services.attempt(call, served) : null;
    return gatekeeper.withViews(plan, () -> changed(call, served, part, plan, transform, attempt));
  }

  private CompletableFuture<CachedObject> changed(
      Call call,
      Served served,
      Part part,
      Admission.Plan plan,
      Transform transform,
      ServiceAllocator.@Nullable Attempt attempt) {
    String name = call.target().name();
    String key = served.key(call.target().namespace(), name);
    return authority
        .write(
            served,
            key,
            call.dryRun(),
            fences.with(call, List.of()),
            Services.telling(
                attempt,
                current -> {
                  if (current == null) {
                    throw served.notFound(name).asException();
                  }
                  return decide(call, served, part, plan, transform, current, attempt);
                }))
        .thenApply(Writes::present);
  }

  /** Makes the wanted objects from the current ones, all in the served version. */
  public interface JointTransform {

    /** Null if all are to stay as they are. */
    @Nullable List<ObjectNode> apply(List<ObjectNode> currents);
  }

  /**
   * Changes several objects of a kind and namespace, all of them in one transaction or none. What
   * the server itself writes is nobody's wish, so nobody is asked.
   *
   * @param calls one for each object, which it names
   * @param guards what must stay as it is
   */
  public CompletableFuture<List<CachedObject>> changedTogether(
      List<Call> calls, Served served, List<Authority.Guard> guards, JointTransform transform) {
    List<String> keys = new ArrayList<>(calls.size());
    for (Call call : calls) {
      keys.add(served.key(call.target().namespace(), call.target().name()));
    }
    Call first = calls.getFirst();
    return authority
        .writeAll(
            served,
            keys,
            first.dryRun(),
            fences.with(first, guards),
            currents -> {
              List<ObjectNode> olds = new ArrayList<>(calls.size());
              for (int i = 0; i < calls.size(); i++) {
                CachedObject current = currents.get(i);
                if (current == null) {
                  throw served.notFound(calls.get(i).target().name()).asException();
                }
                olds.add(Json.parseObject(served.shown(current)));
              }
              return decide(calls, served, olds, transform.apply(olds));
            })
        .thenApply(
            outcomes -> {
              List<CachedObject> after = new ArrayList<>(outcomes.size());
              for (Authority.Outcome outcome : outcomes) {
                after.add(present(outcome));
              }
              return after;
            });
  }

  private List<Authority.Decision> decide(
      List<Call> calls, Served served, List<ObjectNode> olds, @Nullable List<ObjectNode> nexts) {
    List<Authority.Decision> decisions = new ArrayList<>(calls.size());
    for (int i = 0; i < calls.size(); i++) {
      if (nexts == null) {
        decisions.add(new Authority.Decision.Keep());
      } else {
        ObjectNode next = nexts.get(i);
        Managers.set(Meta.of(next), managers.update(calls.get(i), served, next, olds.get(i), null));
        decisions.add(new Authority.Decision.Put(stored(served, next), next));
      }
    }
    return decisions;
  }

  private static CachedObject present(Authority.Outcome outcome) {
    CachedObject after = outcome.after();
    if (after == null) {
      throw new IllegalStateException("a write left nothing");
    }
    return after;
  }

  private Authority.Decision decide(
      Call call,
      Served served,
      Part part,
      Admission.Plan plan,
      Transform transform,
      CachedObject current,
      ServiceAllocator.@Nullable Attempt attempt) {
    ResourceDefinition definition = served.definition();
    ObjectNode old = Json.parseObject(served.shown(current));
    ObjectNode next = transform.apply(old);
    checkPlace("name", Meta.name(next), Meta.name(old));
    checkPlace("namespace", Meta.namespace(next), Meta.namespace(old));
    checkVersion(served, next, old);
    checkUid(served, next, Meta.name(old), Meta.uid(old));
    JsonNode given = Meta.of(next).get(Managers.FIELD);
    // Before admission and the server have their say: what they change is owned by nobody.
    JsonNode fields =
        transform.setsManagers()
            ? given
            : managers.update(
                call,
                served,
                wished(part, next, old, definition),
                old,
                call.target().subresource().isEmpty() ? given : null);
    if (call.hasEmptyLists()) {
      Shape.withoutEmptyLists(next, definition.schema());
    }
    if (!plan.mutating().isEmpty() && part != Part.FINALIZERS) {
      plan.mutate(gatekeeper.request(call, served, Operation.UPDATE, next, old));
      Decoding.defaults(next, definition);
      checkPlace("name", Meta.name(next), Meta.name(old));
      checkPlace("namespace", Meta.namespace(next), Meta.namespace(old));
    } else if (part == Part.FINALIZERS) {
      plan.mayRefuse(gatekeeper.request(call, served, Operation.UPDATE, next, old));
    }
    switch (part) {
      case STATUS -> {
        next = rules.prepareStatus(next, old, definition);
        rules.validateStatus(call, next, old, definition);
      }
      case MAIN -> {
        gatekeeper.checkRights(call, next, old);
        rules.prepareUpdate(call, next, old, definition);
        if (attempt != null) {
          attempt.give(next, old);
        }
        rules.validate(call, next, old, definition);
      }
      case FINALIZERS -> rules.countGeneration(next, old, definition);
      // As upstream: whoever gives a pod its node wants nothing else of it.
      case MAIN_AND_STATUS -> {}
    }
    if (!plan.validating().isEmpty()) {
      plan.validate(gatekeeper.request(call, served, Operation.UPDATE, next, old));
    }
    Managers.set(Meta.of(next), fields);
    if (Deletes.isReadyToGo(next)) {
      return new Authority.Decision.Delete(stored(served, next));
    }
    // What is stored in another version is written again, if only to be in the right one.
    boolean comparable = definition.servesStoredVersion();
    if (comparable && SameContent.of(next, old)) {
      return new Authority.Decision.Keep();
    }
    byte[] stored = stored(served, next);
    return !comparable && isStored(served, stored, current)
        ? new Authority.Decision.Keep()
        : new Authority.Decision.Put(stored, next);
  }

  private static boolean isStored(Served served, byte[] stored, CachedObject current) {
    byte[] asServed = served.cache().codec().withVersion(stored, current.revision());
    return Arrays.equals(asServed, current.json())
        || SameContent.of(Json.parseObject(asServed), Json.parseObject(current.json()));
  }

  /**
   * What a write is about, as far as it can be owned: the rest is taken from the old object, so
   * that it need not be compared.
   */
  private static ObjectNode wished(
      Part part, ObjectNode next, ObjectNode old, ResourceDefinition definition) {
    boolean main = part == Part.MAIN && definition.hasSubresource("status");
    if (!main && part != Part.STATUS) {
      return next;
    }
    ObjectNode wished = JsonNodeFactory.instance.objectNode();
    if (main) {
      wished.setAll(next);
      ObjectRules.takeFrom(old, wished, "status");
    } else {
      wished.setAll(old);
      ObjectRules.takeFrom(next, wished, "status");
      wished.set("metadata", Meta.of(next));
    }
    return wished;
  }

  public static void checkPlace(String what, String next, String old) {
    if (next.isEmpty() && what.equals("name")) {
      throw Status.badRequest(
              "the name of the object ("
                  + old
                  + " based on URL) was undeterminable: name must be provided")
          .asException();
    }
    if (!next.equals(old)) {
      throw Status.badRequest(
              "the %1$s of the object (%2$s) does not match the %1$s on the URL (%3$s)"
                  .formatted(what, next, old))
          .asException();
    }
  }

  private static void checkVersion(Served served, ObjectNode next, ObjectNode old) {
    String wanted = Meta.resourceVersion(next);
    if (wanted.isEmpty() || wanted.equals("0")) {
      if (WriteStrategy.needsVersion(served.definition())) {
        throw Status.invalid(
                served.group(),
                served.plural(),
                Meta.name(old),
                List.of(
                    new FieldError(
                        FieldError.Reason.INVALID,
                        "metadata.resourceVersion",
                        "Invalid value: 0: must be specified for an update")))
            .asException();
      }
      return;
    }
    if (!wanted.equals(Meta.resourceVersion(old))) {
      throw Status.modified(served.group(), served.plural(), Meta.name(old)).asException();
    }
  }

  private static void checkUid(Served served, ObjectNode next, String name, String uid) {
    String wanted = Meta.uid(next);
    if (!wanted.isEmpty() && !wanted.equals(uid)) {
      throw Status.conflict(
              served.group(),
              served.plural(),
              name,
              "Precondition failed: UID in precondition: "
                  + wanted
                  + ", UID in object meta: "
                  + uid)
          .asException();
    }
  }

  /** The bytes to store: in the stored version, without what the store itself knows. */
  public static byte[] stored(Served served, ObjectNode object) {
    ResourceDefinition definition = served.definition();
    ObjectNode converted =
        definition.servesStoredVersion()
            ? object
            : definition.storage().conversion().toStored(object.deepCopy());
    return served.cache().codec().toStored(converted);
  }

  // ---- patch

  public CompletableFuture<ApiResponse> patch(Call call, Served served, Part part) {
    ResourceDefinition definition = served.definition();
    if (call.isApply()) {
      return applied(call, served, part, configuration(call, served))
          .thenApply(after -> Reads.answer(call, served, 200, after));
    }
    Patches patch = Patches.read(call, Patches.Patched.of(definition));
    return change(
        call,
        served,
        part,
        current -> {
          ObjectNode next = patch.apply(call, current);
          placeInNamespace(call, next, definition);
          Decoding.defaults(next, definition);
          return next;
        });
  }

  // ---- apply

  /** An application that is under way: how often it was found that the object came or went. */
  private static final int APPLY_ATTEMPTS_MAX = 8;

  /** Applies a configuration to an object, or makes it. */
  public CompletableFuture<ApiResponse> apply(Call call, Served served) {
    Configuration configuration = configuration(call, served);
    return apply(call, served, configuration, isCached(call, served), APPLY_ATTEMPTS_MAX);
  }

  private static boolean isCached(Call call, Served served) {
    String key = served.key(call.target().namespace(), call.target().name());
    return served.cache().newest().tree().get(key) != null;
  }

  private Configuration configuration(Call call, Served served) {
    ResourceDefinition definition = served.definition();
    boolean custom = definition.rules().isCustom();
    Configuration configuration =
        Configuration.read(call, definition.gvk(), definition.schema(), custom);
    placeInNamespace(call, configuration.object(), definition);
    String name = Meta.name(configuration.object());
    if (!name.isEmpty()) {
      checkPlace("name", name, call.target().name());
    }
    return configuration;
  }

  private CompletableFuture<ApiResponse> apply(
      Call call, Served served, Configuration configuration, boolean exists, int attempts) {
    CompletableFuture<ApiResponse> answer =
        exists
            ? applied(call, served, Part.MAIN, configuration)
                .thenApply(after -> Reads.answer(call, served, 200, after))
            : created(call, served, configuration)
                .thenApply(after -> Reads.answer(call, served, 201, after));
    return answer.exceptionallyCompose(
        failure -> {
          boolean other = exists ? Failures.isNotFound(failure) : Failures.isAlreadyExists(failure);
          return attempts > 1 && other
              ? apply(call, served, configuration, !exists, attempts - 1)
              : CompletableFuture.failedFuture(failure);
        });
  }

  private CompletableFuture<CachedObject> created(
      Call call, Served served, Configuration configuration) {
    String name = call.target().name();
    ObjectNode object = managers.apply(call, served, configuration, null);
    if (!served.definition().rules().isCustom()) {
      var _ = Shape.apply(object, served.definition().schema());
    }
    if (Meta.name(object).isEmpty()) {
      throw Status.badRequest(
              "the name of the object ("
                  + name
                  + " based on URL) was undeterminable: name must be provided")
          .asException();
    }
    if (!Meta.uid(object).isEmpty()) {
      throw Status.conflict(
              served.group(),
              served.plural(),
              name,
              "uid mismatch: the provided object specified uid "
                  + Meta.uid(object)
                  + ", and no existing object was found")
          .asException();
    }
    JsonNode owned = Meta.of(object).get(Managers.FIELD);
    JsonNode managed = owned == null ? JsonNodeFactory.instance.arrayNode() : owned;
    Admission.Plan plan = gatekeeper.plan(call, served, Operation.CREATE);
    Gift gift = gift(call, served);
    return gatekeeper.withViews(
        plan, () -> create(call, served, plan, gift, object.deepCopy(), managed, 1));
  }

  /** Applies a configuration to an object that is there. */
  public CompletableFuture<CachedObject> applied(
      Call call, Served served, Part part, Configuration configuration) {
    return changed(
        call,
        served,
        part,
        new Transform() {
          @Override
          public ObjectNode apply(ObjectNode current) {
            ObjectNode next = managers.apply(call, served, configuration, current);
            Decoding.settle(next, served.definition());
            return next;
          }

          @Override
          public boolean setsManagers() {
            return true;
          }
        });
  }
}
