package dev.evenkeel.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.store.Store;
import dev.evenkeel.store.TxnResult;
import dev.evenkeel.store.testkit.history.History;
import dev.evenkeel.store.testkit.history.HistoryChecker;
import dev.evenkeel.store.testkit.history.HistoryWorkload;
import dev.evenkeel.store.testkit.history.Outcome;
import dev.evenkeel.store.testkit.history.Violation;
import dev.evenkeel.store.testkit.history.WorkloadOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Clients and watchers use a store whose process is killed with SIGKILL again and again, in the
 * middle of their calls and while it opens, and is started again on the same folder. What all of
 * them were told, over all its lives, is one linearizable history with watches that keep their
 * promises.
 *
 * <p>{@code -Dkilled.history.seed.offset=N} tries other seeds than the usual ones.
 */
@Tag("slow")
final class KilledHistoryScenario {

  private static final long SEED_OFFSET = Long.getLong("killed.history.seed.offset", 0);

  /** How many transactions a life has to decide before it may end. */
  private static final int DECIDED_PER_LIFE_MIN = 20;

  private static final int WORK_MILLIS_MAX = 400;
  private static final long WORK_BOUND_SECONDS = 60;

  @ParameterizedTest
  @CsvSource({"1, SYNC, 12", "2, OS, 6"})
  void killedAgainAndAgain_historyHolds(long seed, Durability durability, int kills)
      throws Exception {
    var random = new SplittableRandom(seed + SEED_OFFSET);
    try (var folders = new TemporaryFolder();
        var lives = new Lives(folders.fresh(), durability)) {
      History history;
      try (var workload = HistoryWorkload.start(lives::current, endless(seed + SEED_OFFSET))) {
        for (int kill = 1; kill <= kills; kill++) {
          lives.awaitDecided(DECIDED_PER_LIFE_MIN);
          Thread.sleep(random.nextInt(WORK_MILLIS_MAX));
          lives.kill();
          if (random.nextInt(3) == 0) {
            lives.startAndKillWhileOpening(random);
          }
          lives.start();
        }
        lives.awaitDecided(DECIDED_PER_LIFE_MIN);
        workload.stop();
        history = workload.finish();
      }
      String summary =
          "seed %d, %s, %s; %s, %d changes by unanswered transactions"
              .formatted(
                  seed + SEED_OFFSET,
                  durability,
                  lives,
                  history.summary(),
                  changesByUnknown(history));
      assertThat(HistoryChecker.check(history)).as(summary).isEmpty();
      assertSaysSomething(history, lives, kills);
    }
  }

  /** How many of the transactions that were under way at a kill are in the store nevertheless. */
  private static long changesByUnknown(History history) {
    long told =
        history.calls().stream()
            .filter(
                call ->
                    call.outcome()
                            instanceof Outcome.Decided(TxnResult.Committed(long _, boolean changed))
                        && changed)
            .count();
    return history.changes().size() - told;
  }

  /** A history in which the kills met nobody would prove nothing. */
  private static void assertSaysSomething(History history, Lives lives, int kills) {
    assertThat(history.calls().stream().filter(call -> call.outcome() instanceof Outcome.Decided))
        .as("transactions decided")
        .hasSizeGreaterThan(kills * DECIDED_PER_LIFE_MIN);
    assertThat(history.calls())
        .as("some of them rejected")
        .anyMatch(
            call ->
                call.outcome() instanceof Outcome.Decided(TxnResult result)
                    && result instanceof TxnResult.Rejected);
    assertThat(history.calls().stream().filter(call -> call.outcome() instanceof Outcome.Unknown))
        .as("transactions under way when their store was killed")
        .hasSizeGreaterThanOrEqualTo(kills);
    assertThat(lives.watchesLost)
        .as("watches that waited when their store was killed, and were resumed")
        .isGreaterThanOrEqualTo(kills);
    // A watch does not outlive its store, so who goes on through all lives needs one for each.
    assertThat(history.readers())
        .as("watches of each watcher that delivered something")
        .allSatisfy(
            reader ->
                assertThat(reader.sessions())
                    .filteredOn(session -> !session.deliveries().isEmpty())
                    .hasSizeGreaterThan(kills));
  }

  /** The trial's own trial: a store that forgets what it has acknowledged is found out. */
  @Test
  void killedAndStartedOnAnOlderCopyOfItsFolder_isFoundOut() throws Exception {
    List<Violation> violations;
    try (var folders = new TemporaryFolder();
        var lives = new Lives(folders.fresh(), Durability.OS)) {
      try (var workload = HistoryWorkload.start(lives::current, endless(3))) {
        lives.awaitDecided(DECIDED_PER_LIFE_MIN);
        lives.kill();
        // The mark of what was acknowledged is copied too, or the store would refuse the copy.
        Path older = folders.copyOf(lives.folder);
        lives.start();
        lives.awaitDecided(200);
        lives.kill();
        lives.folder = older;
        lives.start();
        lives.awaitDecided(DECIDED_PER_LIFE_MIN);
        workload.stop();
        violations = HistoryChecker.check(workload.finish());
      }
    }
    List<Violation.Kind> kinds = violations.stream().map(Violation::kind).distinct().toList();
    assertThat(kinds)
        .as("new changes at revisions that were known")
        .contains(Violation.Kind.REVISION_WENT_BACK);
    assertThat(kinds)
        .as("acknowledged changes that are gone, or replaced by others")
        .containsAnyOf(
            Violation.Kind.LOST_WRITE, Violation.Kind.REVISION_REUSED, Violation.Kind.WRONG_CHANGE);
  }

  /** Clients that ask until they are stopped: while a store is away they use up many calls. */
  private static WorkloadOptions endless(long seed) {
    return WorkloadOptions.seed(seed).operationsPerClient(Integer.MAX_VALUE);
  }

  /**
   * The store's lives, one after the other.
   *
   * <p><b>Threading.</b> The test's thread; {@link #current} from any.
   */
  private static final class Lives implements AutoCloseable {

    private final Durability durability;
    private Path folder;
    private volatile HostedStore current;
    private long openingMillis;
    private int kills;
    private int killsWhileOpening;
    private int commitsLost;
    private int watchesLost;

    Lives(Path folder, Durability durability) throws InterruptedException, TimeoutException {
      this.folder = folder;
      this.durability = durability;
      this.current = opened();
    }

    /** The newest store; dead from its kill until the next is open. */
    Store current() {
      return current;
    }

    void start() throws InterruptedException, TimeoutException {
      current = opened();
    }

    private HostedStore opened() throws InterruptedException, TimeoutException {
      long from = System.nanoTime();
      HostedStore store = HostedStore.start(folder, durability);
      try {
        store.awaitOpen();
      } catch (Throwable e) {
        store.kill();
        throw e;
      }
      openingMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - from);
      return store;
    }

    void awaitDecided(int transactions) throws InterruptedException {
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(WORK_BOUND_SECONDS);
      while (current.commitsDecided() < transactions) {
        if (System.nanoTime() > deadline) {
          throw new IllegalStateException("the clients do not come on: " + this);
        }
        Thread.sleep(5);
      }
    }

    void kill() throws InterruptedException {
      current.kill();
      kills++;
      commitsLost += current.commitsLost();
      watchesLost += current.watchesLost();
    }

    /** Nobody uses it yet: this is about what half an opening leaves in the folder. */
    void startAndKillWhileOpening(SplittableRandom random) throws InterruptedException {
      HostedStore store = HostedStore.start(folder, durability);
      try {
        Thread.sleep(random.nextLong(openingMillis + 1));
      } finally {
        store.kill();
      }
      killsWhileOpening++;
    }

    @Override
    public void close() {
      current.close();
    }

    @Override
    public String toString() {
      return "%d kills and %d while opening, which took %d ms; %d commits and %d watches cut off"
          .formatted(kills, killsWhileOpening, openingMillis, commitsLost, watchesLost);
    }
  }
}
