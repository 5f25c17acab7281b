package dev.evenkeel.serve.kinds.rules.container;

import dev.evenkeel.serve.kinds.rules.check.Paths;
import dev.evenkeel.serve.kinds.rules.check.Place;
import java.util.HashSet;
import java.util.Set;

/** Under which identity, and with which privileges, containers run. */
public final class SecurityValidation {

  private static final int SYSCTL_LENGTH_MAX = 253;
  private static final int PROFILE_LENGTH_MAX = 4095;

  private static final String SYSCTL_PATTERN =
      "^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$";

  private SecurityValidation() {}

  /** What holds for the pod as a whole. */
  public static void validatePod(Place spec) {
    Place context = spec.at("securityContext");
    context.at("fsGroup").inRange(0, Integer.MAX_VALUE);
    context.at("runAsUser").inRange(0, Integer.MAX_VALUE);
    context.at("runAsGroup").inRange(0, Integer.MAX_VALUE);
    for (Place group : context.at("supplementalGroups").items()) {
      group.inRange(0, Integer.MAX_VALUE);
    }
    if (spec.at("shareProcessNamespace").flag() && spec.at("hostPID").flag()) {
      context
          .at("shareProcessNamespace")
          .holding(spec.at("shareProcessNamespace").node())
          .invalid("ShareProcessNamespace and HostPID cannot both be enabled");
    }
    sysctls(context.at("sysctls"), spec);
    seccomp(context.at("seccompProfile"));
    appArmor(context.at("appArmorProfile"));
  }

  static void validateContainer(Place context, boolean hostUsers) {
    if (!context.isThere()) {
      return;
    }
    if (hostUsers && context.at("procMount").is("Unmasked")) {
      context.at("procMount").invalid("`hostUsers` must be false to use `Unmasked`");
    }
    seccomp(context.at("seccompProfile"));
    appArmor(context.at("appArmorProfile"));
    Place escalation = context.at("allowPrivilegeEscalation");
    if (escalation.isThere() && !escalation.flag()) {
      if (context.at("privileged").flag()) {
        context.invalid("cannot set `allowPrivilegeEscalation` to false and `privileged` to true");
      }
      if (context.at("capabilities", "add").strings().contains("CAP_SYS_ADMIN")) {
        context.invalid(
            "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN");
      }
    }
  }

  private static void seccomp(Place profile) {
    if (!profile.isThere()) {
      return;
    }
    Place file = profile.at("localhostProfile");
    if (profile.at("type").isEmpty()) {
      profile.at("type").required("type is required when seccompProfile is set");
    } else if (profile.at("type").is("Localhost")) {
      if (!file.isThere()) {
        file.required("must be set when seccomp type is Localhost");
      } else {
        Paths.descending(file);
      }
    } else if (file.isThere()) {
      file.holding(profile.node()).invalid("can only be set when seccomp type is Localhost");
    }
  }

  private static void appArmor(Place profile) {
    if (!profile.isThere()) {
      return;
    }
    Place file = profile.at("localhostProfile");
    if (profile.at("type").isEmpty()) {
      profile.at("type").required("type is required when appArmorProfile is set");
    } else if (!profile.at("type").is("Localhost")) {
      if (file.isThere()) {
        file.invalid("can only be set when AppArmor type is Localhost");
      }
    } else if (file.text().isBlank()) {
      file.required("must be set when AppArmor type is Localhost");
    } else if (!file.text().equals(file.text().strip())) {
      file.invalid("must not be padded with whitespace");
    } else if (file.text().length() > PROFILE_LENGTH_MAX) {
      file.tooLong(PROFILE_LENGTH_MAX);
    }
  }

  private static void sysctls(Place sysctls, Place spec) {
    Set<String> names = new HashSet<>();
    for (Place sysctl : sysctls.items()) {
      Place name = sysctl.at("name");
      if (name.isEmpty()) {
        continue;
      }
      if (!isSysctl(name.text())) {
        name.invalid(
            "must have at most "
                + SYSCTL_LENGTH_MAX
                + " characters and match regex "
                + SYSCTL_PATTERN);
      } else if (!names.add(name.text())) {
        name.duplicate();
      }
      if (spec.at("hostNetwork").flag() && name.text().startsWith("net.")) {
        name.invalid("may not be specified when 'hostNetwork' is true");
      }
      if (spec.at("hostIPC").flag() && isOfIpc(name.text())) {
        name.invalid("may not be specified when 'hostIPC' is true");
      }
    }
  }

  private static boolean isOfIpc(String sysctl) {
    return sysctl.equals("kernel.sem")
        || sysctl.startsWith("kernel.shm")
        || sysctl.startsWith("kernel.msg")
        || sysctl.startsWith("fs.mqueue.");
  }

  /** Segments of lower case, digits, {@code -} and {@code _}, joined by dots or slashes. */
  private static boolean isSysctl(String name) {
    if (name.length() > SYSCTL_LENGTH_MAX) {
      return false;
    }
    for (String segment : name.replace('/', '.').split("\\.", -1)) {
      if (!isSegment(segment)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isSegment(String text) {
    return !text.isEmpty()
        && isLowerOrDigit(text.charAt(0))
        && isLowerOrDigit(text.charAt(text.length() - 1))
        && text.chars().allMatch(c -> isLowerOrDigit(c) || c == '-' || c == '_');
  }

  private static boolean isLowerOrDigit(int c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  }
}
