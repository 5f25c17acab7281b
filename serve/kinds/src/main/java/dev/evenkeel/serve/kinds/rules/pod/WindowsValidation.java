package dev.evenkeel.serve.kinds.rules.pod;

import dev.evenkeel.serve.kinds.rules.check.Place;
import dev.evenkeel.serve.kinds.rules.container.ContainersValidation;
import java.util.List;

/** What a pod for Windows cannot have. */
final class WindowsValidation {

  private static final String REFUSAL = "cannot be set for a windows pod";

  private static final List<String> OF_POD =
      List.of(
          "appArmorProfile",
          "seLinuxOptions",
          "seccompProfile",
          "fsGroup",
          "fsGroupChangePolicy",
          "runAsUser",
          "runAsGroup",
          "supplementalGroups",
          "supplementalGroupsPolicy",
          "seLinuxChangePolicy");

  private static final List<String> OF_CONTAINER =
      List.of(
          "appArmorProfile",
          "seLinuxOptions",
          "seccompProfile",
          "capabilities",
          "readOnlyRootFilesystem",
          "privileged",
          "allowPrivilegeEscalation",
          "procMount",
          "runAsUser",
          "runAsGroup");

  private WindowsValidation() {}

  static void validate(Place spec) {
    for (String field : List.of("hostUsers", "shareProcessNamespace")) {
      refuse(spec.at(field), spec.at(field).isThere());
    }
    for (String field : List.of("hostPID", "hostIPC")) {
      refuse(spec.at(field), spec.at(field).flag());
    }
    Place security = spec.at("securityContext");
    for (String field : OF_POD) {
      refuse(security.at(field), security.at(field).isThere());
    }
    refuse(security.at("sysctls"), !security.at("sysctls").isEmpty());
    for (String list : ContainersValidation.LISTS) {
      for (Place container : spec.at(list).items()) {
        Place own = container.at("securityContext");
        for (String field : OF_CONTAINER) {
          refuse(own.at(field), own.at(field).isThere());
        }
      }
    }
  }

  private static void refuse(Place field, boolean isSet) {
    if (isSet) {
      field.forbidden(REFUSAL);
    }
  }
}
