package dev.evenkeel.serve.kinds.rules.placement;

import dev.evenkeel.serve.kinds.rules.check.Names;
import dev.evenkeel.serve.kinds.rules.check.Place;
import dev.evenkeel.serve.kinds.rules.check.Selectors;
import java.util.List;

/** Which nodes, and the company of which pods, a pod seeks or shuns. */
public final class AffinityValidation {

  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
  private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

  private AffinityValidation() {}

  public static void validate(Place affinity) {
    Place nodes = affinity.at("nodeAffinity");
    if (nodes.at(REQUIRED).isThere()) {
      NodeSelectors.validate(nodes.at(REQUIRED));
    }
    for (Place term : nodes.at(PREFERRED).items()) {
      weight(term.at("weight"));
      NodeSelectors.term(term.at("preference"), false);
    }
    for (String kind : List.of("podAffinity", "podAntiAffinity")) {
      Place pods = affinity.at(kind);
      for (Place term : pods.at(REQUIRED).items()) {
        podTerm(term);
      }
      for (Place term : pods.at(PREFERRED).items()) {
        weight(term.at("weight"));
        podTerm(term.at("podAffinityTerm"));
      }
    }
  }

  private static void weight(Place weight) {
    if (weight.number() < 1 || weight.number() > 100) {
      weight.invalid("must be in the range 1-100");
    }
  }

  private static void podTerm(Place term) {
    Selectors.validate(term.at("labelSelector"));
    Selectors.validate(term.at("namespaceSelector"));
    for (String namespace : term.at("namespaces").strings()) {
      for (String fault : Names.dnsLabel(namespace)) {
        term.at("namespace").invalid(namespace, fault);
      }
    }
    labelKeys(term);
    Place topology = term.at("topologyKey");
    if (topology.isEmpty()) {
      topology.required("can not be empty");
    }
    topology.invalid(Names.qualifiedName(topology.text()));
  }

  /** Keys whose values are the pod's own. */
  static void labelKeys(Place term) {
    for (String list : List.of("matchLabelKeys", "mismatchLabelKeys")) {
      Place keys = term.at(list);
      if (!keys.isEmpty() && !term.at("labelSelector").isThere()) {
        keys.forbidden("must not be specified when labelSelector is not set");
      }
      for (Place key : keys.items()) {
        key.invalid(Names.qualifiedName(key.text()));
      }
    }
    List<String> shunned = term.at("mismatchLabelKeys").strings();
    for (Place key : term.at("matchLabelKeys").items()) {
      if (shunned.contains(key.text())) {
        key.invalid("exists in both matchLabelKeys and mismatchLabelKeys");
      }
    }
  }
}
