package dev.evenkeel.serve.kinds.rules.extension;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.rules.check.Names;
import dev.evenkeel.serve.kinds.rules.check.Place;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Versions of groups, served here or by another server. */
public final class ApiServiceRules implements KindRules {

  private static final int GROUP_PRIORITY_MAX = 20_000;
  private static final int VERSION_PRIORITY_MAX = 1_000;

  @Override
  public NameRule nameRule() {
    return NameRule.PATH_SEGMENT;
  }

  /** What is served here is available from the beginning. */
  @Override
  public void prepareForCreate(ObjectNode object) {
    ObjectNode status = object.putObject("status");
    if (!isLocal(object)) {
      return;
    }
    status
        .putArray("conditions")
        .addObject()
        .put("type", "Available")
        .put("status", "True")
        .put("lastTransitionTime", Meta.text(Meta.at(object, "metadata", "creationTimestamp")))
        .put("reason", "Local")
        .put("message", "Local APIServices are always available");
  }

  private static boolean isLocal(ObjectNode object) {
    JsonNode service = object.path("spec").path("service");
    return service.isMissingNode() || service.isNull();
  }

  @Override
  public void validate(ObjectNode object, Problems problems) {
    Place whole = Place.of(object, problems);
    Place spec = whole.at("spec");
    String group = spec.at("group").text();
    String version = spec.at("version").text();
    Place name = whole.at("metadata", "name");
    String required = version + "." + group;
    if (!name.isEmpty() && !name.is(required)) {
      name.invalid("must be `spec.version+\".\"+spec.group`: \"" + required + "\"");
    }
    if (group.isEmpty() && !version.equals("v1")) {
      spec.at("group").required("only v1 may have an empty group and it better be legacy kube");
    }
    if (!group.isEmpty()) {
      spec.at("group").invalid(Names.dnsSubdomain(group));
    }
    Names.dns1035Label(version).forEach(fault -> spec.at("version").invalid(version, fault));
    within(spec.at("groupPriorityMinimum"), GROUP_PRIORITY_MAX);
    within(spec.at("versionPriority"), VERSION_PRIORITY_MAX);
    if (isLocal(object)) {
      local(spec);
    } else {
      remote(spec);
    }
  }

  private static void within(Place priority, int max) {
    if (priority.number() <= 0 || priority.number() > max) {
      priority.invalid("must be positive and less than " + max);
    }
  }

  private static void local(Place spec) {
    Place bundle = spec.at("caBundle");
    if (!bundle.isEmpty()) {
      int bytes = bundle.text().length() / 4 * 3;
      bundle.invalid(bytes + " bytes", "local APIServices may not have a caBundle");
    }
    if (spec.at("insecureSkipTLSVerify").flag()) {
      spec.at("insecureSkipTLSVerify")
          .invalid("local APIServices may not have insecureSkipTLSVerify");
    }
  }

  private static void remote(Place spec) {
    for (String field : List.of("namespace", "name")) {
      if (spec.at("service", field).isEmpty()) {
        spec.at("service", field).required();
      }
    }
    Place port = spec.at("service", "port");
    if (port.number() < 1 || port.number() > 65_535) {
      port.invalid("port is not valid: must be between 1 and 65535, inclusive");
    }
    if (spec.at("insecureSkipTLSVerify").flag() && !spec.at("caBundle").isEmpty()) {
      spec.at("insecureSkipTLSVerify").invalid("may not be true if caBundle is present");
    }
  }

  @Override
  public void validateStatusUpdate(ObjectNode object, ObjectNode old, Problems problems) {
    for (Place condition : Place.of(object, problems).at("status", "conditions").items()) {
      condition.at("status").oneOf(List.of("True", "False", "Unknown"));
    }
  }
}
