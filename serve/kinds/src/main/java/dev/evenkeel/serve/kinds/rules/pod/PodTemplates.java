package dev.evenkeel.serve.kinds.rules.pod;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.serve.kinds.rules.check.Names;
import dev.evenkeel.serve.kinds.rules.check.Place;
import dev.evenkeel.serve.kinds.rules.check.Selectors;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Templates of pods, in the kinds that make pods. */
public final class PodTemplates {

  private PodTemplates() {}

  public static void applyDefaults(JsonNode template) {
    if (template.path("spec") instanceof ObjectNode spec) {
      PodSpecDefaults.apply(spec);
    }
  }

  public static void validate(Place template) {
    validate(template, Set.of());
  }

  /**
   * @param claimVolumes volumes that the controller adds to each pod
   */
  public static void validate(Place template, Set<String> claimVolumes) {
    Place metadata = template.at("metadata");
    // Upstream tells of labels and annotations as if they stood in the template itself.
    Selectors.labels(template.at("labels").holding(metadata.at("labels").node()));
    Place annotations = template.at("annotations").holding(metadata.at("annotations").node());
    annotations
        .stringMap()
        .keySet()
        .forEach(
            key -> {
              for (String fault : Names.qualifiedName(key.toLowerCase(Locale.ROOT))) {
                annotations.invalid(key, fault);
              }
            });
    PodAnnotations.validate(annotations, template.at("spec"));
    new PodSpecValidation(template.at("spec"), new PodSpecValidation.Options(false, claimVolumes))
        .run();
    if (!template.at("spec", "ephemeralContainers").isEmpty()) {
      template
          .at("spec", "ephemeralContainers")
          .forbidden("ephemeral containers not allowed in pod template");
    }
  }

  /** For controllers that keep pods running: nothing in the template may let them end. */
  public static void validateForEver(Place template, String kind) {
    Place policy = template.at("spec", "restartPolicy");
    if (!policy.is("Always")) {
      policy.notSupported(List.of("Always"));
    }
    Place deadline = template.at("spec", "activeDeadlineSeconds");
    if (deadline.isThere()) {
      deadline.forbidden("activeDeadlineSeconds in " + kind + " is not Supported");
    }
  }

  /** A controller must find its own pods again; without a selector it finds none. */
  public static void validateSelected(Place template, JsonNode selector) {
    Place labels = template.at("metadata", "labels");
    boolean finds =
        selector.isObject()
            && (Selectors.isEmpty(selector)
                || Selectors.matches(selector, Meta.strings(labels.node())));
    if (!finds) {
      labels.sorted().invalid("`selector` does not match template `labels`");
    }
  }

  public static List<String> warnings(Place template) {
    return PodWarnings.of(template);
  }
}
