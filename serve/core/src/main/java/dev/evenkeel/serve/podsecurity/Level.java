package dev.evenkeel.serve.podsecurity;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How much a pod may do. Each level allows less than the one before it. */
public enum Level {
  /** Anything. */
  PRIVILEGED,
  /** What pods usually do, without known ways to more. */
  BASELINE,
  /** What well-built pods need, and no more. */
  RESTRICTED;

  private final String word = name().toLowerCase(Locale.ROOT);

  /** The level that a label names, null if it names none. */
  static @Nullable Level of(String label) {
    for (Level level : values()) {
      if (level.word.equals(label)) {
        return level;
      }
    }
    return null;
  }

  public boolean isStricterThan(Level other) {
    return compareTo(other) > 0;
  }

  /** As labels have it. */
  public String word() {
    return word;
  }
}
