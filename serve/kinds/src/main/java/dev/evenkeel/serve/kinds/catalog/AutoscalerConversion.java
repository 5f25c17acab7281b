package dev.evenkeel.serve.kinds.catalog;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.json.JsonException;
import dev.evenkeel.serve.kinds.Conversion;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Between {@code autoscaling/v1}, which knows one target for the processor, and {@code v2}, which
 * knows any metrics. What v1 has no field for travels in annotations, so that reading an autoscaler
 * as v1 and writing it back loses nothing.
 */
final class AutoscalerConversion implements Conversion {

  private static final String PREFIX = "autoscaling.alpha.kubernetes.io/";
  private static final String METRICS = PREFIX + "metrics";
  private static final String CURRENT_METRICS = PREFIX + "current-metrics";
  private static final String CONDITIONS = PREFIX + "conditions";
  private static final String BEHAVIOR = PREFIX + "behavior";
  private static final List<String> ANNOTATIONS =
      List.of(
          METRICS,
          CURRENT_METRICS,
          CONDITIONS,
          BEHAVIOR,
          PREFIX + "scale-down-tolerance",
          PREFIX + "scale-up-tolerance");

  /** What v1 means when it names no target at all. */
  private static final long UTILIZATION_PERCENT = 80;

  @Override
  public ObjectNode toStored(ObjectNode served) {
    ObjectNode spec = child(served, "spec");
    ArrayNode metrics = JsonNodeFactory.instance.arrayNode();
    if (annotation(served, METRICS) instanceof ArrayNode others) {
      others.forEach(metric -> metrics.add(AutoscalerMetric.toV2(metric)));
    }
    JsonNode target = spec.remove("targetCPUUtilizationPercentage");
    if (target != null) {
      metrics.add(AutoscalerMetric.processorTarget(target.longValue()));
    }
    if (metrics.isEmpty()) {
      metrics.add(AutoscalerMetric.processorTarget(UTILIZATION_PERCENT));
    }
    spec.set("metrics", metrics);
    JsonNode behavior = annotation(served, BEHAVIOR);
    if (behavior instanceof ObjectNode object && !object.isEmpty()) {
      spec.set("behavior", withNames(object, name -> recased(name, false)));
    }
    statusToStored(served);
    dropAnnotations(served);
    return served.put("apiVersion", "autoscaling/v2");
  }

  private static void statusToStored(ObjectNode served) {
    ObjectNode status = served.get("status") instanceof ObjectNode present ? present : null;
    JsonNode current = annotation(served, CURRENT_METRICS);
    JsonNode conditions = annotation(served, CONDITIONS);
    JsonNode utilization = status == null ? null : status.remove("currentCPUUtilizationPercentage");
    if (current instanceof ArrayNode list) {
      child(served, "status").set("currentMetrics", converted(list, AutoscalerMetric::toV2));
    } else if (utilization != null) {
      child(served, "status")
          .putArray("currentMetrics")
          .add(AutoscalerMetric.processorStatus(utilization.longValue()));
    }
    if (conditions instanceof ArrayNode list) {
      child(served, "status").set("conditions", list);
    }
  }

  @Override
  public ObjectNode toServed(ObjectNode stored) {
    dropAnnotations(stored);
    if (stored.get("spec") instanceof ObjectNode spec) {
      specToServed(stored, spec);
    }
    if (stored.get("status") instanceof ObjectNode status) {
      statusToServed(stored, status);
    }
    return stored.put("apiVersion", "autoscaling/v1");
  }

  private static void specToServed(ObjectNode stored, ObjectNode spec) {
    ArrayNode others = JsonNodeFactory.instance.arrayNode();
    if (spec.remove("metrics") instanceof ArrayNode metrics) {
      for (JsonNode metric : metrics) {
        JsonNode utilization = AutoscalerMetric.processorUtilization(metric, "target");
        if (utilization == null) {
          others.add(AutoscalerMetric.toV1(metric));
        } else if (!spec.has("targetCPUUtilizationPercentage")) {
          spec.set("targetCPUUtilizationPercentage", utilization);
        }
      }
    }
    annotate(stored, METRICS, others);
    if (spec.remove("behavior") instanceof ObjectNode behavior) {
      annotate(stored, BEHAVIOR, withNames(behavior, name -> recased(name, true)));
    }
  }

  private static void statusToServed(ObjectNode stored, ObjectNode status) {
    if (status.remove("currentMetrics") instanceof ArrayNode metrics) {
      for (JsonNode metric : metrics) {
        JsonNode utilization = AutoscalerMetric.processorUtilization(metric, "current");
        if (utilization != null) {
          status.set("currentCPUUtilizationPercentage", utilization);
        }
      }
      annotate(stored, CURRENT_METRICS, converted(metrics, AutoscalerMetric::toV1));
    }
    if (status.remove("conditions") instanceof ArrayNode conditions) {
      annotate(stored, CONDITIONS, conditions);
    }
  }

  private static ArrayNode converted(ArrayNode list, UnaryOperator<JsonNode> conversion) {
    ArrayNode converted = JsonNodeFactory.instance.arrayNode();
    list.forEach(item -> converted.add(conversion.apply(item)));
    return converted;
  }

  /** The behaviour's annotation has always been written with upper-case names. */
  private static JsonNode withNames(JsonNode node, UnaryOperator<String> names) {
    if (node instanceof ObjectNode object) {
      ObjectNode renamed = JsonNodeFactory.instance.objectNode();
      object.forEachEntry(
          (name, value) -> {
            if (!value.isNull()) {
              renamed.set(names.apply(name), withNames(value, names));
            }
          });
      return renamed;
    }
    return node instanceof ArrayNode list ? converted(list, item -> withNames(item, names)) : node;
  }

  private static String recased(String name, boolean upper) {
    if (name.isEmpty()) {
      return name;
    }
    String first = name.substring(0, 1);
    return (upper ? first.toUpperCase(Locale.ROOT) : first.toLowerCase(Locale.ROOT))
        + name.substring(1);
  }

  /** What the annotation says; null if there is none, or none that can be read. */
  private static @Nullable JsonNode annotation(ObjectNode object, String key) {
    JsonNode text = Meta.at(object, "metadata", "annotations").path(key);
    if (!text.isString()) {
      return null;
    }
    try {
      return Json.parse(text.stringValue().getBytes(StandardCharsets.UTF_8));
    } catch (JsonException e) {
      return null;
    }
  }

  private static void annotate(ObjectNode object, String key, JsonNode value) {
    if (!value.isEmpty()) {
      child(Meta.of(object), "annotations")
          .put(key, new String(Json.encode(value), StandardCharsets.UTF_8));
    }
  }

  private static void dropAnnotations(ObjectNode object) {
    ObjectNode metadata = Meta.of(object);
    if (metadata.get("annotations") instanceof ObjectNode annotations) {
      annotations.remove(ANNOTATIONS);
      if (annotations.isEmpty()) {
        var _ = metadata.remove("annotations");
      }
    }
  }

  private static ObjectNode child(ObjectNode parent, String name) {
    return parent.get(name) instanceof ObjectNode present ? present : parent.putObject(name);
  }
}
