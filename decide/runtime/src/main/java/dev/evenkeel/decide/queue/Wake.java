package dev.evenkeel.decide.queue;

import java.util.Objects;

/**
 * Why a key is in the queue: shown to people and kept in decision records.
 *
 * @param text short, for example {@code pod/web-1 became ready}; may be empty
 */
public record Wake(Kind kind, String text) {

  /** What is longer is cut: an error's text can be a page, and a queue holds many. */
  public static final int TEXT_CHARS_MAX = 200;

  /** What woke it. */
  public enum Kind {
    /** The object itself changed. */
    OBJECT,
    /** Something that belongs to the object changed. */
    OWNED,
    /** Something that the object refers to changed. */
    REFERRED,
    /** The last attempt failed. */
    RETRY,
    /** The last look asked for another one. */
    TIMER,
    /** A look just in case. */
    RESYNC,
    /** This process became the one in charge. */
    LEASE
  }

  public Wake {
    Objects.requireNonNull(kind, "kind");
    if (text.length() > TEXT_CHARS_MAX) {
      text = text.substring(0, TEXT_CHARS_MAX - 1) + "…";
    }
  }
}
