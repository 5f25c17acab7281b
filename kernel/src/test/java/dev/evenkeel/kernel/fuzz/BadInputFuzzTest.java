package dev.evenkeel.kernel.fuzz;

import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Runs every {@link FuzzTarget} on its seeds and on a fixed number of inputs made from them.
 *
 * <p>The same inputs each time, so that a build fails only for what was changed in it. For others,
 * and for more:
 *
 * <pre>{@code
 * mvn -pl kernel test -Dtest=BadInputFuzzTest -Dfuzz.runs=1000000 -Dfuzz.seed=7
 * }</pre>
 *
 * <p>A failure names the input; {@link JazzerIT} looks for inputs that reach new code.
 */
class BadInputFuzzTest {

  private static final int RUNS = Integer.getInteger("fuzz.runs", 3_000);
  private static final long SEED = Long.getLong("fuzz.seed", 1);

  @ParameterizedTest
  @EnumSource
  void target_holdsForItsSeeds(FuzzTarget target) {
    Seeds.of(target).forEach(seed -> run(target, seed));
  }

  @ParameterizedTest
  @EnumSource
  void target_holdsForWhatIsMadeFromThem(FuzzTarget target) {
    var random = new SplittableRandom(SEED);
    var mutator = new Mutator(random);
    List<byte[]> seeds = Seeds.of(target);
    boolean text = seeds.getFirst().length > 0;
    for (int i = 0; i < RUNS; i++) {
      byte[] seed = seeds.get(random.nextInt(seeds.size()));
      run(target, text ? mutator.mutated(seed, seeds) : mutator.script());
    }
  }

  private static void run(FuzzTarget target, byte[] input) {
    try {
      target.run(input);
    } catch (Throwable e) {
      throw new AssertionError(target + " fails for " + HexFormat.of().formatHex(input), e);
    }
  }
}
