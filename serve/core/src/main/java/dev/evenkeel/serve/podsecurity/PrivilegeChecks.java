package dev.evenkeel.serve.podsecurity;

import static dev.evenkeel.serve.podsecurity.CheckedPod.isFalse;
import static dev.evenkeel.serve.podsecurity.CheckedPod.isTrue;

import dev.evenkeel.kernel.api.Meta;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What a container's processes may do beyond others', and as whom they run.
 *
 * <p>That a pod has users of its own ({@code hostUsers: false}) excuses nothing: in v1.34 that is
 * off unless an administrator asks for it.
 */
final class PrivilegeChecks {

  private static final String CONTEXT = "securityContext";

  private static final Set<String> DEFAULT_CAPABILITIES =
      Set.of(
          "AUDIT_WRITE",
          "CHOWN",
          "DAC_OVERRIDE",
          "FOWNER",
          "FSETID",
          "KILL",
          "MKNOD",
          "NET_BIND_SERVICE",
          "SETFCAP",
          "SETGID",
          "SETPCAP",
          "SETUID",
          "SYS_CHROOT");

  private PrivilegeChecks() {}

  static @Nullable Violation privileged(CheckedPod pod) {
    List<String> containers =
        pod.containersThat(container -> isTrue(container.path(CONTEXT).path("privileged")));
    return containers.isEmpty()
        ? null
        : new Violation(
            "privileged",
            Wording.containers(containers) + " must not set securityContext.privileged=true");
  }

  static @Nullable Violation escalation(CheckedPod pod) {
    List<String> containers =
        pod.containersThat(
            container -> !isFalse(container.path(CONTEXT).path("allowPrivilegeEscalation")));
    return containers.isEmpty()
        ? null
        : new Violation(
            "allowPrivilegeEscalation != false",
            Wording.containers(containers)
                + " must set securityContext.allowPrivilegeEscalation=false");
  }

  static @Nullable Violation procMount(CheckedPod pod) {
    Set<String> types = new TreeSet<>();
    List<String> containers =
        pod.containersThat(
            container -> {
              JsonNode type = container.path(CONTEXT).path("procMount");
              boolean bad = type.isString() && !type.stringValue().equals("Default");
              if (bad) {
                types.add(type.stringValue());
              }
              return bad;
            });
    return containers.isEmpty()
        ? null
        : new Violation(
            "procMount",
            "%s must not set securityContext.procMount to %s"
                .formatted(Wording.containers(containers), Wording.quoted(types)));
  }

  // ---- capabilities

  static @Nullable Violation addedCapabilities(CheckedPod pod) {
    Set<String> added = new TreeSet<>();
    List<String> containers =
        pod.containersThat(container -> adds(container, DEFAULT_CAPABILITIES::contains, added));
    return containers.isEmpty()
        ? null
        : new Violation("non-default capabilities", mustNotAdd(containers, added));
  }

  static @Nullable Violation keptCapabilities(CheckedPod pod) {
    List<String> keeping = pod.containersThat(container -> !dropsAll(container));
    Set<String> added = new TreeSet<>();
    List<String> adding =
        pod.containersThat(container -> adds(container, "NET_BIND_SERVICE"::equals, added));
    List<String> details = new ArrayList<>();
    if (!keeping.isEmpty()) {
      details.add(
          Wording.containers(keeping) + " must set securityContext.capabilities.drop=[\"ALL\"]");
    }
    if (!adding.isEmpty()) {
      details.add(mustNotAdd(adding, added));
    }
    return details.isEmpty()
        ? null
        : new Violation("unrestricted capabilities", String.join("; ", details));
  }

  private static boolean dropsAll(JsonNode container) {
    for (JsonNode dropped : container.path(CONTEXT).path("capabilities").path("drop")) {
      if (Meta.text(dropped).equals("ALL")) {
        return true;
      }
    }
    return false;
  }

  private static boolean adds(JsonNode container, Predicate<String> allowed, Set<String> added) {
    boolean bad = false;
    for (JsonNode capability : container.path(CONTEXT).path("capabilities").path("add")) {
      String name = Meta.text(capability);
      if (!allowed.test(name)) {
        added.add(name);
        bad = true;
      }
    }
    return bad;
  }

  private static String mustNotAdd(List<String> containers, Set<String> added) {
    return "%s must not include %s in securityContext.capabilities.add"
        .formatted(Wording.containers(containers), Wording.quoted(added));
  }

  // ---- users

  static @Nullable Violation nonRoot(CheckedPod pod) {
    String field = "runAsNonRoot";
    String reason = "runAsNonRoot != true";
    JsonNode ofPod = pod.securityContext().path(field);
    List<String> setters =
        Wording.setters(
            isFalse(ofPod),
            pod.containersThat(container -> isFalse(container.path(CONTEXT).path(field))));
    if (!setters.isEmpty()) {
      return new Violation(
          reason,
          String.join(" and ", setters) + " must not set securityContext.runAsNonRoot=false");
    }
    List<String> silent =
        pod.containersThat(
            container -> !isTrue(ofPod) && !container.path(CONTEXT).path(field).isBoolean());
    return silent.isEmpty()
        ? null
        : new Violation(
            reason,
            "pod or " + Wording.containers(silent) + " must set securityContext.runAsNonRoot=true");
  }

  static @Nullable Violation rootUser(CheckedPod pod) {
    List<String> setters =
        Wording.setters(
            isRoot(pod.securityContext()),
            pod.containersThat(container -> isRoot(container.path(CONTEXT))));
    return setters.isEmpty()
        ? null
        : new Violation("runAsUser=0", String.join(" and ", setters) + " must not set runAsUser=0");
  }

  private static boolean isRoot(JsonNode securityContext) {
    JsonNode user = securityContext.path("runAsUser");
    return user.isNumber() && user.asLong() == 0;
  }
}
