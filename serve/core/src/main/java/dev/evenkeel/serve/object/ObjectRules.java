package dev.evenkeel.serve.object;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.api.WireTime;
import dev.evenkeel.kernel.env.Clock;
import dev.evenkeel.kernel.json.GoText;
import dev.evenkeel.kernel.schema.Checks;
import dev.evenkeel.kernel.schema.FieldError;
import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.call.Call;
import dev.evenkeel.serve.call.Decoding;
import dev.evenkeel.serve.kinds.ResourceDefinition;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What becomes of an object between what a client sent and what is stored: fields that are the
 * server's are set, those that this way of writing may not touch are taken from the old object, and
 * the result is validated. Pure but for the clock and the uids.
 */
public final class ObjectRules {

  /** Metadata that clients cannot change. */
  private static final List<String> SERVER_FIELDS =
      List.of("uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds");

  /** Ways of writing that may do what others may not, and less besides. */
  private static final Set<String> HAVE_OWN_RULES =
      Set.of("approval", "ephemeralcontainers", "resize");

  private final Clock clock;
  private final Uids uids;

  public ObjectRules(Clock clock, Uids uids) {
    this.clock = clock;
    this.uids = uids;
  }

  /** A new object as its creator wants it: without what is the server's, with defaults. */
  public void prepareWish(ObjectNode object, ResourceDefinition definition) {
    ObjectNode metadata = Meta.of(object);
    for (String field : SERVER_FIELDS) {
      metadata.remove(field);
    }
    metadata.remove("selfLink");
    metadata.remove("managedFields");
    Decoding.defaults(object, definition);
  }

  /** For one create, however often it is decided. */
  public Birth birth() {
    return new Birth(clock, uids);
  }

  /**
   * A new object, ready to be validated and stored.
   *
   * @param object that was {@linkplain #prepareWish prepared}, and perhaps changed by admission
   */
  public void prepareNew(ObjectNode object, ResourceDefinition definition, Birth birth) {
    ObjectNode metadata = Meta.of(object);
    if (Meta.name(object).isEmpty() && !Meta.text(metadata.path("generateName")).isEmpty()) {
      metadata.put("name", birth.nameFrom(Meta.text(metadata.path("generateName"))));
    }
    metadata.put("uid", birth.uid());
    metadata.put("creationTimestamp", birth.time());
    if (definition.specHasGeneration()) {
      metadata.put("generation", 1L);
    }
    if (definition.hasSubresource("status") && !keepsStatusOnCreate(definition)) {
      object.remove("status");
    }
    definition.rules().prepareForCreate(object);
    if (PodNotes.isPod(definition)) {
      PodNotes.clear(object);
    }
  }

  /** Nodes report themselves with their status, and so do volumes of upstream's kinds. */
  private static boolean keepsStatusOnCreate(ResourceDefinition definition) {
    return definition.group().isEmpty()
        && (definition.plural().equals("nodes") || definition.plural().equals("namespaces"));
  }

  /** An object that replaces another through the main resource. */
  public void prepareUpdate(
      Call call, ObjectNode object, ObjectNode old, ResourceDefinition definition) {
    keepServerFields(object, old);
    String subresource = call.target().subresource();
    if (HAVE_OWN_RULES.contains(subresource)) {
      definition.rules().prepareForSubresourceUpdate(subresource, object, old);
    }
    if (definition.hasSubresource("status")) {
      takeFrom(old, object, "status");
    }
    definition.rules().prepareForUpdate(object, old);
    if (PodNotes.isPod(definition)) {
      PodNotes.keep(object, old);
    }
    countGeneration(object, old, definition);
  }

  /** A new status: all but it and metadata stays as it was, with many kinds metadata as well. */
  public ObjectNode prepareStatus(
      ObjectNode object, ObjectNode old, ResourceDefinition definition) {
    ObjectNode next = old.deepCopy();
    takeFrom(object, next, "status");
    ObjectNode metadata = Meta.of(object).deepCopy();
    next.set("metadata", metadata);
    keepServerFields(next, old);
    for (String field : WriteStrategy.keptBesideStatus(definition)) {
      takeFrom(Meta.of(old), metadata, field);
    }
    if (PodNotes.isPod(definition)) {
      keepQuality(next, old);
      PodNotes.keep(next, old);
    }
    definition.rules().prepareForStatusUpdate(next, old, WireTime.seconds(clock.now()));
    return next;
  }

  /** What a pod's quality is follows from its spec, and is said once. */
  private static void keepQuality(ObjectNode pod, ObjectNode old) {
    JsonNode quality = old.path("status").get("qosClass");
    if (quality != null
        && pod.get("status") instanceof ObjectNode status
        && Meta.text(status.path("qosClass")).isEmpty()) {
      status.set("qosClass", quality);
    }
  }

  /** What cannot be changed; an attempt to give it to an object that has it not is refused. */
  private static void keepServerFields(ObjectNode object, ObjectNode old) {
    ObjectNode metadata = Meta.of(object);
    ObjectNode before = Meta.of(old);
    takeFrom(before, metadata, "uid");
    takeFrom(before, metadata, "creationTimestamp");
    takeFrom(before, metadata, "generation");
    if (before.has("deletionTimestamp")) {
      takeFrom(before, metadata, "deletionTimestamp");
    }
    if (before.has("deletionGracePeriodSeconds") && !metadata.has("deletionGracePeriodSeconds")) {
      takeFrom(before, metadata, "deletionGracePeriodSeconds");
    }
    metadata.remove("selfLink");
    takeFrom(before, metadata, "managedFields");
    if (metadata.path("generateName").isMissingNode()) {
      takeFrom(before, metadata, "generateName");
    }
  }

  /** The generation grows with every change of what is wanted, and with nothing else. */
  public void countGeneration(ObjectNode object, ObjectNode old, ResourceDefinition definition) {
    if (definition.specHasGeneration()
        && (!wanted(object).equals(wanted(old))
            || (definition.rules().generationCountsLabels()
                && !Meta.labels(object).equals(Meta.labels(old))))) {
      Meta.of(object).put("generation", old.path("metadata").path("generation").asLong(0) + 1);
    }
  }

  private static Map<String, JsonNode> wanted(ObjectNode object) {
    Map<String, JsonNode> fields = new java.util.HashMap<>();
    for (Map.Entry<String, JsonNode> field : object.properties()) {
      switch (field.getKey()) {
        case "apiVersion", "kind", "metadata", "status" -> {}
        default -> fields.put(field.getKey(), field.getValue());
      }
    }
    return fields;
  }

  public static void takeFrom(ObjectNode source, ObjectNode target, String field) {
    JsonNode value = source.get(field);
    if (value == null) {
      target.remove(field);
    } else {
      target.set(field, value);
    }
  }

  /** Refuses what is wrong with an object, or with its change. */
  public void validate(
      Call call, ObjectNode object, @Nullable ObjectNode old, ResourceDefinition definition) {
    var problems = new Problems();
    MetadataRules.validate(object, definition.rules(), definition.namespaced(), problems);
    if (old != null) {
      validateMetadataChange(object, old, problems);
    }
    int beforeSchema = problems.count();
    Checks.validate(object, definition.schema(), problems);
    int afterSchema = problems.count();
    definition.rules().validate(object, problems);
    String subresource = call.target().subresource();
    if (old == null) {
      definition.rules().validateCreate(object, problems);
    } else if (HAVE_OWN_RULES.contains(subresource)) {
      definition.rules().validateSubresourceUpdate(subresource, object, old, problems);
    } else {
      definition.rules().validateUpdate(object, old, problems);
    }
    refuse(
        object,
        definition,
        CauseOrder.of(problems.errors(), beforeSchema, afterSchema, definition.schema()));
    (old == null ? definition.rules().warnings(object) : definition.rules().warnings(object, old))
        .forEach(call::warn);
  }

  public void validateStatus(
      Call call, ObjectNode object, ObjectNode old, ResourceDefinition definition) {
    var problems = new Problems();
    MetadataRules.validate(object, definition.rules(), definition.namespaced(), problems);
    validateMetadataChange(object, old, problems);
    String subresource = call.target().subresource();
    if (HAVE_OWN_RULES.contains(subresource)) {
      definition.rules().validateSubresourceUpdate(subresource, object, old, problems);
    } else {
      definition.rules().validateStatusUpdate(object, old, problems);
    }
    refuse(object, definition, problems.errors());
  }

  private static void refuse(
      ObjectNode object, ResourceDefinition definition, List<FieldError> errors) {
    if (!errors.isEmpty()) {
      // Upstream names the group that an object is kept in: of two groups' events it is the core's.
      throw Status.invalid(
              definition.storage().version().group(),
              definition.gvk().kind(),
              Meta.name(object),
              errors)
          .asException();
    }
  }

  private static void validateMetadataChange(ObjectNode object, ObjectNode old, Problems problems) {
    immutable("name", object, old, problems);
    immutable("namespace", object, old, problems);
    immutable("deletionTimestamp", object, old, problems);
    immutable("deletionGracePeriodSeconds", object, old, problems);
    if (!old.path("metadata").path("deletionTimestamp").isMissingNode()) {
      var added = new TreeSet<>(texts(object.path("metadata").path("finalizers")));
      texts(old.path("metadata").path("finalizers")).forEach(added::remove);
      if (!added.isEmpty()) {
        problems.forbidden(
            "metadata.finalizers",
            "no new finalizers can be added if the object is being deleted, found new finalizers"
                + " []string{"
                + String.join(", ", added.stream().map(GoText::quoted).toList())
                + "}");
      }
    }
  }

  private static void immutable(
      String field, ObjectNode object, ObjectNode old, Problems problems) {
    JsonNode now = object.path("metadata").path(field);
    JsonNode before = old.path("metadata").path(field);
    if (!now.equals(before)) {
      problems.invalid("metadata." + field, now, "field is immutable");
    }
  }

  public static List<String> texts(JsonNode list) {
    List<String> texts = new java.util.ArrayList<>();
    for (JsonNode item : list) {
      texts.add(Meta.text(item));
    }
    return texts;
  }
}
