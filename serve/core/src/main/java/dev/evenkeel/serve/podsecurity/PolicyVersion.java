package dev.evenkeel.serve.podsecurity;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Of which minor version of Kubernetes the checks are to be.
 *
 * @param minor the x of v1.x
 */
public record PolicyVersion(long minor) {

  /** Whatever this server has newest. */
  public static final PolicyVersion LATEST = new PolicyVersion(-1);

  private static final String LATEST_WORD = "latest";
  private static final Pattern NUMBERED = Pattern.compile("v1\\.(0|[1-9][0-9]{0,17})");

  /** The version that a label names, null if it names none. */
  static @Nullable PolicyVersion of(String label) {
    if (label.equals(LATEST_WORD)) {
      return LATEST;
    }
    var match = NUMBERED.matcher(label);
    return match.matches() ? new PolicyVersion(Long.parseLong(match.group(1))) : null;
  }

  @Override
  public String toString() {
    return minor < 0 ? LATEST_WORD : "v1." + minor;
  }
}
