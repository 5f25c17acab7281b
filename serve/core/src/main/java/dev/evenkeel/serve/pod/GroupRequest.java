package dev.evenkeel.serve.pod;

import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.api.Status;
import dev.evenkeel.kernel.fit.BindingNotes;
import dev.evenkeel.kernel.schema.FieldError;
import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.kernel.schema.Schema;
import dev.evenkeel.serve.call.Call;
import dev.evenkeel.serve.call.Decoding;
import dev.evenkeel.serve.kinds.catalog.Catalog;
import dev.evenkeel.serve.object.MetadataRules;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a PodGroupBinding asks for.
 *
 * @param body as it was sent
 * @param operation empty if it has no name by which it could be repeated
 * @param places one for each pod
 */
record GroupRequest(ObjectNode body, String group, String operation, List<Place> places) {

  static final Gvk BINDING = Gvk.of("evenkeel.dev/v1alpha1", "PodGroupBinding");

  /** As many as a group may need. */
  static final int PODS_MAX = 1_000;

  /**
   * A pod and the node it is to get.
   *
   * @param uid empty if any pod of the name will do
   */
  record Place(String pod, String uid, String node) {}

  /** Reads a call's body, and refuses one that makes no sense whatever there is. */
  static GroupRequest read(Call call) {
    String group = call.target().name();
    Schema.Struct type = Objects.requireNonNull(Catalog.type(BINDING));
    ObjectNode body = Decoding.object(call, BINDING, type);
    checkNamed("name", Meta.name(body), group);
    checkNamed("namespace", Meta.namespace(body), call.target().namespace());
    if (!Bindings.annotation(body, BindingNotes.CANDIDATES).isEmpty()) {
      throw Status.badRequest(
              "the binding of a group names one node for each pod: leave out the annotation "
                  + BindingNotes.CANDIDATES)
          .asException();
    }
    return new GroupRequest(
        body, group, Bindings.annotation(body, BindingNotes.OPERATION), places(group, body));
  }

  private static void checkNamed(String what, String given, String expected) {
    if (!given.isEmpty() && !given.equals(expected)) {
      throw Status.badRequest(
              "the %s in the binding (%s) is not the podgroup's (%s)"
                  .formatted(what, given, expected))
          .asException();
    }
  }

  private static List<Place> places(String group, ObjectNode body) {
    JsonNode list = body.path("bindings");
    List<FieldError> errors = new ArrayList<>(0);
    if (list.isEmpty()) {
      errors.add(
          new FieldError(
              FieldError.Reason.REQUIRED,
              "bindings",
              "Required value: at least one pod and its node"));
    } else if (list.size() > PODS_MAX) {
      errors.add(
          new FieldError(
              FieldError.Reason.TOO_MANY,
              "bindings",
              "Too many: %d: must have at most %d items".formatted(list.size(), PODS_MAX)));
      throw invalid(group, errors);
    }
    List<Place> places = new ArrayList<>(list.size());
    Set<String> seen = HashSet.newHashSet(list.size());
    for (JsonNode item : list) {
      String at = "bindings[" + places.size() + "].";
      var place =
          new Place(
              Meta.text(item.path("pod")),
              Meta.text(item.path("uid")),
              Meta.text(item.path("node")));
      require(place.pod, at + "pod", "the name of a pod", errors);
      require(place.node, at + "node", "the name of a node", errors);
      var problems = new Problems();
      Bindings.checkNode(at + "node", place.node, problems);
      errors.addAll(problems.errors());
      if (!place.pod.isEmpty() && !seen.add(place.pod)) {
        errors.add(
            new FieldError(
                FieldError.Reason.DUPLICATE, at + "pod", "Duplicate value: \"" + place.pod + "\""));
      }
      places.add(place);
    }
    var problems = new Problems();
    MetadataRules.annotations(body.path("metadata").path("annotations"), problems);
    errors.addAll(problems.errors());
    if (!errors.isEmpty()) {
      throw invalid(group, errors);
    }
    return places;
  }

  private static void require(String value, String field, String what, List<FieldError> errors) {
    if (value.isEmpty()) {
      errors.add(new FieldError(FieldError.Reason.REQUIRED, field, "Required value: " + what));
    }
  }

  static ApiException invalid(String group, List<FieldError> errors) {
    return Status.invalid(BINDING.group(), BINDING.kind(), group, errors).asException();
  }

  /** The Binding that would do the same for this pod alone. */
  ObjectNode binding(Place place) {
    ObjectNode binding = JsonNodeFactory.instance.objectNode();
    binding.put("apiVersion", Bindings.BINDING.apiVersion()).put("kind", Bindings.BINDING.kind());
    ObjectNode metadata = binding.putObject("metadata");
    metadata.put("name", place.pod);
    if (!place.uid.isEmpty()) {
      metadata.put("uid", place.uid);
    }
    JsonNode annotations = body.path("metadata").path("annotations");
    if (!annotations.isEmpty()) {
      metadata.set("annotations", annotations);
    }
    binding.putObject("target").put("kind", "Node").put("name", place.node);
    return binding;
  }
}
