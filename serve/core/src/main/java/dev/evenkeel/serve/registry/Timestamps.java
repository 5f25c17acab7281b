package dev.evenkeel.serve.registry;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Times as the API writes them. */
final class Timestamps {

  private Timestamps() {}

  /** RFC 3339 with whole seconds. */
  static String seconds(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
