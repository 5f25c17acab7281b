package dev.evenkeel.decide.run;

import java.util.random.RandomGenerator;

/**
 * Draws the names of objects that have only the beginning of one, as servers do. Drawn here, a name
 * is known before it is sent: what became of a create can be asked for whatever happens to the
 * answer, and a second attempt under the same name makes no second object.
 *
 * <p><b>Threading:</b> its owner's.
 */
final class DrawnNames {

  /** So many names are tried that others have already. */
  static final int DRAWS_MAX = 8;

  /** Without vowels, and without what looks alike: no name spells a word. */
  private static final String LETTERS = "bcdfghjklmnpqrstvwxz2456789";

  private static final int DRAWN_CHARS = 5;
  private static final int NAME_CHARS_MAX = 63;

  private final RandomGenerator random;

  DrawnNames(RandomGenerator random) {
    this.random = random;
  }

  String from(String base) {
    var name = new StringBuilder(NAME_CHARS_MAX);
    name.append(base, 0, Math.min(base.length(), NAME_CHARS_MAX - DRAWN_CHARS));
    for (int i = 0; i < DRAWN_CHARS; i++) {
      name.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
    }
    return name.toString();
  }
}
