package dev.evenkeel.serve.podsecurity;

import dev.evenkeel.kernel.json.GoText;
import dev.evenkeel.kernel.schema.FieldError;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a namespace's labels say about its pods.
 *
 * @param enforce what refuses pods
 * @param audit what is told to the audit log
 * @param warn what the client is warned of
 * @param errors labels that say nothing that can be understood. For these {@code enforce} is at its
 *     strictest, the others at their mildest
 */
public record NamespacePolicy(
    LevelVersion enforce, LevelVersion audit, LevelVersion warn, List<FieldError> errors) {

  /** Begins the labels, and the keys of audit annotations. */
  public static final String PREFIX = "pod-security.kubernetes.io/";

  /** Without any label. */
  public static final NamespacePolicy NONE =
      new NamespacePolicy(
          LevelVersion.PRIVILEGED, LevelVersion.PRIVILEGED, LevelVersion.PRIVILEGED, List.of());

  private static final String ENFORCE = PREFIX + "enforce";
  private static final String ENFORCE_VERSION = PREFIX + "enforce-version";
  private static final String AUDIT = PREFIX + "audit";
  private static final String AUDIT_VERSION = PREFIX + "audit-version";
  private static final String WARN = PREFIX + "warn";
  private static final String WARN_VERSION = PREFIX + "warn-version";

  public NamespacePolicy {
    errors = List.copyOf(errors);
  }

  /** Costs six look-ups for a namespace without such labels. */
  public static NamespacePolicy of(Map<String, String> labels) {
    String enforce = labels.get(ENFORCE);
    String enforceVersion = labels.get(ENFORCE_VERSION);
    String audit = labels.get(AUDIT);
    String auditVersion = labels.get(AUDIT_VERSION);
    String warn = labels.get(WARN);
    String warnVersion = labels.get(WARN_VERSION);
    if (enforce == null
        && enforceVersion == null
        && audit == null
        && auditVersion == null
        && warn == null
        && warnVersion == null) {
      return NONE;
    }
    List<FieldError> errors = new ArrayList<>();
    var enforced =
        new LevelVersion(
            level(ENFORCE, enforce, Level.RESTRICTED, errors),
            version(ENFORCE_VERSION, enforceVersion, errors));
    // Who does not understand what is enforced need not be warned of it.
    boolean enforces = enforce != null && errors.stream().noneMatch(e -> isAbout(e, ENFORCE));
    var audited =
        new LevelVersion(
            level(AUDIT, audit, Level.PRIVILEGED, errors),
            version(AUDIT_VERSION, auditVersion, errors));
    Level warnLevel = level(WARN, warn, Level.PRIVILEGED, errors);
    PolicyVersion warnOf = version(WARN_VERSION, warnVersion, errors);
    if (warn == null && enforces && enforced.level().isStricterThan(warnLevel)) {
      warnLevel = enforced.level();
      warnOf = warnVersion == null ? enforced.version() : warnOf;
    }
    return new NamespacePolicy(enforced, audited, new LevelVersion(warnLevel, warnOf), errors);
  }

  private static Level level(
      String label, @Nullable String value, Level otherwise, List<FieldError> errors) {
    if (value == null) {
      return Level.PRIVILEGED;
    }
    Level level = Level.of(value);
    if (level == null) {
      errors.add(invalid(label, value, "must be one of privileged, baseline, restricted"));
      return otherwise;
    }
    return level;
  }

  private static PolicyVersion version(
      String label, @Nullable String value, List<FieldError> errors) {
    if (value == null) {
      return PolicyVersion.LATEST;
    }
    PolicyVersion version = PolicyVersion.of(value);
    if (version == null) {
      errors.add(invalid(label, value, "must be \"latest\" or \"v1.x\""));
      return PolicyVersion.LATEST;
    }
    return version;
  }

  private static String field(String label) {
    return "metadata.labels[" + label + "]";
  }

  private static boolean isAbout(FieldError error, String label) {
    return error.field().equals(field(label));
  }

  private static FieldError invalid(String label, String value, String why) {
    return new FieldError(
        FieldError.Reason.INVALID,
        field(label),
        "Invalid value: " + GoText.quoted(value) + ": " + why);
  }

  /** Whether pods may do anything, and nobody is told. */
  public boolean isSilent() {
    return enforce.isPrivileged() && isSilentOnTemplates();
  }

  /** The same for what makes pods, to which nothing is enforced. */
  public boolean isSilentOnTemplates() {
    return audit.isPrivileged() && warn.isPrivileged() && errors.isEmpty();
  }

  /**
   * What is wrong with these labels, unless just that was wrong with those before: such a namespace
   * can still be changed in other ways.
   */
  public List<FieldError> errorsUnlessIn(NamespacePolicy before) {
    return errors.equals(before.errors) ? List.of() : errors;
  }

  /** Whether pods that were let in under the other policy may violate what this one enforces. */
  public boolean mayCatchPodsOf(NamespacePolicy other) {
    return !enforce.isPrivileged()
        && (enforce.level().isStricterThan(other.enforce.level())
            || !enforce.version().equals(other.enforce.version()));
  }
}
