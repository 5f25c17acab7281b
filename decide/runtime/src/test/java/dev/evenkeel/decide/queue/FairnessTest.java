package dev.evenkeel.decide.queue;

import static dev.evenkeel.decide.queue.QueueUnderTest.SETTLED;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** How long a key can be passed over: the bounds that {@link ReadyOrder} states. */
class FairnessTest {

  private static final int AGED_EVERY = QueueLimits.DEFAULTS.agedEvery();

  private static final List<Priority> ANY = List.of(Priority.values());

  private final QueueUnderTest test = new QueueUnderTest();

  /** Takes until the key comes, while others are added all the time; answers how many takes. */
  private int takesUntil(String key, Runnable meanwhile) {
    for (int takes = 1; takes <= 1_000_000; takes++) {
      meanwhile.run();
      Item item = test.take();
      test.queue.done(item, SETTLED);
      if (item.key().equals(QueueUnderTest.key(key))) {
        return takes;
      }
    }
    throw new AssertionError(key + " is starved");
  }

  @Test
  void resync_isNotStarvedByAFloodOfHighInItsNamespace() {
    for (int i = 0; i < 10_000; i++) {
      test.add("a/flood" + i, Priority.HIGH);
    }
    // Settled once, so that the flood is younger than the key.
    test.takeAll();
    test.add("a/quiet", Priority.RESYNC);
    for (int i = 0; i < 10_000; i++) {
      test.add("a/flood" + i, Priority.HIGH);
    }
    var more = new int[1];
    assertThat(takesUntil("a/quiet", () -> test.add("a/more" + more[0]++, Priority.HIGH)))
        .isLessThanOrEqualTo(AGED_EVERY);
  }

  @Test
  void resync_isNotStarvedByAFloodOfHighInOtherNamespaces() {
    int namespaces = 20;
    for (int i = 0; i < 20_000; i++) {
      test.add("ns" + i % namespaces + "/flood" + i, Priority.HIGH);
    }
    test.add("quiet/key", Priority.RESYNC);
    var more = new int[1];
    assertThat(
            takesUntil(
                "quiet/key",
                () -> {
                  test.add("ns" + more[0] % namespaces + "/more" + more[0], Priority.HIGH);
                  more[0]++;
                }))
        .isLessThanOrEqualTo(AGED_EVERY * (namespaces + 1));
  }

  @Test
  void high_goesFirstButForTheShareOfAge() {
    for (int i = 0; i < 1000; i++) {
      test.add("a/low" + i, Priority.LOW);
    }
    for (int i = 0; i < 1000; i++) {
      test.add("a/high" + i, Priority.HIGH);
    }
    int high = 0;
    for (int i = 0; i < 800; i++) {
      Item item = test.take();
      high += item.priority() == Priority.HIGH ? 1 : 0;
      test.queue.done(item, SETTLED);
    }
    assertThat(high).isEqualTo(800 * (AGED_EVERY - 1) / AGED_EVERY);
  }

  @Test
  void firstKeyOfANamespace_doesNotWaitForAnothersHundredThousand() {
    for (int i = 0; i < 100_000; i++) {
      test.add("big/key" + i);
    }
    for (int i = 0; i < 5; i++) {
      test.queue.done(test.take(), SETTLED);
    }
    test.add("small/key");
    assertThat(takesUntil("small/key", () -> {})).isLessThanOrEqualTo(3);
  }

  @Test
  void raise_keepsTheAge() {
    for (int i = 0; i < 100; i++) {
      test.add("a/high" + i, Priority.HIGH);
    }
    test.takeAll();
    test.add("a/key", Priority.LOW);
    for (int i = 0; i < 1000; i++) {
      test.add("a/high" + i, Priority.HIGH);
    }
    test.add("a/key", Priority.HIGH);
    assertThat(takesUntil("a/key", () -> {})).isLessThanOrEqualTo(AGED_EVERY);
  }

  /**
   * The first bound, against adversaries: any keys, any priorities, any namespaces, all the time.
   */
  @Test
  void anyKey_isTakenWithinTheBound() {
    for (long seed = 0; seed < 300; seed++) {
      var random = new SplittableRandom(seed);
      var fresh = new QueueUnderTest();
      int namespaces = 1 + random.nextInt(6);
      int older = random.nextInt(8);
      for (int i = 0; i < older; i++) {
        fresh.add("own/older" + i, priority(random));
      }
      int warm = random.nextInt(50);
      for (int i = 0; i < warm; i++) {
        fresh.add("ns" + random.nextInt(namespaces) + "/warm" + i, priority(random));
      }
      fresh.add("own/key", Priority.RESYNC);
      int bound = AGED_EVERY * (namespaces + 1) * (older + 1);
      int takes = 0;
      while (true) {
        for (int i = random.nextInt(4); i >= 0; i--) {
          String namespace = random.nextInt(3) == 0 ? "own" : "ns" + random.nextInt(namespaces);
          fresh.add(namespace + "/flood" + random.nextInt(10_000), Priority.HIGH);
        }
        Item item = fresh.take();
        fresh.queue.done(item, SETTLED);
        takes++;
        assertThat(takes).as("seed %d", seed).isLessThanOrEqualTo(bound);
        if (item.key().equals(QueueUnderTest.key("own/key"))) {
          break;
        }
      }
    }
  }

  private static Priority priority(SplittableRandom random) {
    return ANY.get(random.nextInt(ANY.size()));
  }
}
