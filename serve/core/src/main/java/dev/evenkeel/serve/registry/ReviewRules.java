package dev.evenkeel.serve.registry;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.rules.check.Names;
import dev.evenkeel.serve.kinds.rules.check.Place;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What is wrong with a question. */
final class ReviewRules {

  private static final String RESOURCE = "resourceAttributes";
  private static final String OTHER = "nonResourceAttributes";

  private ReviewRules() {}

  /**
   * Refuses what cannot be answered.
   *
   * @param namespace of the request, empty if it names none
   */
  static void validate(ObjectNode review, String kind, String namespace) {
    switch (kind) {
      case "TokenReview" -> {
        if (Meta.text(review.path("spec").path("token")).isEmpty()) {
          throw Status.badRequest("token is required for TokenReview in authentication")
              .asException();
        }
      }
      case "SelfSubjectRulesReview" -> {
        if (Meta.text(review.path("spec").path("namespace")).isEmpty()) {
          throw Status.badRequest("no namespace on request").asException();
        }
      }
      case "SelfSubjectAccessReview", "SubjectAccessReview", "LocalSubjectAccessReview" ->
          access(review, kind, namespace);
      default -> {}
    }
  }

  private static void access(ObjectNode review, String kind, String namespace) {
    boolean local = kind.equals("LocalSubjectAccessReview");
    if (local) {
      inNamespace(review, namespace);
    }
    var problems = new Problems();
    Place whole = Place.of(review, problems);
    Place spec = whole.at("spec");
    attributes(spec, !kind.startsWith("Self"));
    ObjectNode metadata = Meta.of(review).deepCopy();
    metadata.remove("managedFields");
    if (local) {
      metadata.remove("namespace");
    }
    if (!metadata.isEmpty()) {
      whole.at("metadata").invalid(local ? "must be empty except for namespace" : "must be empty");
    }
    if (local) {
      if (spec.at(RESOURCE).isThere() && !spec.at(RESOURCE, "namespace").text().equals(namespace)) {
        problems.invalid(
            spec.at(RESOURCE, "namespace").toString(),
            spec.at(RESOURCE, "namespace").text(),
            "must match metadata.namespace");
      }
      if (spec.at(OTHER).isThere()) {
        spec.at(OTHER).holding(shown(spec.at(OTHER))).invalid("disallowed on this kind of request");
      }
    }
    if (!problems.isEmpty()) {
      // Such a question has no kind of its own in its answer, and never had.
      throw Status.invalid("authorization.k8s.io", "", "", problems.errors()).asException();
    }
  }

  private static void inNamespace(ObjectNode review, String namespace) {
    String given = Meta.namespace(review);
    if (given.isEmpty()) {
      Meta.of(review).put("namespace", namespace);
    } else if (!given.equals(namespace)) {
      throw Status.badRequest(
              "the namespace of the provided object does not match the namespace sent on the"
                  + " request")
          .asException();
    }
  }

  private static void attributes(Place spec, boolean ofSomebody) {
    Place resource = spec.at(RESOURCE);
    Place other = spec.at(OTHER);
    if (resource.isThere() && other.isThere()) {
      other
          .holding(shown(other))
          .invalid("cannot be specified in combination with resourceAttributes");
    }
    if (!resource.isThere() && !other.isThere()) {
      resource
          .problems()
          .invalid(
              resource.toString(),
              JsonNodeFactory.instance.nullNode(),
              "exactly one of nonResourceAttributes or resourceAttributes must be specified");
    }
    if (ofSomebody && spec.at("user").isEmpty() && spec.at("groups").isEmpty()) {
      spec.at("user").invalid("", "at least one of user or group must be specified");
    }
    selector(resource.at("fieldSelector"), false);
    selector(resource.at("labelSelector"), true);
  }

  /** As messages have always shown it: every field, by its name in the server. */
  private static JsonNode shown(Place attributes) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("Path", attributes.at("path").text())
        .put("Verb", attributes.at("verb").text());
  }

  private static void selector(Place selector, boolean ofLabels) {
    if (!selector.isThere()) {
      return;
    }
    Place raw = selector.at("rawSelector");
    Place requirements = selector.at("requirements");
    if (!raw.isEmpty() && !requirements.isEmpty()) {
      raw.invalid("may not specified at the same time as requirements");
    }
    if (raw.isEmpty() && requirements.isEmpty()) {
      requirements.required(
          "when " + selector + " is specified, requirements or rawSelector is required");
    }
    for (Place requirement : requirements.items()) {
      requirement(requirement, ofLabels);
    }
  }

  /** Of operators that nobody knows the answer is simply no. */
  private static void requirement(Place requirement, boolean ofLabels) {
    Place values = requirement.at("values");
    switch (requirement.at("operator").text()) {
      case "In", "NotIn" -> {
        if (values.isEmpty()) {
          values.required("must be specified when `operator` is 'In' or 'NotIn'");
        }
      }
      case "Exists", "DoesNotExist" -> {
        if (!values.isEmpty()) {
          values.forbidden("may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
        }
      }
      default -> {}
    }
    Place key = requirement.at("key");
    if (ofLabels) {
      List<String> faults = Names.qualifiedName(key.text());
      faults.forEach(key::invalid);
    } else if (key.isEmpty()) {
      key.required("must be specified");
    }
  }
}
