package dev.evenkeel.serve.podsecurity;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.json.GoText;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The profiles of the kernel's guards: AppArmor, SELinux and seccomp. */
final class ProfileChecks {

  private static final String CONTEXT = "securityContext";
  private static final String SECCOMP = "seccompProfile";
  private static final String APP_ARMOR = "appArmorProfile";
  private static final Set<String> PROFILE_TYPES = Set.of("RuntimeDefault", "Localhost");

  private static final String APP_ARMOR_ANNOTATION =
      "container.apparmor.security.beta.kubernetes.io/";
  private static final String SECCOMP_ANNOTATION = "seccomp.security.alpha.kubernetes.io/pod";
  private static final String SECCOMP_CONTAINER_ANNOTATION =
      "container.seccomp.security.alpha.kubernetes.io/";

  private ProfileChecks() {}

  /** Whether a profile is named, and is none of the allowed. */
  private static boolean isBad(JsonNode profile, Set<String> badTypes) {
    if (!profile.isObject()) {
      return false;
    }
    String type = Meta.text(profile.path("type"));
    boolean bad = !PROFILE_TYPES.contains(type);
    if (bad) {
      badTypes.add(type);
    }
    return bad;
  }

  /** The pod and the containers that name a bad profile. */
  private static List<String> setters(CheckedPod pod, String field, Set<String> badTypes) {
    return Wording.setters(
        isBad(pod.securityContext().path(field), badTypes),
        pod.containersThat(container -> isBad(container.path(CONTEXT).path(field), badTypes)));
  }

  // ---- AppArmor

  static @Nullable Violation appArmor(CheckedPod pod) {
    Set<String> types = new TreeSet<>();
    List<String> setters = setters(pod, APP_ARMOR, types);
    List<String> values = new ArrayList<>(types);
    Set<String> annotations = new TreeSet<>();
    pod.annotations()
        .forEachEntry(
            (key, value) -> {
              if (key.startsWith(APP_ARMOR_ANNOTATION) && !isAllowedAppArmor(Meta.text(value))) {
                annotations.add(key + "=" + GoText.quoted(Meta.text(value)));
              }
            });
    if (!annotations.isEmpty()) {
      values.addAll(annotations);
      setters.add(Wording.plural("annotation", "annotations", annotations));
    }
    return setters.isEmpty()
        ? null
        : new Violation(
            Wording.plural("forbidden AppArmor profile", "forbidden AppArmor profiles", values),
            "%s must not set AppArmor profile type to %s"
                .formatted(String.join(" and ", setters), Wording.quoted(values)));
  }

  private static boolean isAllowedAppArmor(String annotation) {
    return annotation.isEmpty()
        || annotation.equals("runtime/default")
        || annotation.startsWith("localhost/");
  }

  // ---- seccomp

  /** Before there was a field for it. */
  static @Nullable Violation seccompAnnotations(CheckedPod pod) {
    Set<String> forbidden = new TreeSet<>();
    addBadSeccomp(pod, SECCOMP_ANNOTATION, forbidden);
    for (JsonNode container : pod.containers()) {
      addBadSeccomp(
          pod, SECCOMP_CONTAINER_ANNOTATION + Meta.text(container.path("name")), forbidden);
    }
    return forbidden.isEmpty()
        ? null
        : new Violation(
            SECCOMP,
            "forbidden %s %s"
                .formatted(
                    Wording.plural("annotation", "annotations", forbidden),
                    String.join(", ", forbidden)));
  }

  private static void addBadSeccomp(CheckedPod pod, String key, Set<String> forbidden) {
    JsonNode value = pod.annotations().path(key);
    if (value.isString()) {
      String profile = value.stringValue();
      if (!profile.equals("runtime/default")
          && !profile.equals("docker/default")
          && !profile.startsWith("localhost/")) {
        forbidden.add(key + "=" + GoText.quoted(profile));
      }
    }
  }

  static @Nullable Violation seccomp(CheckedPod pod) {
    Set<String> types = new TreeSet<>();
    List<String> setters = setters(pod, SECCOMP, types);
    return setters.isEmpty()
        ? null
        : new Violation(
            SECCOMP,
            "%s must not set securityContext.seccompProfile.type to %s"
                .formatted(String.join(" and ", setters), Wording.quoted(types)));
  }

  /** The same, and it has to be set. */
  static @Nullable Violation seccompSet(CheckedPod pod) {
    Violation bad = seccomp(pod);
    if (bad != null || pod.securityContext().path(SECCOMP).isObject()) {
      return bad;
    }
    List<String> silent =
        pod.containersThat(container -> !container.path(CONTEXT).path(SECCOMP).isObject());
    return silent.isEmpty()
        ? null
        : new Violation(
            SECCOMP,
            "pod or "
                + Wording.containers(silent)
                + " must set securityContext.seccompProfile.type to \"RuntimeDefault\" or"
                + " \"Localhost\"");
  }

  // ---- SELinux

  static @Nullable Violation seLinux(CheckedPod pod, Set<String> allowedTypes) {
    var options = new SeLinuxOptions(allowedTypes);
    List<String> setters =
        Wording.setters(
            options.areBad(pod.securityContext()),
            pod.containersThat(container -> options.areBad(container.path(CONTEXT))));
    return setters.isEmpty()
        ? null
        : new Violation(
            "seLinuxOptions",
            "%s set forbidden securityContext.seLinuxOptions: %s"
                .formatted(String.join(" and ", setters), options.described()));
  }

  /** What was found wrong with options so far. */
  private static final class SeLinuxOptions {
    private final Set<String> allowedTypes;
    private final Set<String> badTypes = new TreeSet<>();
    private boolean hasUser;
    private boolean hasRole;

    SeLinuxOptions(Set<String> allowedTypes) {
      this.allowedTypes = allowedTypes;
    }

    boolean areBad(JsonNode securityContext) {
      JsonNode options = securityContext.path("seLinuxOptions");
      String type = Meta.text(options.path("type"));
      boolean typed = !type.isEmpty() && !allowedTypes.contains(type);
      if (typed) {
        badTypes.add(type);
      }
      boolean user = !Meta.text(options.path("user")).isEmpty();
      boolean role = !Meta.text(options.path("role")).isEmpty();
      hasUser |= user;
      hasRole |= role;
      return typed || user || role;
    }

    String described() {
      List<String> parts = new ArrayList<>();
      if (!badTypes.isEmpty()) {
        parts.add(Wording.plural("type", "types", badTypes) + " " + Wording.quoted(badTypes));
      }
      if (hasUser) {
        parts.add("user may not be set");
      }
      if (hasRole) {
        parts.add("role may not be set");
      }
      return String.join("; ", parts);
    }
  }
}
