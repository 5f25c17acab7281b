package dev.evenkeel.serve.kinds.tables;

import java.time.Instant;
import tools.jackson.databind.JsonNode;

/** How long ago a time was, as tables show it. */
public final class Ages {

  private Ages() {}

  /** {@code 5m10s}; {@code <unknown>} for what is no time. */
  public static String of(JsonNode time, Instant now) {
    return Cells.since(Cells.instant(time), now);
  }
}
