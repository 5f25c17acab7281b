package dev.evenkeel.serve.kinds.rules.access;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.rules.check.Names;
import dev.evenkeel.serve.kinds.rules.check.Place;
import dev.evenkeel.serve.kinds.rules.check.Same;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Bindings of roles to people, groups and service accounts. */
public final class RoleBindingRules implements KindRules {

  private static final String GROUP = "rbac.authorization.k8s.io";

  private final boolean namespaced;

  private RoleBindingRules(boolean namespaced) {
    this.namespaced = namespaced;
  }

  public static RoleBindingRules ofNamespace() {
    return new RoleBindingRules(true);
  }

  public static RoleBindingRules ofCluster() {
    return new RoleBindingRules(false);
  }

  @Override
  public NameRule nameRule() {
    return NameRule.PATH_SEGMENT;
  }

  @Override
  public void applyDefaults(ObjectNode binding) {
    for (JsonNode subject : binding.path("subjects")) {
      String kind = Meta.text(subject.path("kind"));
      if (subject instanceof ObjectNode object && (kind.equals("User") || kind.equals("Group"))) {
        putIfEmpty(object);
      }
    }
  }

  private static void putIfEmpty(ObjectNode object) {
    if (Meta.text(object.path("apiGroup")).isEmpty()) {
      object.put("apiGroup", GROUP);
    }
  }

  @Override
  public void validate(ObjectNode binding, Problems problems) {
    Place whole = Place.of(binding, problems);
    Place reference = whole.at("roleRef");
    List<String> kinds = namespaced ? List.of("Role", "ClusterRole") : List.of("ClusterRole");
    if (!kinds.contains(reference.at("kind").text())) {
      reference.at("kind").notSupported(kinds);
    }
    Place name = reference.at("name");
    name.invalid(Names.pathSegment(name.text()));
    for (Place subject : whole.at("subjects").items()) {
      subject(subject);
    }
  }

  private void subject(Place subject) {
    Place name = subject.at("name");
    Place group = subject.at("apiGroup");
    switch (subject.at("kind").text()) {
      case "ServiceAccount" -> {
        if (!name.isEmpty()) {
          name.invalid(Names.dnsSubdomain(name.text()));
        }
        if (!group.isEmpty()) {
          group.notSupported(List.of(""));
        }
        if (!namespaced && subject.at("namespace").isEmpty()) {
          subject.at("namespace").required();
        }
      }
      case "User", "Group" -> {
        if (!group.is(GROUP)) {
          group.notSupported(List.of(GROUP));
        }
      }
      default -> {
        // The schema knows no other.
      }
    }
  }

  @Override
  public void validateUpdate(ObjectNode binding, ObjectNode old, Problems problems) {
    Place reference = Place.of(binding, problems).at("roleRef");
    if (!Same.same(reference.node(), old.path("roleRef"))) {
      reference.invalid("cannot change roleRef");
    }
  }
}
