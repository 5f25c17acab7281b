package dev.evenkeel.serve.object;

import dev.evenkeel.kernel.env.Env;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** Makes uids and the random ends of generated names, from the environment's chance. */
public final class Uids {

  /** Without vowels, and without what looks alike: no generated name spells a word. */
  private static final String LETTERS = "bcdfghjklmnpqrstvwxz2456789";

  private static final int SUFFIX_CHARS = 5;
  private static final int NAME_CHARS_MAX = 63;

  private final RandomGenerator random;

  public Uids(Env env) {
    this.random = env.random();
  }

  public synchronized String uid() {
    long high = (random.nextLong() & 0xffff_ffff_ffff_0fffL) | 0x4000L;
    long low = (random.nextLong() & 0x3fff_ffff_ffff_ffffL) | 0x8000_0000_0000_0000L;
    return new UUID(high, low).toString();
  }

  synchronized String nameFrom(String base) {
    var name = new StringBuilder();
    int baseChars = Math.min(base.length(), NAME_CHARS_MAX - SUFFIX_CHARS);
    name.append(base, 0, baseChars);
    for (int i = 0; i < SUFFIX_CHARS; i++) {
      name.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
    }
    return name.toString();
  }
}
