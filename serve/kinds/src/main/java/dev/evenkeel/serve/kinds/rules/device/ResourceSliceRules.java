package dev.evenkeel.serve.kinds.rules.device;

import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.rules.check.Place;
import dev.evenkeel.serve.kinds.rules.placement.NodeSelectors;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Devices that a driver offers. */
public final class ResourceSliceRules implements KindRules {

  private static final int DEVICES_MAX = 128;
  private static final int PROPERTIES_MAX = 32;
  private static final int VALUE_CHARS_MAX = 64;

  private static final String ONE_PLACE =
      "exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required";

  private static final String NUMBER = "(0|[1-9]\\d*)";
  private static final String EARLY = "(0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)";
  private static final String BUILD = "[0-9a-zA-Z-]+";

  /** Compiled when the first slice comes by. */
  private static final class Version {
    static final Pattern FORM =
        Pattern.compile(
            NUMBER
                + "\\."
                + NUMBER
                + "\\."
                + NUMBER
                + "(-"
                + EARLY
                + "(\\."
                + EARLY
                + ")*)?(\\+"
                + BUILD
                + "(\\."
                + BUILD
                + ")*)?");
  }

  /** Fields of features that are off in this version. */
  @Override
  public void prepareForCreate(ObjectNode slice) {
    JsonNode spec = slice.path("spec");
    DeviceClaims.drop(spec, "sharedCounters", "perDeviceNodeSelection");
    for (JsonNode device : spec.path("devices")) {
      DeviceClaims.drop(
          device,
          "allNodes",
          "allowMultipleAllocations",
          "bindingConditions",
          "bindingFailureConditions",
          "bindsToNode",
          "consumesCounters",
          "nodeName",
          "nodeSelector",
          "taints");
      for (JsonNode capacity : device.path("capacity")) {
        DeviceClaims.drop(capacity, "requestPolicy");
      }
    }
  }

  @Override
  public void prepareForUpdate(ObjectNode slice, ObjectNode old) {
    prepareForCreate(slice);
  }

  @Override
  public void validate(ObjectNode slice, Problems problems) {
    Place spec = Place.of(slice, problems).at("spec");
    DeviceNames.driver(spec.at("driver"));
    pool(spec.at("pool"));
    where(spec);
    DeviceNames.set(
        spec.at("devices"), DEVICES_MAX, ResourceSliceRules::device, item -> item.at("name"));
  }

  private static void pool(Place pool) {
    DeviceNames.pool(pool.at("name"));
    if (pool.at("resourceSliceCount").number() <= 0) {
      pool.at("resourceSliceCount").invalid("must be greater than zero");
    }
    if (pool.at("generation").number() < 0) {
      pool.at("generation").invalid("must be greater than or equal to zero");
    }
  }

  private static void where(Place spec) {
    List<String> set = new ArrayList<>(1);
    Place node = spec.at("nodeName");
    if (node.isThere() && node.isEmpty()) {
      node.invalid("must be either unset or set to a non-empty string");
    } else if (node.isThere()) {
      set.add("`nodeName`");
      ResourceClaimRules.node(node);
    }
    Place selector = spec.at("nodeSelector");
    if (selector.isThere()) {
      set.add("`nodeSelector`");
      NodeSelectors.validate(selector);
      if (selector.at("nodeSelectorTerms").size() != 1) {
        selector.at("nodeSelectorTerms").invalid("must have exactly one node selector term");
      }
    }
    Place all = spec.at("allNodes");
    if (all.isThere() && all.flag()) {
      set.add("`allNodes`");
    } else if (all.isThere()) {
      all.invalid("must be either unset or set to true");
    }
    if (set.isEmpty()) {
      spec.required(ONE_PLACE);
    } else if (set.size() > 1) {
      spec.invalid("{" + String.join(", ", set) + "}", ONE_PLACE + ", but multiple fields are set");
    }
  }

  private static void device(Place device) {
    DeviceNames.label(device.at("name"));
    int properties = device.at("attributes").size() + device.at("capacity").size();
    if (properties > PROPERTIES_MAX) {
      device
          .holding(JsonNodeFactory.instance.numberNode(properties))
          .invalid(
              "the total number of attributes and capacities must not exceed " + PROPERTIES_MAX);
    }
    for (Place attribute : device.at("attributes").entries()) {
      DeviceNames.qualified(attribute, attribute.entryKey());
      attribute(attribute);
    }
    for (Place capacity : device.at("capacity").entries()) {
      DeviceNames.qualified(capacity, capacity.entryKey());
    }
  }

  private static void attribute(Place attribute) {
    int values = 0;
    for (String field : List.of("bool", "int", "string", "version")) {
      values += attribute.at(field).isThere() ? 1 : 0;
    }
    Place version = attribute.at("version");
    if (version.isThere() && !Version.FORM.matcher(version.text()).matches()) {
      version.invalid("must be a string compatible with semver.org spec 2.0.0");
    }
    for (String field : List.of("string", "version")) {
      if (attribute.at(field).text().length() > VALUE_CHARS_MAX) {
        attribute.at(field).tooLong(VALUE_CHARS_MAX);
      }
    }
    if (values == 0) {
      attribute.required("exactly one value must be specified");
    } else if (values > 1) {
      attribute.invalid("exactly one value must be specified");
    }
  }

  @Override
  public void validateUpdate(ObjectNode slice, ObjectNode old, Problems problems) {
    Place spec = Place.of(slice, problems).at("spec");
    JsonNode before = old.path("spec");
    spec.at("pool", "name").immutable(before.path("pool").path("name"));
    spec.at("driver").immutable(before.path("driver"));
    spec.at("nodeName").immutable(before.path("nodeName"));
  }
}
