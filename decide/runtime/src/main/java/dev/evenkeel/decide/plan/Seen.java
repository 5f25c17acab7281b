package dev.evenkeel.decide.plan;

/** Preconditions in words. */
final class Seen {

  private Seen() {}

  static String conditions(String uid, long version) {
    String first = uid.isEmpty() ? "" : "uid " + uid;
    return version == 0 ? first : first + (first.isEmpty() ? "" : ", ") + "version " + version;
  }
}
