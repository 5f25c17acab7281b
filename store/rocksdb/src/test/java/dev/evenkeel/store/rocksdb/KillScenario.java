package dev.evenkeel.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.RealEnv;
import dev.evenkeel.store.Event;
import dev.evenkeel.store.KeyValue;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.StoreStats;
import dev.evenkeel.store.Txn;
import dev.evenkeel.store.Watch;
import dev.evenkeel.store.WatchBatch;
import dev.evenkeel.store.WatchQuery;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A process that writes is killed with SIGKILL, a hundred times in a row on the same folder. After
 * each kill: what it was told is there, what it was not told is there whole or not at all, and
 * revisions go on.
 */
@Tag("slow")
final class KillScenario {

  private static final int KILLS = 100;

  /** What a victim said before it died. */
  private record Testimony(
      Map<Integer, Long> begun, Map<Integer, Long> acked, List<Acked> answers, long lastRevision) {}

  private record Acked(int writer, long number, long revision) {}

  @Test
  void killedAHundredTimes_losesNothingAndHalvesNothing() throws Exception {
    var random = new SplittableRandom(20260101);
    long answers = 0;
    long revision = Store.FIRST_REVISION;
    try (var folders = new TemporaryFolder()) {
      Path folder = folders.fresh();
      for (int kill = 1; kill <= KILLS; kill++) {
        Testimony testimony = runAndKill(folder, kill, 5 + random.nextInt(150));
        revision = examine(folder, testimony, revision);
        answers += testimony.answers.size();
      }
    }
    assertThat(answers).as("acknowledged writes over all runs").isGreaterThan(KILLS);
  }

  private static Testimony runAndKill(Path folder, int kill, int afterMillis) throws Exception {
    Process victim = ChildJvm.start(KillVictim.class, folder.toString(), Integer.toString(kill));
    try (var said =
        new BufferedReader(
            new InputStreamReader(victim.getInputStream(), StandardCharsets.US_ASCII))) {
      assertThat(said.readLine()).as("the victim's first word").isEqualTo("open");
      var lines = new ArrayList<String>();
      var killer =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      Thread.sleep(afterMillis);
                    } catch (InterruptedException e) {
                      Thread.currentThread().interrupt();
                    }
                    // Through its handle: the process object would close what the victim still
                    // says.
                    victim.toHandle().destroyForcibly();
                  });
      for (String line = said.readLine(); line != null; line = said.readLine()) {
        lines.add(line);
      }
      killer.join();
      assertThat(victim.waitFor(30, TimeUnit.SECONDS)).isTrue();
      return testimony(lines);
    } finally {
      victim.destroyForcibly();
    }
  }

  private static Testimony testimony(List<String> lines) {
    var begun = new HashMap<Integer, Long>();
    var acked = new HashMap<Integer, Long>();
    var answers = new ArrayList<Acked>();
    long lastRevision = 0;
    for (String line : lines) {
      String[] words = line.split(" ", -1);
      if (words[0].equals("begin") && words.length == 3) {
        begun.put(Integer.parseInt(words[1]), Long.parseLong(words[2]));
      } else if (words[0].equals("acked") && words.length == 4) {
        var answer =
            new Acked(
                Integer.parseInt(words[1]), Long.parseLong(words[2]), Long.parseLong(words[3]));
        acked.put(answer.writer, answer.number);
        answers.add(answer);
        lastRevision = Math.max(lastRevision, answer.revision);
      }
    }
    return new Testimony(begun, acked, answers, lastRevision);
  }

  /** Opens what the victim left, compares it with what it said, and returns the revision. */
  private static long examine(Path folder, Testimony testimony, long revisionBefore)
      throws IOException {
    try (Store store = EmbeddedStore.open(new RealEnv(), EmbeddedOptions.in(folder))) {
      StoreStats stats = store.stats().join();
      assertThat(stats.revision())
          .as("the revision after the kill")
          .isGreaterThanOrEqualTo(Math.max(revisionBefore, testimony.lastRevision));
      for (int writer = 0; writer < KillVictim.WRITERS; writer++) {
        KeyValue left = store.get(KillVictim.key(writer, "left"), Store.NEWEST).join().item();
        KeyValue right = store.get(KillVictim.key(writer, "right"), Store.NEWEST).join().item();
        long number = left == null ? 0 : KillVictim.number(left);
        assertThat(right == null ? 0 : KillVictim.number(right))
            .as("the pair of writer %d", writer)
            .isEqualTo(number);
        if (left != null && right != null) {
          assertThat(right.modRevision()).isEqualTo(left.modRevision());
          assertThat(right.value()).isEqualTo(left.value());
        }
        assertThat(number)
            .as("the number of writer %d", writer)
            .isGreaterThanOrEqualTo(testimony.acked.getOrDefault(writer, 0L));
        if (testimony.begun.containsKey(writer)) {
          assertThat(number).isLessThanOrEqualTo(testimony.begun.get(writer));
        }
      }
      examineHistory(store, stats, testimony);
      long revision = store.commit(Txn.put(Bytes.utf8("/after"), Bytes.EMPTY)).join().revision();
      assertThat(revision).isEqualTo(stats.revision() + 1);
      return revision;
    }
  }

  /** Every acknowledged write that was not compacted is in the history, at its revision, whole. */
  private static void examineHistory(Store store, StoreStats stats, Testimony testimony) {
    var numbers = new HashMap<Long, List<Long>>();
    Bytes pairs = Bytes.utf8("/pair/");
    long from = stats.compactedRevision() + 1;
    try (Watch watch = store.watch(WatchQuery.prefix(pairs, from))) {
      watch.requestProgress();
      long reached = 0;
      while (reached < stats.revision()) {
        WatchBatch batch = watch.next().join();
        for (WatchBatch.Commit commit : batch.commits()) {
          assertThat(commit.events()).as("a pair at revision %d", commit.revision()).hasSize(2);
          numbers.put(
              commit.revision(),
              commit.events().stream()
                  .map(event -> KillVictim.number(((Event.Put) event).current()))
                  .toList());
        }
        reached = batch.revision();
      }
    }
    for (Acked answer : testimony.answers) {
      if (answer.revision >= from) {
        assertThat(numbers.get(answer.revision))
            .as("the write acknowledged at revision %d", answer.revision)
            .isEqualTo(List.of(answer.number, answer.number));
      }
    }
  }
}
