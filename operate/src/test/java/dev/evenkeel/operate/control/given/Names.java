package dev.evenkeel.operate.control.given;

/** What a provider needs from another jar. */
public final class Names {

  private Names() {}

  static String looking() {
    return "looking";
  }
}
