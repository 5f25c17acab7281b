package dev.evenkeel.prove.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.env.SimulatedEnv;
import dev.evenkeel.kernel.selector.LabelSelector;
import dev.evenkeel.observe.cache.Informer;
import dev.evenkeel.observe.cache.Informers;
import dev.evenkeel.observe.cache.Snapshot;
import dev.evenkeel.observe.feed.FeedFigures;
import dev.evenkeel.observe.feed.FeedLimits;
import dev.evenkeel.observe.feed.FeedState;
import dev.evenkeel.observe.feed.Scope;
import dev.evenkeel.observe.feed.SyncReason;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kind;
import dev.evenkeel.observe.transport.Answer;
import dev.evenkeel.observe.transport.Client;
import dev.evenkeel.observe.transport.Query;
import dev.evenkeel.observe.transport.Request;
import dev.evenkeel.observe.transport.Transport;
import dev.evenkeel.operate.inprocess.InProcessTransport;
import dev.evenkeel.serve.ApiServer;
import dev.evenkeel.serve.ServerSettings;
import dev.evenkeel.serve.api.ApiRequest;
import dev.evenkeel.serve.cache.CacheLimits;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Informers of the real server, in process and in virtual time, over restarts and compactions and
 * with a window that is small: what they show is always a state that the server was in, and in the
 * end the last. A failing run is a seed.
 */
final class ObserveSimulation {

  private static final int SEEDS = Integer.getInteger("evenkeel.observe.seeds", 60);

  private static final Kind<ObjectNode> CONFIG_MAPS =
      Kind.untyped("v1", "ConfigMap", "configmaps", true);

  private static final CacheLimits SMALL =
      new CacheLimits(
          60,
          1L << 20,
          Duration.ofSeconds(20),
          10,
          8,
          10,
          Duration.ofSeconds(3),
          Duration.ofSeconds(5),
          100);

  @Test
  void whatIsShown_isAlwaysAStateTheServerWasInAndInTheEndTheLast() {
    long only = Long.getLong("evenkeel.observe.seed", -1);
    Map<SyncReason, Long> syncs = new EnumMap<>(SyncReason.class);
    for (long seed = only < 0 ? 0 : only; seed < (only < 0 ? SEEDS : only + 1); seed++) {
      try {
        for (FeedFigures figures : new Run(seed).run()) {
          figures.syncs().forEach((reason, count) -> syncs.merge(reason, count, Long::sum));
        }
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("seed " + seed + " (-Devenkeel.observe.seed=" + seed + ")", e);
      }
    }
    assertThat(syncs).doesNotContainKey(SyncReason.DAMAGED);
    if (only < 0) {
      assertThat(syncs).containsKey(SyncReason.EXPIRED);
    }
  }

  /** To whichever server is there. */
  private static final class Switch implements Transport {
    private Transport now;

    Switch(Transport now) {
      this.now = now;
    }

    @Override
    public CompletableFuture<Answer> send(Request request) {
      return now.send(request);
    }

    @Override
    public void close() {
      now.close();
    }
  }

  private static final class Run {
    private final SimulatedEnv env;
    private final Random random;
    private final Store store;
    private final TreeMap<Long, TreeMap<String, String>> states = new TreeMap<>();
    private final List<Informer<ObjectNode>> informers = new ArrayList<>();
    private final Map<Informer<ObjectNode>, Long> versions = new java.util.HashMap<>();
    private ApiServer server;
    private final Switch transport;
    private final Client client;
    private int writes;
    private int restarts;

    Run(long seed) {
      env = new SimulatedEnv(seed);
      random = new Random(seed);
      store = MemoryStore.open(env);
      server = open();
      transport = new Switch(connect());
      client = new Client(transport);
    }

    private ApiServer open() {
      ApiServer opened =
          ApiServer.open(
              env,
              store,
              ServerSettings.DEFAULTS.withCache(SMALL).withCompaction(Duration.ofSeconds(30)));
      env.runFor(Duration.ofMillis(10));
      return opened;
    }

    private Transport connect() {
      return new InProcessTransport(
          env, server, new ApiRequest.Peer("kubernetes-admin", List.of("system:masters")));
    }

    List<FeedFigures> run() {
      note(list());
      for (int i = random.nextInt(5); i > 0; i--) {
        write();
      }
      var all = new Informers(env, transport, FeedLimits.DEFAULTS);
      Scope scope = Scope.namespace("default");
      informers.add(all.informer(CONFIG_MAPS, scope));
      informers.add(all.informer(CONFIG_MAPS, scope.withLabels(LabelSelector.parse("color=red"))));
      for (int i = 0; i < 100; i++) {
        switch (random.nextInt(20)) {
          case 0, 1 -> env.runFor(Duration.ofSeconds(random.nextInt(40)));
          case 2 -> restart();
          default -> write();
        }
        env.runFor(Duration.ofMillis(random.nextInt(20)));
        informers.forEach(this::check);
      }
      env.runFor(Duration.ofMinutes(2));
      long last = states.lastKey();
      for (Informer<ObjectNode> informer : informers) {
        check(informer);
        assertThat(informer.figures().feed().state()).isEqualTo(FeedState.LIVE);
        assertThat(informer.snapshot().version()).isGreaterThanOrEqualTo(last);
      }
      List<FeedFigures> figures =
          informers.stream().map(informer -> informer.figures().feed()).toList();
      all.close();
      transport.close();
      server.close();
      store.close();
      return figures;
    }

    private void restart() {
      if (restarts++ > 2) {
        return;
      }
      transport.close();
      server.close();
      if (random.nextBoolean()) {
        var _ = store.compact(store.currentRevision().join());
        env.runDue();
      }
      server = open();
      transport.now = connect();
    }

    private ObjectNode join(CompletableFuture<ObjectNode> answer) {
      for (int i = 0; !answer.isDone() && i < 1_000; i++) {
        env.runFor(Duration.ofMillis(1));
      }
      return answer.join();
    }

    private ObjectNode list() {
      return join(client.list(CONFIG_MAPS, "default", new Query()));
    }

    private void note(ObjectNode list) {
      TreeMap<String, String> state = new TreeMap<>();
      list.path("items")
          .forEach(
              item ->
                  state.put(
                      Meta.name((ObjectNode) item),
                      Meta.resourceVersion((ObjectNode) item)
                          + Meta.labels((ObjectNode) item).getOrDefault("color", "")));
      states.put(Long.parseLong(Meta.resourceVersion(list)), state);
    }

    /** Writes one after another, each followed by a list: so every state is known. */
    private void write() {
      String name = "c" + random.nextInt(6);
      boolean known = states.lastEntry().getValue().containsKey(name);
      ObjectNode object = JsonNodeFactory.instance.objectNode();
      ObjectNode metadata = object.putObject("metadata").put("name", name);
      metadata.putObject("labels").put("color", random.nextBoolean() ? "red" : "blue");
      object.putObject("data").put("v", "v" + writes++);
      if (!known) {
        join(client.create(CONFIG_MAPS, "default", object));
      } else if (random.nextInt(4) > 0) {
        join(client.update(CONFIG_MAPS, "default", name, object));
      } else {
        join(client.delete(CONFIG_MAPS, "default", name, null));
      }
      note(list());
    }

    private void check(Informer<ObjectNode> informer) {
      Snapshot<ObjectNode> snapshot = informer.snapshot();
      if (!snapshot.isSynced()) {
        return;
      }
      assertThat(snapshot.version()).isGreaterThanOrEqualTo(versions.getOrDefault(informer, 0L));
      versions.put(informer, snapshot.version());
      boolean redOnly = !informer.scope().labels().isEverything();
      TreeMap<String, String> shown = new TreeMap<>();
      for (Cached<ObjectNode> object : snapshot.all()) {
        shown.put(object.name(), object.version() + object.labels().getOrDefault("color", ""));
      }
      TreeMap<String, String> expected =
          new TreeMap<>(states.floorEntry(snapshot.version()).getValue());
      expected.values().removeIf(value -> redOnly && !value.endsWith("red"));
      assertThat(shown).as("at version " + snapshot.version()).isEqualTo(expected);
    }
  }
}
