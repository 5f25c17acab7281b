package dev.evenkeel.serve.podsecurity;

import static dev.evenkeel.serve.podsecurity.CheckedPod.isTrue;

import dev.evenkeel.kernel.api.Meta;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What of its node a pod takes part in. */
final class HostChecks {

  private static final List<String> NAMESPACES = List.of("hostNetwork", "hostPID", "hostIPC");
  private static final List<String> PROBES =
      List.of("livenessProbe", "readinessProbe", "startupProbe");
  private static final List<String> HANDLERS = List.of("postStart", "preStop");
  private static final List<String> CALLS = List.of("httpGet", "tcpSocket");

  private HostChecks() {}

  static @Nullable Violation namespaces(CheckedPod pod) {
    List<String> set = new ArrayList<>();
    for (String namespace : NAMESPACES) {
      if (isTrue(pod.spec().path(namespace))) {
        set.add(namespace + "=true");
      }
    }
    return set.isEmpty() ? null : new Violation("host namespaces", String.join(", ", set));
  }

  static @Nullable Violation ports(CheckedPod pod) {
    // In the order of their texts, as upstream: 10 before 9.
    Set<String> ports = new TreeSet<>();
    List<String> containers =
        pod.containersThat(
            container -> {
              boolean uses = false;
              for (JsonNode port : container.path("ports")) {
                long number = port.path("hostPort").asLong(0);
                if (number != 0) {
                  uses = true;
                  ports.add(Long.toString(number));
                }
              }
              return uses;
            });
    return containers.isEmpty()
        ? null
        : new Violation(
            "hostPort",
            "%s %s %s %s"
                .formatted(
                    Wording.containers(containers),
                    Wording.plural("uses", "use", containers),
                    Wording.plural("hostPort", "hostPorts", ports),
                    String.join(", ", ports)));
  }

  /** The node asks, from where it is: whom it asks is not the pod's to choose. */
  static @Nullable Violation probesAndHandlers(CheckedPod pod) {
    Set<String> hosts = new TreeSet<>();
    Set<String> containers =
        new TreeSet<>(
            pod.containersThat(
                container -> {
                  boolean names = false;
                  for (String probe : PROBES) {
                    names |= namesHost(container.path(probe), hosts);
                  }
                  for (String handler : HANDLERS) {
                    names |= namesHost(container.path("lifecycle").path(handler), hosts);
                  }
                  return names;
                }));
    return containers.isEmpty()
        ? null
        : new Violation(
            "probe or lifecycle host",
            "%s %s %s %s"
                .formatted(
                    Wording.containers(containers),
                    Wording.plural("uses", "use", containers),
                    Wording.plural("probe or lifecycle host", "probe or lifecycle hosts", hosts),
                    Wording.quoted(hosts)));
  }

  private static boolean namesHost(JsonNode action, Set<String> hosts) {
    boolean names = false;
    for (String call : CALLS) {
      String host = Meta.text(action.path(call).path("host"));
      if (!host.isEmpty()) {
        hosts.add(host);
        names = true;
      }
    }
    return names;
  }

  static @Nullable Violation windowsProcess(CheckedPod pod) {
    List<String> setters =
        Wording.setters(
            isHostProcess(pod.securityContext()),
            pod.containersThat(container -> isHostProcess(container.path("securityContext"))));
    return setters.isEmpty()
        ? null
        : new Violation(
            "hostProcess",
            String.join(" and ", setters)
                + " must not set securityContext.windowsOptions.hostProcess=true");
  }

  private static boolean isHostProcess(JsonNode securityContext) {
    return isTrue(securityContext.path("windowsOptions").path("hostProcess"));
  }

  static @Nullable Violation sysctls(CheckedPod pod, Set<String> allowed) {
    List<String> forbidden = new ArrayList<>();
    for (JsonNode sysctl : pod.securityContext().path("sysctls")) {
      String name = Meta.text(sysctl.path("name"));
      if (!allowed.contains(name)) {
        forbidden.add(name);
      }
    }
    return forbidden.isEmpty()
        ? null
        : new Violation("forbidden sysctls", String.join(", ", forbidden));
  }
}
