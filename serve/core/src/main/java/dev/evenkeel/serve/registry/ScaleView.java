package dev.evenkeel.serve.registry;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.patch.JsonPatch;
import dev.evenkeel.kernel.patch.MergePatch;
import dev.evenkeel.kernel.schema.FieldError;
import dev.evenkeel.kernel.schema.Schema;
import dev.evenkeel.kernel.selector.LabelSelector;
import dev.evenkeel.serve.api.ApiResponse;
import dev.evenkeel.serve.cache.CachedObject;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.ResourceDefinition;
import dev.evenkeel.serve.kinds.catalog.Catalog;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The subresource scale: how many replicas there are to be, whatever the kind calls them. */
final class ScaleView {

  private static final Gvk SCALE = Gvk.of("autoscaling/v1", "Scale");

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
        JsonNode sent = Decoding.body(call, SCALE).tree();
        checkSent(call, sent);
        yield write(call, served, _ -> sent);
      }
      default -> {
        if (call.isApply()) {
          yield apply(call, served);
        }
        JsonNode patch = Decoding.decode(call.request().body().bytes(), Json.Format.JSON).tree();
        boolean operations = call.contentType().equals("application/json-patch+json");
        yield write(
            call,
            served,
            scale -> operations ? JsonPatch.apply(patch, scale) : MergePatch.apply(patch, scale));
      }
    };
  }

  /** What is applied to the scale is applied to the field that it shows, under the scale's name. */
  private CompletableFuture<ApiResponse> apply(Call call, Served served) {
    Schema.Struct schema = Objects.requireNonNull(Catalog.type(SCALE));
    ObjectNode sent = Configuration.read(call, SCALE, schema).object();
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
    return writes
        .applied(call, served, Writes.Part.MAIN, Configuration.of(wanted))
        .thenApply(after -> answer(call, served, after));
  }

  /** The scale of another object, or something else than a scale, is not meant for this one. */
  private static void checkSent(Call call, JsonNode sent) {
    if (!(sent instanceof ObjectNode object)) {
      throw Status.badRequest("the body is no Scale").asException();
    }
    Decoding.checkKind(object, SCALE.apiVersion(), SCALE.kind());
    Writes.checkPlace("name", Meta.name(object), call.target().name());
    if (!Meta.namespace(object).isEmpty()) {
      Writes.checkPlace("namespace", Meta.namespace(object), call.target().namespace());
    }
  }

  private interface Change {
    JsonNode apply(ObjectNode scale);
  }

  private CompletableFuture<ApiResponse> write(Call call, Served served, Change change) {
    return writes
        .changed(
            call,
            served,
            Writes.Part.MAIN,
            current -> {
              JsonNode wanted = change.apply(scale(current, paths(served)));
              JsonNode replicas = wanted.path("spec").path("replicas");
              if (!replicas.isMissingNode() && !replicas.isIntegralNumber()) {
                throw Status.badRequest("spec.replicas must be a whole number").asException();
              }
              checkReplicas(Meta.name(current), replicas.asLong(0));
              ObjectNode next = current.deepCopy();
              put(next, paths(served).wanted(), replicas.asLong(0));
              String version = Meta.text(wanted.path("metadata").path("resourceVersion"));
              Meta.of(next).put("resourceVersion", version);
              return next;
            })
        .thenApply(after -> answer(call, served, after));
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
