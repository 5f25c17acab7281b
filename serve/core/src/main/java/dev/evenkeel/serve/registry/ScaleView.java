package dev.evenkeel.serve.registry;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.schema.FieldError;
import dev.evenkeel.kernel.schema.Schema;
import dev.evenkeel.kernel.selector.LabelSelector;
import dev.evenkeel.serve.api.ApiResponse;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.call.Call;
import dev.evenkeel.serve.call.Configuration;
import dev.evenkeel.serve.call.Decoding;
import dev.evenkeel.serve.call.Patches;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.ResourceDefinition;
import dev.evenkeel.serve.kinds.catalog.Catalog;
import dev.evenkeel.serve.object.ObjectRules;
import dev.evenkeel.serve.read.Reads;
import dev.evenkeel.serve.resource.Served;
import dev.evenkeel.serve.write.Writes;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The subresource scale: how many replicas there are to be, whatever the kind calls them. */
final class ScaleView {

  private static final Gvk SCALE = Gvk.of("autoscaling/v1", "Scale");
  private static final Schema.Struct TYPE = Objects.requireNonNull(Catalog.type(SCALE));

  private final Reads reads;
  private final Writes writes;

  ScaleView(Reads reads, Writes writes) {
    this.reads = reads;
    this.writes = writes;
  }

  CompletableFuture<ApiResponse> handle(Call call, Served served, String verb) {
    String name = call.target().name();
    return switch (verb) {
      case "get" ->
          reads
              .newest(served)
              .thenApply(
                  snapshot -> {
                    CachedObject object =
                        snapshot.tree().get(served.key(call.target().namespace(), name));
                    if (object == null) {
                      throw served.notFound(name).asException();
                    }
                    return answer(call, served, object);
                  });
      case "update" -> {
        ObjectNode sent = Decoding.object(call, SCALE, TYPE);
        checkPlace(call, sent);
        yield write(call, served, _ -> sent);
      }
      default -> {
        if (call.isApply()) {
          yield apply(call, served);
        }
        boolean custom = served.definition().rules().isCustom();
        Patches patch =
            Patches.read(call, new Patches.Patched(SCALE, TYPE, KindRules.NONE, custom));
        yield write(
            call,
            served,
            scale -> {
              ObjectNode next = patch.apply(call, scale);
              checkPlace(call, next);
              return next;
            });
      }
    };
  }

  /** A scale is of the object that the path names. */
  private static void checkPlace(Call call, ObjectNode scale) {
    Writes.checkPlace("name", Meta.name(scale), call.target().name());
    String namespace = Meta.namespace(scale);
    if (!namespace.isEmpty() && !namespace.equals(call.target().namespace())) {
      throw Writes.otherNamespace();
    }
  }

  /** What is applied to the scale is applied to the field that it shows, under the scale's name. */
  private CompletableFuture<ApiResponse> apply(Call call, Served served) {
    ObjectNode sent = Configuration.read(call, SCALE, TYPE, false).object();
    checkPlace(call, sent);
    ObjectNode wanted = JsonNodeFactory.instance.objectNode();
    wanted.put("apiVersion", served.gvk().apiVersion()).put("kind", served.gvk().kind());
    ObjectNode metadata = wanted.putObject("metadata");
    for (String field : List.of("name", "namespace", "uid", "resourceVersion")) {
      ObjectRules.takeFrom(Meta.of(sent), metadata, field);
    }
    JsonNode replicas = sent.path("spec").get("replicas");
    if (replicas != null) {
      checkReplicas(Meta.name(sent), replicas.asLong(0));
      put(wanted, paths(served).wanted(), replicas.asLong(0));
    }
    List<String> number = List.of(paths(served).wanted().split("\\.", -1));
    return writes
        .applied(call, served, Writes.Part.MAIN, Configuration.ofScaled(wanted, number))
        .thenApply(after -> answer(call, served, after));
  }

  private interface Change {
    ObjectNode apply(ObjectNode scale);
  }

  private CompletableFuture<ApiResponse> write(Call call, Served served, Change change) {
    return writes
        .changed(
            call,
            served,
            Writes.Part.MAIN,
            current -> {
              ObjectNode wanted = change.apply(scale(current, paths(served)));
              long replicas = wanted.path("spec").path("replicas").asLong(0);
              checkReplicas(Meta.name(current), replicas);
              checkUid(served, wanted, current);
              ObjectNode next = current.deepCopy();
              put(next, paths(served).wanted(), replicas);
              String version = Meta.resourceVersion(wanted);
              if (!version.isEmpty() || !served.definition().rules().isCustom()) {
                Meta.of(next).put("resourceVersion", version);
              }
              return next;
            })
        .thenApply(after -> answer(call, served, after));
  }

  private static void checkUid(Served served, ObjectNode wanted, ObjectNode current) {
    if (!Meta.uid(wanted).isEmpty() && !Meta.uid(wanted).equals(Meta.uid(current))) {
      throw Status.conflict(
              served.group(),
              served.plural() + "/scale",
              Meta.name(current),
              "Precondition failed: UID in precondition: "
                  + Meta.uid(wanted)
                  + ", UID in object meta: "
                  + Meta.uid(current))
          .asException();
    }
  }

  private static void checkReplicas(String name, long replicas) {
    if (replicas < 0 || replicas > Integer.MAX_VALUE) {
      throw Status.invalid(
              "autoscaling",
              "Scale",
              name,
              List.of(
                  new FieldError(
                      FieldError.Reason.INVALID,
                      "spec.replicas",
                      "Invalid value: " + replicas + ": must be greater than or equal to 0")))
          .asException();
    }
  }

  private static ApiResponse answer(Call call, Served served, CachedObject object) {
    return call.answer(
        200, Json.encode(scale(Json.parseObject(served.shown(object)), paths(served))));
  }

  private static KindRules.ScalePaths paths(Served served) {
    return served.definition().rules().scalePaths();
  }

  private static JsonNode at(ObjectNode object, String path) {
    return Meta.at(object, path.split("\\.", -1));
  }

  private static void put(ObjectNode object, String path, long value) {
    String[] steps = path.split("\\.", -1);
    ObjectNode here = object;
    for (int i = 0; i < steps.length - 1; i++) {
      here = here.get(steps[i]) instanceof ObjectNode known ? known : here.putObject(steps[i]);
    }
    here.put(steps[steps.length - 1], value);
  }

  /** The scale of an object of that kind. */
  static ObjectNode of(ResourceDefinition definition, ObjectNode object) {
    return scale(object, definition.rules().scalePaths());
  }

  private static ObjectNode scale(ObjectNode object, KindRules.ScalePaths paths) {
    ObjectNode scale = JsonNodeFactory.instance.objectNode();
    scale.put("kind", "Scale").put("apiVersion", "autoscaling/v1");
    ObjectNode metadata = scale.putObject("metadata");
    for (String field :
        List.of("name", "namespace", "uid", "resourceVersion", "creationTimestamp")) {
      ObjectRules.takeFrom(Meta.of(object), metadata, field);
    }
    scale.putObject("spec").put("replicas", at(object, paths.wanted()).asLong(0));
    ObjectNode status = scale.putObject("status");
    status.put("replicas", at(object, paths.actual()).asLong(0));
    JsonNode selector = at(object, paths.selector());
    if (paths.selectorIsText()) {
      if (!Meta.text(selector).isEmpty()) {
        status.put("selector", Meta.text(selector));
      }
    } else if (selector.isObject()) {
      boolean expressions = selector.has("matchLabels") || selector.has("matchExpressions");
      status.put(
          "selector",
          (expressions
                  ? LabelSelector.fromJson(selector)
                  : LabelSelector.ofLabels(Meta.strings(selector)))
              .toString());
    }
    return scale;
  }
}
