package dev.evenkeel.serve.kinds.rules.container;

import dev.evenkeel.serve.kinds.rules.check.Place;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.node.StringNode;

/** What is wrong with a pod's containers. Owned by the one call that made it. */
public final class ContainersValidation {

  public static final List<String> LISTS =
      List.of("initContainers", "containers", "ephemeralContainers");

  private static final List<String> NOT_EPHEMERAL =
      List.of(
          "ports",
          "resources",
          "livenessProbe",
          "readinessProbe",
          "startupProbe",
          "lifecycle",
          "resizePolicy",
          "restartPolicy");

  private static final List<String> ONLY_SIDECARS =
      List.of("lifecycle", "livenessProbe", "readinessProbe", "startupProbe");

  private final Place spec;
  private final Volumes volumes;
  private final Set<String> resourceClaims;
  private final boolean hostUsers;

  public ContainersValidation(Place spec, Volumes volumes, Set<String> resourceClaims) {
    this.spec = spec;
    this.volumes = volumes;
    this.resourceClaims = resourceClaims;
    this.hostUsers = !spec.at("hostUsers").isThere() || spec.at("hostUsers").flag();
  }

  public void run() {
    Set<String> names = new HashSet<>();
    containers(names);
    initContainers(names);
    ephemeralContainers(names);
  }

  private void containers(Set<String> names) {
    Set<String> hostPorts = new HashSet<>();
    for (Place container : spec.at("containers").items()) {
      common(container);
      uniqueName(container, names);
      ProbeValidation.validate(container, spec);
      uniqueHostPorts(container, hostPorts);
    }
  }

  private void initContainers(Set<String> names) {
    for (Place container : spec.at("initContainers").items()) {
      common(container);
      Place policy = container.at("restartPolicy");
      uniqueName(container, names);
      uniqueHostPorts(container, new HashSet<>());
      if (policy.is("Always")) {
        ProbeValidation.validate(container, spec);
      } else {
        for (String field : ONLY_SIDECARS) {
          if (container.at(field).isThere()) {
            container
                .at(field)
                .forbidden("may not be set for init containers without restartPolicy=Always");
          }
        }
      }
    }
  }

  private void ephemeralContainers(Set<String> names) {
    Set<String> others = Set.copyOf(names);
    for (Place container : spec.at("ephemeralContainers").items()) {
      common(container);
      uniqueName(container, names);
      Place target = container.at("targetContainerName");
      if (!target.isEmpty() && !others.contains(target.text())) {
        target.notFound();
      }
      for (String field : NOT_EPHEMERAL) {
        if (!container.at(field).isEmpty()) {
          container.at(field).forbidden("cannot be set for an Ephemeral Container");
        }
      }
      for (Place mount : container.at("volumeMounts").items()) {
        for (String field : List.of("subPath", "subPathExpr")) {
          if (!mount.at(field).isEmpty()) {
            mount.at(field).forbidden("cannot be set for an Ephemeral Container");
          }
        }
      }
    }
  }

  private void common(Place container) {
    uniquePortNames(container.at("ports"));
    EnvironmentValidation.validate(container, volumes);
    MountValidation.validate(container, volumes);
    ResourceValidation.ofContainer(container.at("resources"), resourceClaims);
    resizePolicy(container.at("resizePolicy"));
    SecurityValidation.validateContainer(container.at("securityContext"), hostUsers);
  }

  private static void uniqueName(Place container, Set<String> names) {
    Place name = container.at("name");
    if (!name.isEmpty() && !names.add(name.text())) {
      name.duplicate();
    }
  }

  private static void uniquePortNames(Place ports) {
    Set<String> names = new HashSet<>();
    for (Place port : ports.items()) {
      Place name = port.at("name");
      if (!name.isEmpty() && !names.add(name.text())) {
        name.duplicate();
      }
    }
  }

  private static void uniqueHostPorts(Place container, Set<String> taken) {
    for (Place port : container.at("ports").items()) {
      long number = port.at("hostPort").number();
      String key = port.at("protocol").text() + "/" + port.at("hostIP").text() + "/" + number;
      if (number != 0 && !taken.add(key)) {
        port.problems().duplicate(port.at("hostPort").toString(), StringNode.valueOf(key));
      }
    }
  }

  private void resizePolicy(Place policies) {
    Set<String> seen = new HashSet<>();
    for (Place policy : policies.items()) {
      Place resource = policy.at("resourceName");
      if (!seen.add(resource.text())) {
        policy.holding(resource.node()).duplicate();
      }
      if (spec.at("restartPolicy").is("Never") && !policy.at("restartPolicy").is("NotRequired")) {
        policies
            .holding(policy.at("restartPolicy").node())
            .invalid("must be 'NotRequired' when `restartPolicy` is 'Never'");
      }
    }
  }
}
