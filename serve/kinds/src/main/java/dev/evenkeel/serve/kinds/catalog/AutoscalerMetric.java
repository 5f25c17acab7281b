package dev.evenkeel.serve.kinds.catalog;

import dev.evenkeel.kernel.api.Meta;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * One metric of an autoscaler, wanted or measured. The first version writes it flat ({@code
 * targetAverageValue}), the second nested ({@code target.averageValue}).
 */
final class AutoscalerMetric {

  /** A flat name and the nested place it stands for. */
  private record Place(String flat, String parent, String name) {}

  private static final Place METRIC = new Place("metricName", "metric", "name");
  private static final Place SELECTOR = new Place("selector", "metric", "selector");
  private static final Place UTILIZATION =
      new Place("targetAverageUtilization", "target", "averageUtilization");
  private static final Place AVERAGE = new Place("targetAverageValue", "target", "averageValue");
  private static final Place VALUE = new Place("targetValue", "target", "value");
  private static final Place CURRENT_UTILIZATION =
      new Place("currentAverageUtilization", "current", "averageUtilization");
  private static final Place CURRENT_AVERAGE =
      new Place("currentAverageValue", "current", "averageValue");
  private static final Place CURRENT_VALUE = new Place("currentValue", "current", "value");
  private static final Place METRIC_SELECTOR = new Place("metricSelector", "metric", "selector");

  private static final Map<String, List<Place>> WANTED =
      Map.of(
          "object",
          List.of(METRIC, SELECTOR, VALUE, new Place("averageValue", "target", "averageValue")),
          "pods",
          List.of(METRIC, SELECTOR, AVERAGE),
          "resource",
          List.of(UTILIZATION, AVERAGE),
          "containerResource",
          List.of(UTILIZATION, AVERAGE),
          "external",
          List.of(METRIC, METRIC_SELECTOR, VALUE, AVERAGE));

  private static final Map<String, List<Place>> MEASURED =
      Map.of(
          "object",
          List.of(
              METRIC,
              SELECTOR,
              CURRENT_VALUE,
              new Place("averageValue", "current", "averageValue")),
          "pods",
          List.of(METRIC, SELECTOR, CURRENT_AVERAGE),
          "resource",
          List.of(CURRENT_UTILIZATION, CURRENT_AVERAGE),
          "containerResource",
          List.of(CURRENT_UTILIZATION, CURRENT_AVERAGE),
          "external",
          List.of(METRIC, METRIC_SELECTOR, CURRENT_VALUE, CURRENT_AVERAGE));

  private AutoscalerMetric() {}

  static ObjectNode processorTarget(long percent) {
    ObjectNode metric = processor();
    ((ObjectNode) metric.path("resource"))
        .putObject("target")
        .put("type", "Utilization")
        .put("averageUtilization", percent);
    return metric;
  }

  static ObjectNode processorStatus(long percent) {
    ObjectNode metric = processor();
    ((ObjectNode) metric.path("resource")).putObject("current").put("averageUtilization", percent);
    return metric;
  }

  private static ObjectNode processor() {
    ObjectNode metric = JsonNodeFactory.instance.objectNode().put("type", "Resource");
    metric.putObject("resource").put("name", "cpu");
    return metric;
  }

  /** The share of the processor that the metric is about, null if it is about something else. */
  static @Nullable JsonNode processorUtilization(JsonNode metric, String part) {
    JsonNode resource = metric.path("resource");
    if (!Meta.text(metric.path("type")).equals("Resource")
        || !Meta.text(resource.path("name")).equals("cpu")) {
      return null;
    }
    return resource.path(part).get("averageUtilization");
  }

  static JsonNode toV1(JsonNode metric) {
    return converted(metric, AutoscalerMetric::flat);
  }

  static JsonNode toV2(JsonNode metric) {
    return converted(metric, AutoscalerMetric::nested);
  }

  private interface SourceConversion {
    ObjectNode apply(String name, ObjectNode source);
  }

  private static JsonNode converted(JsonNode metric, SourceConversion conversion) {
    if (!(metric instanceof ObjectNode)) {
      return metric;
    }
    ObjectNode converted = JsonNodeFactory.instance.objectNode();
    metric.forEachEntry(
        (name, value) ->
            converted.set(
                name,
                value instanceof ObjectNode source && WANTED.containsKey(name)
                    ? conversion.apply(name, source)
                    : value));
    return converted;
  }

  private static ObjectNode flat(String name, ObjectNode source) {
    ObjectNode flat = JsonNodeFactory.instance.objectNode();
    copyOwn(source, flat);
    if (source.has("describedObject")) {
      flat.set("target", source.path("describedObject"));
    }
    for (Place place : places(name, source.has("current"))) {
      JsonNode value = source.path(place.parent).get(place.name);
      if (value != null) {
        flat.set(place.flat, value);
      }
    }
    return flat;
  }

  private static ObjectNode nested(String name, ObjectNode source) {
    boolean measured =
        source.has("currentValue")
            || source.has("currentAverageValue")
            || source.has("currentAverageUtilization");
    ObjectNode nested = JsonNodeFactory.instance.objectNode();
    copyOwn(source, nested);
    if (source.has("target")) {
      nested.set("describedObject", source.path("target"));
    }
    for (Place place : places(name, measured)) {
      JsonNode value = source.get(place.flat);
      if (value != null) {
        ObjectNode parent =
            nested.get(place.parent) instanceof ObjectNode present
                ? present
                : nested.putObject(place.parent);
        parent.set(place.name, value);
      }
    }
    if (!measured && nested.get("target") instanceof ObjectNode target) {
      target.put("type", targetType(name, target));
    }
    return nested;
  }

  private static String targetType(String source, ObjectNode target) {
    return switch (source) {
      case "object" -> target.has("averageValue") ? "AverageValue" : "Value";
      case "external" -> target.has("value") ? "Value" : "AverageValue";
      default -> target.has("averageUtilization") ? "Utilization" : "AverageValue";
    };
  }

  private static void copyOwn(ObjectNode source, ObjectNode target) {
    for (String own : List.of("name", "container")) {
      if (source.has(own)) {
        target.set(own, source.path(own));
      }
    }
  }

  private static List<Place> places(String name, boolean measured) {
    return (measured ? MEASURED : WANTED).getOrDefault(name, List.of());
  }
}
