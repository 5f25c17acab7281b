package dev.evenkeel.serve.kinds.rules.extension;

import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.rules.check.Names;
import dev.evenkeel.serve.kinds.rules.check.Place;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.node.ObjectNode;

/** Which requests belong to which priority level. */
public final class FlowSchemaRules implements KindRules {

  private static final long PRECEDENCE_MAX = 10_000;

  private static final List<String> VERBS =
      List.of(
          "bind",
          "create",
          "delete",
          "deletecollection",
          "escalate",
          "get",
          "head",
          "impersonate",
          "list",
          "patch",
          "post",
          "proxy",
          "put",
          "update",
          "use",
          "watch");

  @Override
  public void prepareForCreate(ObjectNode schema) {
    schema.putObject("status");
  }

  @Override
  public void validate(ObjectNode schema, Problems problems) {
    Place whole = Place.of(schema, problems);
    Place spec = whole.at("spec");
    Place precedence = spec.at("matchingPrecedence");
    if (precedence.number() <= 0) {
      precedence.invalid("must be a positive value");
    }
    if (precedence.number() > PRECEDENCE_MAX) {
      precedence.invalid("must not be greater than " + PRECEDENCE_MAX);
    }
    if (precedence.number() == 1 && !whole.at("metadata", "name").is("exempt")) {
      precedence.invalid("only the schema named 'exempt' may have matchingPrecedence 1");
    }
    Place level = spec.at("priorityLevelConfiguration", "name");
    if (level.isEmpty()) {
      level.required("must reference a priority level");
    } else {
      level.invalid(Names.dnsSubdomain(level.text()));
    }
    spec.at("rules").items().forEach(FlowSchemaRules::rule);
  }

  private static void rule(Place rule) {
    if (rule.at("subjects").isEmpty()) {
      rule.at("subjects").required("subjects must contain at least one value");
    }
    rule.at("subjects").items().forEach(FlowSchemaRules::subject);
    Place resources = rule.at("resourceRules");
    Place others = rule.at("nonResourceRules");
    if (resources.isEmpty() && others.isEmpty()) {
      rule.required("at least one of resourceRules and nonResourceRules has to be non-empty");
    }
    for (Place resource : resources.items()) {
      verbs(resource.at("verbs"));
      some(resource.at("apiGroups"), "resource rules must supply at least one api group");
      alone(resource.at("apiGroups"), "api groups");
      some(resource.at("resources"), "resource rules must supply at least one resource");
      alone(resource.at("resources"), "resources");
      Place namespaces = resource.at("namespaces");
      if (namespaces.isEmpty() && !resource.at("clusterScope").flag()) {
        namespaces.required(
            "resource rules that are not cluster scoped must supply at least one namespace");
      }
      alone(namespaces, "namespaces");
    }
    for (Place other : others.items()) {
      verbs(other.at("verbs"));
      some(other.at("nonResourceURLs"), "nonResourceURLs must contain at least one value");
      alone(other.at("nonResourceURLs"), "non-resource URLs");
    }
  }

  private static void subject(Place subject) {
    String kind = subject.at("kind").text();
    for (String known : List.of("ServiceAccount", "User", "Group")) {
      String field = known.substring(0, 1).toLowerCase(Locale.ROOT) + known.substring(1);
      boolean given = subject.at(field).isThere();
      if (known.equals(kind)) {
        if (!given) {
          subject.at(field).required(field + " is required when subject kind is '" + known + "'");
        }
      } else if (given) {
        subject
            .at(field)
            .forbidden(field + " is forbidden when subject kind is not '" + known + "'");
      }
    }
  }

  private static void some(Place list, String detail) {
    if (list.isEmpty()) {
      list.required(detail);
    }
  }

  private static void alone(Place list, String what) {
    if (list.size() > 1 && list.strings().contains("*")) {
      list.invalid("if '*' is present, must not specify other " + what);
    }
  }

  private static void verbs(Place verbs) {
    some(verbs, "verbs must contain at least one value");
    alone(verbs, "verbs");
    if (!verbs.strings().contains("*")) {
      for (Place verb : verbs.items()) {
        verbs.holding(verb.node()).oneOf(VERBS);
      }
    }
  }
}
