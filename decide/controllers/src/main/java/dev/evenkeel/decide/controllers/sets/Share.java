package dev.evenkeel.decide.controllers.sets;

import dev.evenkeel.kernel.api.Meta;
import tools.jackson.databind.JsonNode;

/** A number of pods, or a percentage of all. */
final class Share {

  private Share() {}

  /** How many that is; 0 for what is neither. */
  static int of(JsonNode share, int total, boolean roundUp) {
    if (!share.isString()) {
      return Math.max(0, share.asInt(0));
    }
    String text = Meta.text(share);
    if (!text.endsWith("%")) {
      return 0;
    }
    try {
      long percent = Integer.parseInt(text.substring(0, text.length() - 1));
      long hundredfold = Math.max(0, percent) * total;
      return Math.toIntExact((roundUp ? hundredfold + 99 : hundredfold) / 100);
    } catch (NumberFormatException | ArithmeticException e) {
      return 0;
    }
  }
}
