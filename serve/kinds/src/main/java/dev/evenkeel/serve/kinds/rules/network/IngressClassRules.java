package dev.evenkeel.serve.kinds.rules.network;

import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.rules.check.Names;
import dev.evenkeel.serve.kinds.rules.check.Place;
import tools.jackson.databind.node.ObjectNode;

/** Ingress classes. */
public final class IngressClassRules implements KindRules {

  private static final int CONTROLLER_LENGTH_MAX = 250;

  @Override
  public void validate(ObjectNode ingressClass, Problems problems) {
    Place spec = Place.of(ingressClass, problems).at("spec");
    Place controller = spec.at("controller");
    if (controller.isEmpty()) {
      controller.required();
    } else {
      if (controller.text().length() > CONTROLLER_LENGTH_MAX) {
        controller.tooLong(CONTROLLER_LENGTH_MAX);
      }
      controller.invalid(Names.domainPrefixedPath(controller.text()));
    }
    Place parameters = spec.at("parameters");
    if (parameters.isThere()) {
      IngressRules.reference(parameters);
      parameters(parameters);
    }
  }

  private static void parameters(Place parameters) {
    Place namespace = parameters.at("namespace");
    Place scope = parameters.at("scope");
    if (scope.is("Namespace")) {
      if (namespace.isEmpty()) {
        namespace.required("`parameters.scope` is set to 'Namespace'");
      } else {
        namespace.invalid(Names.dnsLabel(namespace.text()));
      }
    } else if (namespace.isThere()) {
      namespace.forbidden("`parameters.scope` is set to 'Cluster'");
    }
  }

  @Override
  public void validateUpdate(ObjectNode ingressClass, ObjectNode old, Problems problems) {
    Place.of(ingressClass, problems)
        .at("spec", "controller")
        .immutable(old.path("spec").path("controller"));
  }
}
