package dev.evenkeel.serve.kinds.rules.workload;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.rules.check.Names;
import dev.evenkeel.serve.kinds.rules.check.Place;
import dev.evenkeel.serve.kinds.rules.check.Selectors;
import dev.evenkeel.serve.kinds.rules.pod.PodTemplates;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Jobs. Unless told otherwise, a job is given a selector that finds its own pods only. */
public final class JobRules implements KindRules {

  private static final String UID_LABEL = "batch.kubernetes.io/controller-uid";
  private static final String NAME_LABEL = "batch.kubernetes.io/job-name";
  private static final String OLD_UID_LABEL = "controller-uid";
  private static final String OLD_NAME_LABEL = "job-name";

  private static final long BACKOFF_LIMIT = 6;

  private static final List<String> FIXED =
      List.of(
          "selector",
          "completionMode",
          "podFailurePolicy",
          "backoffLimitPerIndex",
          "managedBy",
          "successPolicy");

  /** What may still change in the template of a job that never ran. */
  private static final List<String> PLACEMENT =
      List.of("nodeSelector", "tolerations", "schedulingGates");

  private static final List<String> ENDS = List.of("Failed", "Complete", "FailureTarget");

  @Override
  public void applyDefaults(ObjectNode job) {
    ObjectNode spec = Specs.of(job);
    applyToSpec(spec);
    JsonNode labels = Meta.at(spec, "template", "metadata", "labels");
    ObjectNode metadata = Meta.of(job);
    if (!labels.isEmpty() && metadata.path("labels").isEmpty()) {
      // The same one, so that what is generated later is known to belong into both.
      metadata.set("labels", labels);
    }
  }

  private static void applyToSpec(ObjectNode spec) {
    boolean single =
        Specs.isAbsent(spec.path("completions")) && Specs.isAbsent(spec.path("parallelism"));
    if (single) {
      spec.put("completions", 1L);
    }
    Specs.putIfAbsent(spec, "parallelism", 1);
    boolean perIndex = !Specs.isAbsent(spec.path("backoffLimitPerIndex"));
    Specs.putIfAbsent(spec, "backoffLimit", perIndex ? Integer.MAX_VALUE : BACKOFF_LIMIT);
    Specs.putIfAbsent(spec, "completionMode", "NonIndexed");
    Specs.putIfAbsent(spec, "suspend", false);
    Specs.putIfAbsent(spec, "manualSelector", false);
    Specs.putIfAbsent(
        spec,
        "podReplacementPolicy",
        spec.path("podFailurePolicy").isObject() ? "Failed" : "TerminatingOrFailed");
    PodTemplates.applyDefaults(spec.path("template"));
  }

  @Override
  public void prepareForCreate(ObjectNode job) {
    ObjectNode spec = Specs.of(job);
    if (!spec.path("manualSelector").asBoolean(false)) {
      generateSelector(spec, Meta.name(job), Meta.uid(job));
    }
    job.putObject("status");
    separateLabels(job);
  }

  @Override
  public void prepareForUpdate(ObjectNode job, ObjectNode old) {
    separateLabels(job);
  }

  /** A job without labels has those of its pods, and from here on they are its own. */
  @SuppressWarnings("ReferenceEquality") // Equal ones that the user wrote are not shared.
  private static void separateLabels(ObjectNode job) {
    JsonNode labels = Meta.at(Specs.of(job), "template", "metadata", "labels");
    JsonNode own = Meta.of(job).path("labels");
    if (!labels.isEmpty() && (own.isEmpty() || own == labels)) {
      Meta.of(job).set("labels", labels.deepCopy());
    }
  }

  private static void generateSelector(ObjectNode spec, String name, String uid) {
    ObjectNode labels =
        Specs.child(Specs.child(Specs.child(spec, "template"), "metadata"), "labels");
    Specs.putIfAbsent(labels, OLD_NAME_LABEL, name);
    Specs.putIfAbsent(labels, NAME_LABEL, name);
    Specs.putIfAbsent(labels, OLD_UID_LABEL, uid);
    Specs.putIfAbsent(labels, UID_LABEL, uid);
    ObjectNode wanted = Specs.child(Specs.child(spec, "selector"), "matchLabels");
    Specs.putIfAbsent(wanted, UID_LABEL, uid);
  }

  @Override
  public void validate(ObjectNode job, Problems problems) {
    Place whole = Place.of(job, problems);
    Place spec = whole.at("spec");
    Place selector = spec.at("selector");
    if (selector.isThere()) {
      if (!spec.at("manualSelector").flag()) {
        generatedSelector(whole, selector);
      }
      Selectors.validate(selector);
    } else {
      selector.required();
    }
    if (Selectors.isWellFormed(selector.node())) {
      PodTemplates.validateSelected(spec.at("template"), selector.node());
    }
    JobSpecs.validate(spec);
    indexedNames(whole, spec);
  }

  /** Nobody may claim another job's pods. */
  private static void generatedSelector(Place whole, Place selector) {
    String name = whole.at("metadata", "name").text();
    String uid = whole.at("metadata", "uid").text();
    Map<String, String> expected = new LinkedHashMap<>();
    expected.put(OLD_UID_LABEL, uid);
    expected.put(OLD_NAME_LABEL, name);
    expected.put(UID_LABEL, uid);
    expected.put(NAME_LABEL, name);
    Place labels = whole.at("spec", "template", "metadata", "labels");
    expected.forEach(
        (key, value) -> {
          Place label = labels.key(key);
          if (!label.isThere()) {
            label.required("must be '" + value + "'");
          } else if (!label.is(value)) {
            label.holding(labels.sorted().node()).invalid("must be '" + value + "'");
          }
        });
    if (!Selectors.matches(selector.node(), expected)) {
      selector.invalid("`selector` not auto-generated");
    }
  }

  /** The pods of an indexed job are named by number, and their names must fit. */
  private static void indexedNames(Place whole, Place spec) {
    long completions = spec.at("completions").number();
    if (spec.at("completionMode").is("Indexed") && completions > 0) {
      Place name = whole.at("metadata", "name");
      String longest = name.text() + "-" + (completions - 1);
      if (!Names.dnsLabel(longest).isEmpty()) {
        name.invalid("will not able to create pod with invalid DNS label: " + longest);
      }
    }
  }

  @Override
  public void validateUpdate(ObjectNode job, ObjectNode old, Problems problems) {
    Place spec = Place.of(job, problems).at("spec");
    JsonNode before = old.path("spec");
    completions(spec, before);
    for (String field : FIXED) {
      spec.at(field).immutable(before.path(field));
    }
    boolean neverRan =
        before.path("suspend").asBoolean(false)
            && Specs.isAbsent(Meta.at(old, "status", "startTime"));
    Place template = spec.at("template");
    template.immutable(
        neverRan
            ? withPlacementOf(template.node(), before.path("template"))
            : before.path("template"));
  }

  private static void completions(Place spec, JsonNode before) {
    Place completions = spec.at("completions");
    if (!spec.at("completionMode").is("Indexed")) {
      completions.immutable(before.path("completions"));
    } else if (completions.number() != before.path("completions").asLong(0)
        && completions.number() != spec.at("parallelism").number()) {
      completions.invalid("can only be modified in tandem with spec.parallelism");
    }
  }

  private static JsonNode withPlacementOf(JsonNode now, JsonNode before) {
    JsonNode copy = before.deepCopy();
    if (copy.path("spec") instanceof ObjectNode spec) {
      for (String field : PLACEMENT) {
        take(spec, now.path("spec"), field);
      }
      JsonNode affinity = now.path("spec").path("affinity").path("nodeAffinity");
      ObjectNode mine = Specs.child(spec, "affinity");
      mine.remove("nodeAffinity");
      if (affinity.isObject()) {
        mine.set("nodeAffinity", affinity);
      }
    }
    if (copy instanceof ObjectNode template) {
      ObjectNode metadata = Specs.child(template, "metadata");
      take(metadata, now.path("metadata"), "labels");
      take(metadata, now.path("metadata"), "annotations");
    }
    return copy;
  }

  private static void take(ObjectNode into, JsonNode from, String field) {
    into.remove(field);
    if (from.has(field)) {
      into.set(field, from.get(field));
    }
  }

  @Override
  public void validateStatusUpdate(ObjectNode job, ObjectNode old, Problems problems) {
    Place status = Place.of(job, problems).at("status");
    JsonNode before = old.path("status");
    for (String counter : List.of("failed", "succeeded")) {
      if (status.at(counter).number() < before.path(counter).asLong(0)) {
        status.at(counter).invalid("cannot decrease the " + counter + " counter");
      }
    }
    for (String end : ENDS) {
      if (isTrue(before, end) && !isTrue(status.node(), end)) {
        status.at("conditions").invalid("cannot disable the terminal " + end + "=True condition");
      }
    }
    Place completed = status.at("completionTime");
    if (completed.isThere() && before.has("completionTime")) {
      completed.immutable(before.path("completionTime"));
    }
  }

  private static boolean isTrue(JsonNode status, String type) {
    for (JsonNode condition : status.path("conditions")) {
      if (Meta.text(condition.path("type")).equals(type)) {
        return Meta.text(condition.path("status")).equals("True");
      }
    }
    return false;
  }

  @Override
  public List<String> warnings(ObjectNode job) {
    List<String> warnings = new ArrayList<>();
    List<String> faults = Names.dnsLabel(Meta.name(job));
    if (!faults.isEmpty() && !Meta.name(job).isEmpty()) {
      warnings.add(
          "metadata.name: this is used in Pod names and hostnames, which can result in surprising"
              + " behavior; a DNS label is recommended: "
              + faults);
    }
    warnings.addAll(PodTemplates.warnings(Place.of(job, new Problems()).at("spec", "template")));
    return warnings;
  }
}
