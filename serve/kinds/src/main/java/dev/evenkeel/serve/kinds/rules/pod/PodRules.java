package dev.evenkeel.serve.kinds.rules.pod;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.rules.check.Names;
import dev.evenkeel.serve.kinds.rules.check.Place;
import dev.evenkeel.serve.kinds.rules.placement.LabelKeys;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Pods. */
public final class PodRules implements KindRules {

  private final ValidSpecs valid = new ValidSpecs();

  @Override
  public void applyDefaults(ObjectNode pod) {
    if (pod.path("spec") instanceof ObjectNode spec) {
      PodSpecDefaults.apply(spec);
      PodSpecDefaults.applyToPod(spec);
    }
    for (JsonNode condition : Meta.at(pod, "status", "conditions")) {
      if (condition instanceof ObjectNode object && !object.has("lastProbeTime")) {
        // Upstream's type has it always, and so whoever sets a condition owns it.
        object.putNull("lastProbeTime");
      }
    }
    if (pod.path("status") instanceof ObjectNode status) {
      agreeOnAddress(status);
    }
  }

  /** Two fields for one thing: older agents know only of one address, and it counts. */
  private static void agreeOnAddress(ObjectNode status) {
    String single = Meta.text(status.path("podIP"));
    String first = Meta.text(status.path("podIPs").path(0).path("ip"));
    if (!single.isEmpty() && !single.equals(first)) {
      status.putArray("podIPs").addObject().put("ip", single);
    } else if (single.isEmpty() && !first.isEmpty()) {
      status.put("podIP", first);
    }
  }

  @Override
  public void prepareForCreate(ObjectNode pod) {
    ObjectNode status = pod.putObject("status");
    status.put("phase", "Pending");
    if (!pod.path("spec").path("schedulingGates").isEmpty()) {
      ObjectNode condition = status.putArray("conditions").addObject();
      condition.putNull("lastProbeTime");
      condition.set("lastTransitionTime", Meta.of(pod).path("creationTimestamp"));
      condition
          .put("message", "Scheduling is blocked due to non-empty scheduling gates")
          .put("reason", "SchedulingGated")
          .put("status", "False")
          .put("type", "PodScheduled");
    }
    status.put("qosClass", PodQuality.of(pod.path("spec")));
    LabelKeys.applyTo(pod);
  }

  @Override
  public void prepareForUpdate(ObjectNode pod, ObjectNode old) {
    pod.remove("status");
    if (old.has("status")) {
      pod.set("status", old.get("status"));
    }
  }

  @Override
  public void prepareForSubresourceUpdate(String subresource, ObjectNode pod, ObjectNode old) {
    switch (subresource) {
      case "ephemeralcontainers" -> PodUpdate.keepAllButDebuggers(pod, old);
      case "resize" -> PodUpdate.keepAllButSizes(pod, old);
      default -> {
        // The others do not change the pod's spec.
      }
    }
  }

  @Override
  public void validate(ObjectNode pod, Problems problems) {
    Place whole = Place.of(pod, problems);
    PodAnnotations.validate(whole.at("metadata", "annotations"), whole.at("spec"));
    validateSpec(pod.path("spec"), whole.at("spec"), problems);
    for (String list : List.of("containers", "initContainers")) {
      for (Place container : whole.at("spec", list).items()) {
        noSpacesAround(container.at("image"));
      }
    }
  }

  /** Most pods are made from templates: the spec of one that was valid is not judged again. */
  private void validateSpec(JsonNode tree, Place spec, Problems problems) {
    if (tree instanceof ObjectNode object && valid.contains(object)) {
      return;
    }
    new PodSpecValidation(spec, PodSpecValidation.Options.POD).run();
    if (tree instanceof ObjectNode object && problems.isEmpty()) {
      valid.add(object);
    }
  }

  private static void noSpacesAround(Place image) {
    if (!image.text().equals(image.text().strip())) {
      image.invalid("must not have leading or trailing whitespace");
    }
  }

  @Override
  public void validateCreate(ObjectNode pod, Problems problems) {
    Place spec = Place.of(pod, problems).at("spec");
    if (!spec.at("ephemeralContainers").isEmpty()) {
      spec.at("ephemeralContainers").forbidden("cannot be set on create");
    }
    if (!spec.at("nodeName").isEmpty() && !spec.at("schedulingGates").isEmpty()) {
      spec.at("nodeName").forbidden("cannot be set until all schedulingGates have been cleared");
    }
  }

  @Override
  public void validateUpdate(ObjectNode pod, ObjectNode old, Problems problems) {
    PodUpdate.validate(pod, old, problems);
  }

  @Override
  public void validateStatusUpdate(ObjectNode pod, ObjectNode old, Problems problems) {
    PodStatusUpdate.validate(pod, old, problems);
  }

  @Override
  public void validateSubresourceUpdate(
      String subresource, ObjectNode pod, ObjectNode old, Problems problems) {
    switch (subresource) {
      case "ephemeralcontainers" -> PodUpdate.validateDebuggers(pod, old, problems);
      case "resize" -> PodUpdate.validateResize(pod, old, problems);
      default -> {
        // The others do not change the pod's spec.
      }
    }
  }

  @Override
  public List<String> warnings(ObjectNode pod) {
    List<String> warnings = new ArrayList<>();
    List<String> faults = Names.dnsLabel(Meta.name(pod));
    if (!faults.isEmpty() && !Meta.name(pod).isEmpty()) {
      warnings.add(
          "metadata.name: this is used in the Pod's hostname, which can result in surprising"
              + " behavior; a DNS label is recommended: "
              + faults);
    }
    warnings.addAll(PodWarnings.of(Place.of(pod, new Problems())));
    return warnings;
  }

  /** A pod that no node runs, or that has ended, needs no time to end. */
  @Override
  public long deletionGraceSeconds(ObjectNode pod) {
    String phase = Meta.text(pod.path("status").path("phase"));
    boolean runsNowhere = Meta.text(pod.path("spec").path("nodeName")).isEmpty();
    if (runsNowhere || phase.equals("Succeeded") || phase.equals("Failed")) {
      return 0;
    }
    long seconds = pod.path("spec").path("terminationGracePeriodSeconds").asLong(0);
    return seconds < 0 ? 1 : seconds;
  }
}
