package dev.evenkeel.serve.podsecurity;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Which checks belong to a level, by version: the Pod Security Standards.
 *
 * <p><b>Threading:</b> immutable.
 */
public final class Standards {

  /** The newest version with checks of its own; later ones, and {@code latest}, are the same. */
  static final int NEWEST_MINOR = 34;

  /** What is wrong with a pod, null if nothing is. */
  @FunctionalInterface
  private interface PodCheck {
    @Nullable Violation check(CheckedPod pod);
  }

  /**
   * One subject, and what was checked about it from which minor version on.
   *
   * @param name orders the messages
   * @param replaces the name of a milder check that has nothing to add where this one is made;
   *     empty if there is none
   */
  private record Subject(String name, Level level, String replaces, TreeMap<Integer, PodCheck> by) {

    Subject(String name, Level level) {
      this(name, level, "", new TreeMap<>());
    }

    Subject from(int minor, PodCheck check) {
      by.put(minor, check);
      return this;
    }

    Subject instead(String milder) {
      return new Subject(name, level, milder, by);
    }

    @Nullable PodCheck at(int minor) {
      var entry = by.floorEntry(minor);
      return entry == null ? null : entry.getValue();
    }
  }

  private static final Set<String> SYSCTLS =
      Set.of(
          "kernel.shm_rmid_forced",
          "net.ipv4.ip_local_port_range",
          "net.ipv4.tcp_syncookies",
          "net.ipv4.ping_group_range",
          "net.ipv4.ip_unprivileged_port_start");
  private static final Set<String> SYSCTLS_27 = with(SYSCTLS, "net.ipv4.ip_local_reserved_ports");
  private static final Set<String> SYSCTLS_29 =
      with(
          SYSCTLS_27,
          "net.ipv4.tcp_keepalive_time",
          "net.ipv4.tcp_fin_timeout",
          "net.ipv4.tcp_keepalive_intvl",
          "net.ipv4.tcp_keepalive_probes");
  private static final Set<String> SYSCTLS_32 =
      with(SYSCTLS_29, "net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem");

  private static final Set<String> SE_LINUX_TYPES =
      Set.of("container_t", "container_init_t", "container_kvm_t");
  private static final Set<String> SE_LINUX_TYPES_31 = with(SE_LINUX_TYPES, "container_engine_t");

  /** In the order in which messages name what they found: by level, then by name. */
  private static final List<Subject> SUBJECTS =
      List.of(
          baseline("appArmorProfile").from(0, ProfileChecks::appArmor),
          baseline("capabilities_baseline").from(0, PrivilegeChecks::addedCapabilities),
          baseline("hostNamespaces").from(0, HostChecks::namespaces),
          baseline("hostPathVolumes").from(0, VolumeChecks::hostPaths),
          baseline("hostPorts").from(0, HostChecks::ports),
          baseline("hostProbesAndHostLifecycle").from(34, HostChecks::probesAndHandlers),
          baseline("privileged").from(0, PrivilegeChecks::privileged),
          baseline("procMount").from(0, PrivilegeChecks::procMount),
          baseline("seLinuxOptions")
              .from(0, pod -> ProfileChecks.seLinux(pod, SE_LINUX_TYPES))
              .from(31, pod -> ProfileChecks.seLinux(pod, SE_LINUX_TYPES_31)),
          baseline("seccompProfile_baseline")
              .from(0, ProfileChecks::seccompAnnotations)
              .from(19, ProfileChecks::seccomp),
          baseline("sysctls")
              .from(0, pod -> HostChecks.sysctls(pod, SYSCTLS))
              .from(27, pod -> HostChecks.sysctls(pod, SYSCTLS_27))
              .from(29, pod -> HostChecks.sysctls(pod, SYSCTLS_29))
              .from(32, pod -> HostChecks.sysctls(pod, SYSCTLS_32)),
          baseline("windowsHostProcess").from(0, HostChecks::windowsProcess),
          restricted("allowPrivilegeEscalation")
              .from(8, PrivilegeChecks::escalation)
              .from(25, unlessWindows(PrivilegeChecks::escalation)),
          restricted("capabilities_restricted")
              .instead("capabilities_baseline")
              .from(22, PrivilegeChecks::keptCapabilities)
              .from(25, unlessWindows(PrivilegeChecks::keptCapabilities)),
          restricted("restrictedVolumes").instead("hostPathVolumes").from(0, VolumeChecks::types),
          restricted("runAsNonRoot").from(0, PrivilegeChecks::nonRoot),
          restricted("runAsUser").from(23, PrivilegeChecks::rootUser),
          restricted("seccompProfile_restricted")
              .instead("seccompProfile_baseline")
              .from(19, ProfileChecks::seccompSet)
              .from(25, unlessWindows(ProfileChecks::seccompSet)));

  /** By minor version. */
  private static final List<List<PodCheck>> BASELINE = table(Level.BASELINE);

  private static final List<List<PodCheck>> RESTRICTED = table(Level.RESTRICTED);

  private Standards() {}

  private static Subject baseline(String name) {
    return new Subject(name, Level.BASELINE);
  }

  private static Subject restricted(String name) {
    return new Subject(name, Level.RESTRICTED);
  }

  /** Pods that say they are for Windows cannot set what the check asks for. */
  private static PodCheck unlessWindows(PodCheck check) {
    return pod -> pod.isWindows() ? null : check.check(pod);
  }

  private static Set<String> with(Set<String> known, String... more) {
    return Stream.concat(known.stream(), Stream.of(more)).collect(Collectors.toUnmodifiableSet());
  }

  private static List<List<PodCheck>> table(Level level) {
    List<List<PodCheck>> table = new ArrayList<>();
    for (int minor = 0; minor <= NEWEST_MINOR; minor++) {
      table.add(checks(level, minor));
    }
    return List.copyOf(table);
  }

  private static List<PodCheck> checks(Level level, int minor) {
    Set<String> replaced = new HashSet<>();
    for (Subject subject : SUBJECTS) {
      if (!subject.level().isStricterThan(level) && subject.at(minor) != null) {
        replaced.add(subject.replaces());
      }
    }
    List<PodCheck> checks = new ArrayList<>();
    for (Subject subject : SUBJECTS) {
      PodCheck check = subject.at(minor);
      if (check != null
          && !subject.level().isStricterThan(level)
          && !replaced.contains(subject.name())) {
        checks.add(check);
      }
    }
    return List.copyOf(checks);
  }

  /**
   * What a pod violates.
   *
   * @param pod a pod or a template: {@code metadata} and {@code spec}
   */
  public static Findings check(LevelVersion wanted, JsonNode pod) {
    List<List<PodCheck>> table =
        switch (wanted.level()) {
          case PRIVILEGED -> List.of();
          case BASELINE -> BASELINE;
          case RESTRICTED -> RESTRICTED;
        };
    if (table.isEmpty()) {
      return Findings.NONE;
    }
    PolicyVersion version = wanted.version();
    int minor =
        version.equals(PolicyVersion.LATEST)
            ? NEWEST_MINOR
            : (int) Math.min(version.minor(), NEWEST_MINOR);
    CheckedPod checked = CheckedPod.of(pod);
    List<Violation> violations = new ArrayList<>();
    for (PodCheck check : table.get(minor)) {
      Violation violation = check.check(checked);
      if (violation != null) {
        violations.add(violation);
      }
    }
    return violations.isEmpty() ? Findings.NONE : new Findings(violations);
  }
}
