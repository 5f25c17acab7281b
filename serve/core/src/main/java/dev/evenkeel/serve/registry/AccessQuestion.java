package dev.evenkeel.serve.registry;

import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.selector.FieldSelector;
import dev.evenkeel.kernel.selector.LabelRequirement;
import dev.evenkeel.kernel.selector.LabelSelector;
import dev.evenkeel.serve.caller.Caller;
import dev.evenkeel.serve.object.ObjectRules;
import dev.evenkeel.serve.rights.Attributes;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a review asks.
 *
 * @param faults of selectors that could not be read, or not all of them: the answer is then about
 *     more objects than the question was, which errs on the strict side
 */
record AccessQuestion(Attributes attributes, List<String> faults) {

  /** The question in a review's spec, of somebody. */
  static AccessQuestion of(JsonNode spec, Caller caller) {
    JsonNode other = spec.path("nonResourceAttributes");
    if (other.isObject()) {
      var path = Attributes.ofPath(caller, text(other, "verb"), text(other, "path"));
      return new AccessQuestion(path, List.of());
    }
    JsonNode resource = spec.path("resourceAttributes");
    var plain =
        Attributes.ofResource(
            caller,
            text(resource, "verb"),
            text(resource, "group"),
            text(resource, "resource"),
            text(resource, "subresource"),
            text(resource, "namespace"),
            text(resource, "name"));
    List<String> faults = new ArrayList<>(0);
    List<FieldSelector.Requirement> fields = fields(resource.path("fieldSelector"), faults);
    List<LabelRequirement> labels = labels(resource.path("labelSelector"), faults);
    return new AccessQuestion(plain.selecting(fields, labels), faults);
  }

  private static String text(JsonNode object, String field) {
    return Meta.text(object.path(field));
  }

  private static List<FieldSelector.Requirement> fields(JsonNode selector, List<String> faults) {
    String raw = text(selector, "rawSelector");
    if (!raw.isEmpty()) {
      FieldSelector read = Attributes.fieldSelector(raw);
      tell(faults, "fieldSelector", read == null, true);
      return read == null ? List.of() : read.requirements();
    }
    List<FieldSelector.Requirement> read = new ArrayList<>();
    boolean faulty = false;
    for (JsonNode requirement : selector.path("requirements")) {
      List<String> values = ObjectRules.texts(requirement.path("values"));
      String operator = text(requirement, "operator");
      boolean in = operator.equals("In");
      if (values.size() == 1 && (in || operator.equals("NotIn"))) {
        read.add(new FieldSelector.Requirement(text(requirement, "key"), in, values.getFirst()));
      } else {
        faulty = true;
      }
    }
    tell(faults, "fieldSelector", faulty, read.isEmpty());
    return read;
  }

  private static List<LabelRequirement> labels(JsonNode selector, List<String> faults) {
    String raw = text(selector, "rawSelector");
    if (!raw.isEmpty()) {
      LabelSelector read = Attributes.labelSelector(raw);
      tell(faults, "labelSelector", read == null, true);
      return read == null ? List.of() : read.requirements();
    }
    List<LabelRequirement> read = new ArrayList<>();
    boolean faulty = false;
    for (JsonNode requirement : selector.path("requirements")) {
      ObjectNode one = JsonNodeFactory.instance.objectNode();
      one.putArray("matchExpressions").add(requirement);
      try {
        read.addAll(LabelSelector.fromJson(one).requirements());
      } catch (ApiException | IllegalArgumentException e) {
        faulty = true;
      }
    }
    tell(faults, "labelSelector", faulty, read.isEmpty());
    return read;
  }

  private static void tell(List<String> faults, String selector, boolean faulty, boolean all) {
    if (faulty) {
      faults.add(
          "spec.resourceAttributes."
              + selector
              + (all ? " ignored" : " partially ignored")
              + " due to parse error");
    }
  }
}
