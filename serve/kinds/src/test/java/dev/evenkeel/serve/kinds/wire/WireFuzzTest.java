package dev.evenkeel.serve.kinds.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.json.JsonException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Damaged bodies become an object or an error, never anything else, and soon. */
class WireFuzzTest {

  private static final int ROUNDS = 400;
  private static final long SEED = 20_251;
  private static final Duration TIME_MAX = Duration.ofSeconds(60);

  @Test
  void decode_ofDamagedBodies_makesATreeOrSaysWhy() {
    Assertions.assertTimeout(
        TIME_MAX,
        () -> {
          int trees = 0;
          int refusals = 0;
          List<Gvk> kinds = Samples.kinds();
          for (int round = 0; round < ROUNDS; round++) {
            var random = new SplittableRandom(SEED + round);
            Gvk gvk = kinds.get(random.nextInt(kinds.size()));
            byte[] body = WireCodec.encode(new Samples(SEED + round).full(gvk));
            for (int i = 0; i < 20; i++) {
              byte[] damaged = damaged(body, random);
              try {
                ObjectNode tree = WireCodec.decode(damaged, gvk);
                // What is taken in can be stored and read again.
                assertThat(Json.parse(Json.encode(tree))).as("round %s", round).isEqualTo(tree);
                trees++;
              } catch (JsonException e) {
                assertThat(e).hasMessageMatching("(?s).+");
                refusals++;
              }
            }
          }
          assertThat(trees).isPositive();
          assertThat(refusals).isPositive();
        });
  }

  @Test
  void encode_ofDamagedJson_makesBytesOrSaysWhy() {
    Assertions.assertTimeout(
        TIME_MAX,
        () -> {
          List<Gvk> kinds = Samples.kinds();
          for (int round = 0; round < ROUNDS; round++) {
            var random = new SplittableRandom(SEED + round);
            Gvk gvk = kinds.get(random.nextInt(kinds.size()));
            WireKind kind = Objects.requireNonNull(WireCodec.kind(gvk));
            byte[] json = Json.encode(new Samples(SEED + round).full(gvk));
            for (int i = 0; i < 20; i++) {
              try {
                assertThat(kind.encode(damaged(json, random))).isNotEmpty();
              } catch (JsonException e) {
                assertThat(e).hasMessageMatching("(?s).+");
              }
            }
          }
        });
  }

  private static byte[] damaged(byte[] body, SplittableRandom random) {
    byte[] bytes = body.clone();
    for (int strikes = random.nextInt(1, 5); strikes > 0; strikes--) {
      // The envelope is small: most strikes would miss it if the place were chosen evenly.
      int at = random.nextInt(random.nextInt(4) == 0 ? Math.min(40, bytes.length) : bytes.length);
      switch (random.nextInt(6)) {
        case 0 -> bytes[at] = (byte) random.nextInt(256);
        case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        case 2 -> bytes[at] = (byte) 0xff;
        case 3 -> bytes = Arrays.copyOf(bytes, Math.max(5, at));
        case 4 -> {
          int length = Math.min(random.nextInt(1, 30), bytes.length - at);
          System.arraycopy(
              body,
              random.nextInt(Math.max(1, body.length - length)),
              bytes,
              at,
              Math.min(length, body.length));
        }
        default -> {
          byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
          System.arraycopy(bytes, at, longer, at + 1, bytes.length - at);
          longer[at] = (byte) random.nextInt(256);
          bytes = longer;
        }
      }
    }
    return bytes;
  }
}
