package dev.evenkeel.serve.cel.notation;

import dev.evenkeel.serve.cel.value.EvaluationError;
import dev.evenkeel.serve.cel.value.Opaque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A semantic version. What follows the plus sign does not count. */
public final class Semver implements Opaque, Comparable<Semver> {

  private final String text;
  private final long major;
  private final long minor;
  private final long patch;
  private final List<String> preRelease;

  private Semver(String text, long major, long minor, long patch, List<String> preRelease) {
    this.text = text;
    this.major = major;
    this.minor = minor;
    this.patch = patch;
    this.preRelease = preRelease;
  }

  /**
   * @throws EvaluationError if it is none
   */
  public static Semver of(String text) {
    if (text.isEmpty()) {
      throw new EvaluationError("Version string empty");
    }
    String[] parts = text.split("\\.", 3);
    if (parts.length != 3) {
      throw new EvaluationError("No Major.Minor.Patch elements found");
    }
    int plus = parts[2].indexOf('+');
    String patchAndPre = plus < 0 ? parts[2] : parts[2].substring(0, plus);
    if (plus >= 0) {
      for (String build : parts[2].substring(plus + 1).split("\\.", -1)) {
        checkCharacters(build, "Build meta data");
      }
    }
    int dash = patchAndPre.indexOf('-');
    List<String> pre =
        dash < 0 ? List.of() : List.of(patchAndPre.substring(dash + 1).split("\\.", -1));
    for (String part : pre) {
      checkCharacters(part, "Prerelease");
      if (isNumber(part) && hasLeadingZero(part)) {
        throw new EvaluationError(
            "Numeric PreRelease version must not contain leading zeroes \"" + part + "\"");
      }
    }
    return new Semver(
        text,
        number(parts[0], "Major", "major"),
        number(parts[1], "Minor", "minor"),
        number(dash < 0 ? patchAndPre : patchAndPre.substring(0, dash), "Patch", "patch"),
        pre);
  }

  /** With a leading v, missing parts and leading zeros put right first. */
  public static Semver tolerant(String given) {
    String[] parts = (given.startsWith("v") ? given.substring(1) : given).split("\\.", 3);
    for (int i = 0; i < parts.length; i++) {
      int zeros = 0;
      while (zeros < parts[i].length() && parts[i].charAt(zeros) == '0') {
        zeros++;
      }
      if (parts[i].length() > 1) {
        String rest = parts[i].substring(zeros);
        boolean digit = !rest.isEmpty() && rest.charAt(0) >= '0' && rest.charAt(0) <= '9';
        parts[i] = digit ? rest : "0" + rest;
      }
    }
    String last = parts[parts.length - 1];
    if (parts.length < 3 && (last.indexOf('+') >= 0 || last.indexOf('-') >= 0)) {
      throw new EvaluationError("short version cannot contain PreRelease/Build meta data");
    }
    return of(String.join(".", parts) + ".0".repeat(3 - parts.length));
  }

  private static boolean isNumber(String text) {
    return !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  private static boolean hasLeadingZero(String text) {
    return text.length() > 1 && text.charAt(0) == '0';
  }

  private static long number(String text, String name, String lower) {
    if (!isNumber(text) || text.length() > 18) {
      throw new EvaluationError(
          "Invalid character(s) found in " + lower + " number \"" + text + "\"");
    }
    if (hasLeadingZero(text)) {
      throw new EvaluationError(name + " number must not contain leading zeroes \"" + text + "\"");
    }
    return Long.parseLong(text);
  }

  private static void checkCharacters(String part, String what) {
    if (part.isEmpty()) {
      throw new EvaluationError(what + " is empty");
    }
    if (!part.chars()
        .allMatch(
            c ->
                c == '-'
                    || (c >= '0' && c <= '9')
                    || (c >= 'a' && c <= 'z')
                    || (c >= 'A' && c <= 'Z'))) {
      throw new EvaluationError(
          "Invalid character(s) found in "
              + what.toLowerCase(java.util.Locale.ROOT)
              + " \""
              + part
              + "\"");
    }
  }

  public long major() {
    return major;
  }

  public long minor() {
    return minor;
  }

  public long patch() {
    return patch;
  }

  @Override
  public int compareTo(Semver other) {
    int order = Long.compare(major, other.major);
    order = order != 0 ? order : Long.compare(minor, other.minor);
    order = order != 0 ? order : Long.compare(patch, other.patch);
    if (order != 0) {
      return order;
    }
    if (preRelease.isEmpty() || other.preRelease.isEmpty()) {
      return Boolean.compare(preRelease.isEmpty(), other.preRelease.isEmpty());
    }
    for (int i = 0; i < Math.min(preRelease.size(), other.preRelease.size()); i++) {
      order = compare(preRelease.get(i), other.preRelease.get(i));
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(preRelease.size(), other.preRelease.size());
  }

  private static int compare(String first, String second) {
    boolean number = isNumber(first);
    if (number != isNumber(second)) {
      return number ? -1 : 1;
    }
    if (number && first.length() != second.length()) {
      return Integer.compare(first.length(), second.length());
    }
    return Integer.signum(first.compareTo(second));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Semver version && compareTo(version) == 0;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(major * 31 + minor) * 31 + Long.hashCode(patch) + preRelease.hashCode();
  }

  @Override
  public String typeName() {
    return "kubernetes.Semver";
  }

  @Override
  public String toString() {
    return text;
  }
}
