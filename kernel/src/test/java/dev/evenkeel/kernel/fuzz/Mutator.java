package dev.evenkeel.kernel.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Changes inputs at random: bytes, pieces, and signs that mean something to somebody. */
final class Mutator {

  private static final int SCRIPT_BYTES_MAX = 250;

  private static final List<byte[]> SIGNS =
      List.of(
              "{",
              "}",
              "[",
              "]",
              ":",
              ",",
              "\"",
              "\\",
              "\\u",
              "\\ud800",
              "\\udc00",
              "null",
              "true",
              "-",
              "0",
              "1e9",
              "9".repeat(20),
              ".",
              " ",
              "\n",
              "\t",
              "\r\n",
              "- ",
              "? ",
              "&a ",
              "*a",
              "!!str ",
              "|",
              ">",
              "#",
              "%",
              "---",
              "...",
              "<<",
              "'",
              "=",
              "==",
              "!=",
              "!",
              "in",
              "notin",
              "(",
              ")",
              "/",
              "~",
              "\u00e4",
              "\ud834\udd1e",
              "\ufeff",
              "\u0085",
              "\u2028",
              "\0",
              "<",
              "@",
              "`")
          .stream()
          .map(sign -> sign.getBytes(StandardCharsets.UTF_8))
          .toList();

  private final SplittableRandom random;

  Mutator(SplittableRandom random) {
    this.random = random;
  }

  /** One to eight changes. */
  byte[] mutated(byte[] seed, List<byte[]> others) {
    byte[] bytes = seed;
    for (int i = random.nextInt(8); i >= 0; i--) {
      int from = random.nextInt(bytes.length + 1);
      int to = Math.min(bytes.length, from + random.nextInt(1 + random.nextInt(16)));
      bytes =
          switch (random.nextInt(6)) {
            case 0 -> spliced(bytes, from, to, new byte[0]);
            case 1 -> spliced(bytes, from, from, sign());
            case 2 -> spliced(bytes, from, to, sign());
            case 3 -> spliced(bytes, from, to, new byte[] {(byte) random.nextInt(256)});
            case 4 -> spliced(bytes, from, from, Arrays.copyOfRange(bytes, from, to));
            default -> spliced(bytes, from, to, piece(others.get(random.nextInt(others.size()))));
          };
    }
    return bytes;
  }

  /** For targets that take every byte for a choice. */
  byte[] script() {
    byte[] script = new byte[random.nextInt(SCRIPT_BYTES_MAX)];
    random.nextBytes(script);
    return script;
  }

  private byte[] sign() {
    return SIGNS.get(random.nextInt(SIGNS.size()));
  }

  private byte[] piece(byte[] bytes) {
    int from = random.nextInt(bytes.length + 1);
    return Arrays.copyOfRange(bytes, from, from + random.nextInt(bytes.length - from + 1));
  }

  private static byte[] spliced(byte[] bytes, int from, int to, byte[] middle) {
    var result = new ByteArrayOutputStream(bytes.length + middle.length);
    result.write(bytes, 0, from);
    result.writeBytes(middle);
    result.write(bytes, to, bytes.length - to);
    return result.toByteArray();
  }
}
