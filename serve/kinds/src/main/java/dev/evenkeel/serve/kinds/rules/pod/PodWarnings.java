package dev.evenkeel.serve.kinds.rules.pod;

import dev.evenkeel.kernel.quantity.Quantity;
import dev.evenkeel.serve.kinds.rules.check.Place;
import dev.evenkeel.serve.kinds.rules.container.ContainersValidation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What is accepted in a pod but probably not meant. Owned by the one call that made it. */
final class PodWarnings {

  private static final Map<String, String> DEPRECATED_VOLUMES =
      Map.of(
          "photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+",
          "gitRepo", "deprecated in v1.11, and disabled by default in v1.33+",
          "scaleIO", "deprecated in v1.16, non-functional in v1.22+",
          "flocker", "deprecated in v1.22, non-functional in v1.25+",
          "storageos", "deprecated in v1.22, non-functional in v1.25+",
          "quobyte", "deprecated in v1.22, non-functional in v1.25+",
          "glusterfs", "deprecated in v1.25, non-functional in v1.26+",
          "cephfs", "deprecated in v1.28, non-functional in v1.31+",
          "rbd", "deprecated in v1.28, non-functional in v1.31+");

  private static final Map<String, String> DEPRECATED_ANNOTATIONS =
      Map.of(
          "scheduler.alpha.kubernetes.io/critical-pod",
          "non-functional in v1.16+; use the \"priorityClassName\" field instead",
          "security.alpha.kubernetes.io/sysctls",
          "non-functional in v1.11+; use the \"sysctls\" field instead",
          "security.alpha.kubernetes.io/unsafe-sysctls",
          "non-functional in v1.11+; use the \"sysctls\" field instead");

  private static final Map<String, String> DEPRECATED_NODE_LABELS =
      Map.of(
          "beta.kubernetes.io/arch",
          "deprecated since v1.14; use \"kubernetes.io/arch\" instead",
          "beta.kubernetes.io/os",
          "deprecated since v1.14; use \"kubernetes.io/os\" instead",
          "failure-domain.beta.kubernetes.io/region",
          "deprecated since v1.17; use \"topology.kubernetes.io/region\" instead",
          "failure-domain.beta.kubernetes.io/zone",
          "deprecated since v1.17; use \"topology.kubernetes.io/zone\" instead",
          "beta.kubernetes.io/instance-type",
          "deprecated since v1.17; use \"node.kubernetes.io/instance-type\" instead");

  private final Place owner;
  private final Place spec;
  private final List<String> warnings = new ArrayList<>();

  private PodWarnings(Place owner) {
    this.owner = owner;
    this.spec = owner.at("spec");
  }

  /** Of a pod or of a template. */
  static List<String> of(Place owner) {
    var warnings = new PodWarnings(owner);
    warnings.collect();
    return warnings.warnings;
  }

  private void warn(Place place, String text) {
    warnings.add(place + ": " + text);
  }

  private void collect() {
    placement();
    for (Place annotation : owner.at("metadata", "annotations").entries()) {
      String text = DEPRECATED_ANNOTATIONS.get(annotation.entryKey());
      if (text != null) {
        warn(annotation, text);
      }
    }
    for (Place volume : spec.at("volumes").items()) {
      for (String kind : volume.node().propertyNames()) {
        String text = DEPRECATED_VOLUMES.get(kind);
        if (text != null) {
          warn(volume.at(kind), text);
        }
      }
    }
    twice(spec.at("hostAliases"), "ip");
    twice(spec.at("imagePullSecrets"), "name");
    fractions(spec.at("overhead"));
    containers();
    if (spec.at("terminationGracePeriodSeconds").number() < 0) {
      warn(
          spec.at("terminationGracePeriodSeconds"),
          "must be >= 0; negative values are invalid and will be treated as 1");
    }
  }

  private void placement() {
    for (Place label : spec.at("nodeSelector").entries()) {
      String text = DEPRECATED_NODE_LABELS.get(label.entryKey());
      if (text != null) {
        warn(label, text);
      }
    }
    for (Place constraint : spec.at("topologySpreadConstraints").items()) {
      Place key = constraint.at("topologyKey");
      String text = DEPRECATED_NODE_LABELS.get(key.text());
      if (text != null) {
        warn(key, key.text() + " is " + text);
      }
      withoutSelector(constraint.at("labelSelector"));
    }
    for (String kind : List.of("podAffinity", "podAntiAffinity")) {
      Place pods = spec.at("affinity", kind);
      for (Place term : pods.at("requiredDuringSchedulingIgnoredDuringExecution").items()) {
        withoutSelector(term.at("labelSelector"));
      }
      for (Place term : pods.at("preferredDuringSchedulingIgnoredDuringExecution").items()) {
        withoutSelector(term.at("podAffinityTerm", "labelSelector"));
      }
    }
  }

  private void withoutSelector(Place selector) {
    if (!selector.isThere()) {
      warn(selector, "a null labelSelector results in matching no pod");
    }
  }

  private void twice(Place items, String field) {
    Set<String> seen = new HashSet<>();
    for (Place item : items.items()) {
      String text = item.at(field).text();
      if (!seen.add(text)) {
        warn(item.at(field), "duplicate " + field + " \"" + text + "\"");
      } else if (text.isEmpty() && field.equals("name")) {
        warn(item.at(field), "invalid empty name \"\"");
      }
    }
  }

  private void fractions(Place amounts) {
    for (String name : List.of("memory", "ephemeral-storage")) {
      Quantity quantity = Quantity.tryRead(amounts.node().path(name));
      if (quantity != null && !quantity.isWhole()) {
        warn(
            amounts.key(name),
            "fractional byte value \"" + quantity + "\" is invalid, must be an integer");
      }
    }
  }

  private void containers() {
    Map<String, List<Place>> ports = new HashMap<>();
    Map<String, Place> portNames = new HashMap<>();
    for (String list : ContainersValidation.LISTS) {
      for (Place container : spec.at(list).items()) {
        fractions(container.at("resources", "limits"));
        fractions(container.at("resources", "requests"));
        environment(container.at("env"));
        for (Place port : container.at("ports").items()) {
          port(port, ports);
          portName(port, portNames);
        }
      }
    }
  }

  /** A later value may build on an earlier one, but not replace it. */
  private void environment(Place env) {
    Set<String> seen = new HashSet<>();
    for (Place variable : env.items()) {
      String name = variable.at("name").text();
      if (seen.add(name)) {
        continue;
      }
      String value = variable.at("value").text();
      String reference = "$(" + name + ")";
      if (variable.at("valueFrom").isThere()
          || value.equals(reference)
          || !value.contains(reference)) {
        warn(
            variable,
            "hides previous definition of \"" + name + "\", which may be dropped when using apply");
      }
    }
  }

  private void port(Place port, Map<String, List<Place>> ports) {
    long hostPort = port.at("hostPort").number();
    String hostIp = port.at("hostIP").text();
    String key = port.at("containerPort").number() + "/" + port.at("protocol").text();
    List<Place> others = ports.computeIfAbsent(key, k -> new ArrayList<>());
    for (Place other : others) {
      long otherPort = other.at("hostPort").number();
      String otherIp = other.at("hostIP").text();
      if (hostPort == otherPort && hostIp.equals(otherIp)) {
        warn(port, "duplicate port definition with " + other);
      } else if (hostPort == 0 || otherPort == 0) {
        warn(port, "overlapping port definition with " + other);
      } else if (hostPort == otherPort && hostIp.isEmpty() != otherIp.isEmpty()) {
        warn(port, "dangerously ambiguous port definition with " + other);
      }
    }
    others.add(port);
  }

  private void portName(Place port, Map<String, Place> names) {
    String name = port.at("name").text();
    if (name.isEmpty()) {
      return;
    }
    Place other = names.putIfAbsent(name, port);
    if (other != null) {
      warn(
          port,
          "duplicate port name \""
              + name
              + "\" with "
              + other
              + ", services and probes that select ports by name will use "
              + other);
    }
  }
}
