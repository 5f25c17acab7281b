package dev.evenkeel.observe.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.env.SimulatedEnv;
import dev.evenkeel.kernel.selector.LabelSelector;
import dev.evenkeel.observe.feed.FeedFigures;
import dev.evenkeel.observe.feed.FeedLimits;
import dev.evenkeel.observe.feed.FeedState;
import dev.evenkeel.observe.feed.Scope;
import dev.evenkeel.observe.feed.SyncReason;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/**
 * Informers of a server that disconnects, falls silent, forgets, restarts and delays everything:
 * what they show is always a state the server was in, never an older one than before, listeners are
 * told all that leads from one to the next, and when the faults end it is the server's state. A
 * failing run is a seed.
 */
final class InformerSimulation {

  private static final int SEEDS = Integer.getInteger("evenkeel.informer.seeds", 2_000);

  private static final Kind<ObjectNode> THINGS = Kind.untyped("v1", "Thing", "things", true);

  private static final FeedLimits LIMITS =
      new FeedLimits(
          Duration.ofMinutes(3),
          Duration.ofSeconds(20),
          Duration.ofSeconds(2),
          Duration.ofSeconds(20),
          Duration.ofMinutes(5),
          Duration.ofMillis(500),
          Duration.ofSeconds(30),
          2,
          1 << 20,
          1 << 20);

  @Test
  void whatIsShown_isAlwaysAStateTheServerWasInAndInTheEndTheLast() {
    long only = Long.getLong("evenkeel.informer.seed", -1);
    Map<SyncReason, Long> syncs = new EnumMap<>(SyncReason.class);
    long stuck = 0;
    long resumes = 0;
    for (long seed = only < 0 ? 0 : only; seed < (only < 0 ? SEEDS : only + 1); seed++) {
      try {
        for (FeedFigures figures : new Run(seed).run()) {
          figures.syncs().forEach((reason, count) -> syncs.merge(reason, count, Long::sum));
          stuck += figures.stuck();
          resumes += figures.resumes();
        }
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("seed " + seed + " (-Devenkeel.informer.seed=" + seed + ")", e);
      }
    }
    assertThat(syncs).as("an honest server damages nothing").doesNotContainKey(SyncReason.DAMAGED);
    if (only < 0) {
      // Whatever the simulation is to show must have happened in it.
      assertThat(syncs.get(SyncReason.EXPIRED)).isGreaterThan(SEEDS / 10);
      assertThat(stuck).isGreaterThan(SEEDS / 10);
      assertThat(resumes).isGreaterThan(SEEDS);
    }
  }

  @Test
  void theSameSeed_givesTheSameRun() {
    long one = new Run(7).trace();
    assertThat(new Run(7).trace()).isEqualTo(one);
    assertThat(new Run(8).trace()).isNotEqualTo(one);
  }

  private static final class Run {
    private final SimulatedEnv env;
    private final Random random;
    private final ModelServer server;
    private final Informers informers;
    private final List<Follower> followers = new ArrayList<>();
    private int writes;

    Run(long seed) {
      env = new SimulatedEnv(seed);
      random = new Random(seed);
      server = new ModelServer(env, streaming(random.nextInt(8)));
      informers = new Informers(env, server, LIMITS);
    }

    private static ModelServer.Streaming streaming(int chance) {
      return switch (chance) {
        case 0, 1 -> ModelServer.Streaming.REFUSED;
        case 2 -> ModelServer.Streaming.IGNORED;
        default -> ModelServer.Streaming.UNDERSTOOD;
      };
    }

    long trace() {
      run();
      return env.traceHash();
    }

    List<FeedFigures> run() {
      for (int i = random.nextInt(6); i > 0; i--) {
        write();
      }
      followers.add(new Follower(this, ""));
      followers.add(new Follower(this, "red"));
      int steps = 20 + random.nextInt(60);
      for (int i = 0; i < steps; i++) {
        step();
        env.runFor(Duration.ofMillis(random.nextInt(3) == 0 ? 0 : random.nextInt(400)));
        followers.forEach(Follower::check);
      }
      settle();
      List<FeedFigures> figures =
          followers.stream().map(follower -> follower.informer.figures().feed()).toList();
      informers.close();
      server.close();
      return figures;
    }

    private void step() {
      switch (random.nextInt(24)) {
        case 0 -> server.compact();
        case 1 -> server.endStreams(true);
        case 2, 3 -> server.endStreams(false);
        case 4 -> server.silenceStreams();
        case 5 -> server.restart(Duration.ofMillis(random.nextInt(5_000)), random.nextBoolean());
        case 6, 7 -> env.runFor(Duration.ofSeconds(random.nextInt(60)));
        case 8 -> server.bookmarks();
        case 9 -> server.writeElsewhere();
        case 10 -> env.runFor(Duration.ofMinutes(random.nextInt(5)));
        default -> write();
      }
    }

    private void write() {
      String namespace = random.nextBoolean() ? "a" : "b";
      String name = "n" + random.nextInt(5);
      if (random.nextInt(4) == 0) {
        server.delete(namespace + "/" + name);
      } else {
        server.put(namespace, name, random.nextBoolean() ? "red" : "blue", writes++);
      }
    }

    /** No more faults: within a bounded time everything is as it should be. */
    private void settle() {
      List<CompletableFuture<Long>> reached = new ArrayList<>();
      followers.forEach(follower -> reached.add(follower.informer.awaitVersion(server.version())));
      for (int i = 0; i < 10; i++) {
        env.runFor(Duration.ofMinutes(1));
        server.bookmarks();
      }
      env.runFor(Duration.ofSeconds(1));
      for (Follower follower : followers) {
        follower.check();
        assertThat(follower.shown()).isEqualTo(follower.expected(server.version()));
        assertThat(follower.informer.figures().feed().state()).isEqualTo(FeedState.LIVE);
        assertThat(follower.informer.figures().feed().failures()).isZero();
      }
      assertThat(reached).allMatch(CompletableFuture::isDone);
      assertThat(server.openStreams()).as("nothing is left open").isEqualTo(followers.size());
    }
  }

  /** An informer, and what its listener was told. */
  private static final class Follower {
    private final Run run;
    private final String color;
    private final Informer<ObjectNode> informer;
    private final Index<ObjectNode> byColor = Indexes.label("color", "color");
    private final TreeMap<String, Cached<ObjectNode>> told = new TreeMap<>();
    private long toldVersion;
    private long shownVersion;
    private @Nullable Snapshot<ObjectNode> checked;

    Follower(Run run, String color) {
      this.run = run;
      this.color = color;
      this.informer =
          run.informers.informer(
              THINGS,
              color.isEmpty()
                  ? Scope.ALL
                  : Scope.ALL.withLabels(LabelSelector.parse("color=" + color)));
      AutoCloseable unused = informer.index(byColor).listen(this::changed);
      assertThat(unused).isNotNull();
    }

    private void changed(Change<ObjectNode> change) {
      same("versions only grow", change.version() >= toldVersion, true);
      same("the snapshot shows it", informer.snapshot().version() >= change.version(), true);
      toldVersion = change.version();
      switch (change) {
        case Change.Added<ObjectNode> added ->
            assertThat(told.put(added.after().key(), added.after())).as("added twice").isNull();
        case Change.Modified<ObjectNode> modified ->
            assertThat(told.put(modified.after().key(), modified.after()))
                .as("modified unseen")
                .isSameAs(modified.before());
        case Change.Deleted<ObjectNode> deleted -> {
          Cached<ObjectNode> last = told.remove(deleted.before().key());
          assertThat(last).as("deleted unseen").isNotNull();
          if (deleted.throughRelist()) {
            assertThat(deleted.before()).as("the last known state").isSameAs(last);
          }
        }
      }
    }

    void check() {
      Snapshot<ObjectNode> snapshot = informer.snapshot();
      if (snapshot.equals(checked)) {
        return;
      }
      checked = snapshot;
      same("listeners that failed", informer.figures().listenerFailures(), 0L);
      same("versions only grow", snapshot.version() >= shownVersion, true);
      shownVersion = snapshot.version();
      if (!snapshot.isSynced()) {
        same("objects before the first state", snapshot.size(), 0);
        return;
      }
      same("a state the server was in", shown(), expected(snapshot.version()));
      TreeMap<String, Cached<ObjectNode>> held = new TreeMap<>();
      long bytes = 0;
      List<String> red = new ArrayList<>();
      List<String> inA = new ArrayList<>();
      for (Cached<ObjectNode> object : snapshot.all()) {
        held.put(object.key(), object);
        bytes += object.memoryBytes();
        if (object.labels().containsValue("red")) {
          red.add(object.key());
        }
        if (object.namespace().equals("a")) {
          inA.add(object.key());
        }
      }
      same("what was told leads to what is shown", told, held);
      same("bytes held", snapshot.bytesHeld(), bytes);
      same("found by color", keys(snapshot.by(byColor, "red")), red);
      same("found by namespace", keys(snapshot.namespace("a")), inA);
    }

    private static List<String> keys(Iterable<Cached<ObjectNode>> objects) {
      List<String> keys = new ArrayList<>();
      objects.forEach(object -> keys.add(object.key()));
      return keys;
    }

    /** An assertion that costs nothing while it holds. */
    private static void same(String what, Object shown, Object expected) {
      if (!shown.equals(expected)) {
        assertThat(shown).as(what).isEqualTo(expected);
      }
    }

    Map<String, String> shown() {
      Map<String, String> shown = new TreeMap<>();
      for (Cached<ObjectNode> object : informer.snapshot().all()) {
        shown.put(object.key(), object.version() + "=" + object.text("value"));
      }
      return shown;
    }

    Map<String, String> expected(long version) {
      Map<String, String> expected = new TreeMap<>();
      run.server
          .stateAt(version)
          .forEach(
              (key, item) -> {
                if (color.isEmpty() || item.color().equals(color)) {
                  expected.put(key, item.version() + "=" + item.value());
                }
              });
      return expected;
    }
  }
}
