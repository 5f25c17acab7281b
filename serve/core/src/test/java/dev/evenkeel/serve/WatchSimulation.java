package dev.evenkeel.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.env.SimulatedEnv;
import dev.evenkeel.serve.cache.CacheLimits;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Many watchers of different scopes, read at different speeds, cut off and resumed, over a server
 * that is restarted and compacted and whose window is small: each must see every change of its
 * scope once and in order, or be told that it cannot. A failing run is a seed.
 */
final class WatchSimulation {

  private static final int SEEDS = Integer.getInteger("evenkeel.watch.seeds", 100);

  private static final CacheLimits SMALL =
      new CacheLimits(
          60,
          1L << 20,
          Duration.ofSeconds(20),
          10,
          8,
          40,
          Duration.ofSeconds(3),
          Duration.ofSeconds(5),
          100);

  @Test
  void everyWatcher_seesEveryChangeOfItsScopeOnceAndInOrder() {
    long only = Long.getLong("evenkeel.watch.seed", -1);
    for (long seed = only < 0 ? 0 : only; seed < (only < 0 ? SEEDS : only + 1); seed++) {
      try {
        new Run(seed).run();
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("seed " + seed + " (-Devenkeel.watch.seed=" + seed + ")", e);
      }
    }
  }

  /** What happened to one object: the truth, from the answers to the writes. */
  private record Truth(long revision, String key, String label, @Nullable String value) {}

  private static final class Run {
    private final SimulatedEnv env;
    private final Random random;
    private final Store store;
    private ApiServer server;
    private Client client;
    private final List<Truth> history = new ArrayList<>();
    private final TreeMap<String, Truth> state = new TreeMap<>();
    private final List<Reader> readers = new ArrayList<>();
    private int restarts;

    Run(long seed) {
      this.env = new SimulatedEnv(seed);
      this.random = new Random(seed);
      this.store = MemoryStore.open(env);
      this.server = open();
      this.client = new Client(env, server);
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

    void run() {
      client.post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"other\"}}");
      for (int i = 0; i < 5; i++) {
        readers.add(new Reader(this, random.nextInt(5)));
      }
      for (int i = 0; i < 150; i++) {
        switch (random.nextInt(20)) {
          case 0 -> env.runFor(Duration.ofSeconds(random.nextInt(40)));
          case 1 -> restart();
          case 2, 3 -> readers.get(random.nextInt(readers.size())).cut();
          case 4, 5, 6, 7, 8 ->
              readers.get(random.nextInt(readers.size())).read(random.nextInt(2_000));
          default -> write();
        }
      }
      for (Reader reader : readers) {
        reader.finish();
      }
      server.close();
      store.close();
    }

    private void restart() {
      if (restarts++ > 2) {
        return;
      }
      if (random.nextBoolean()) {
        server.drain();
        env.runDue();
      }
      server.close();
      readers.forEach(Reader::serverGone);
      server = open();
      client = new Client(env, server);
    }

    private void write() {
      String namespace = random.nextBoolean() ? "default" : "other";
      String name = "c" + random.nextInt(6);
      String key = namespace + "/" + name;
      String path = "/api/v1/namespaces/" + namespace + "/configmaps";
      String label = random.nextBoolean() ? "red" : "blue";
      String value = "v" + history.size();
      String body =
          "{\"metadata\":{\"name\":\"%s\",\"labels\":{\"color\":\"%s\"}},\"data\":{\"v\":\"%s\"}}"
              .formatted(name, label, value);
      Truth before = state.get(key);
      if (before == null) {
        took(client.post(path, body), 201, key, label, value);
      } else if (random.nextInt(4) > 0) {
        took(client.put(path + "/" + name, body), 200, key, label, value);
      } else {
        Client.Answer answer = client.delete(path + "/" + name);
        assertThat(answer.status()).isEqualTo(200);
        // The deletion's version is not in the answer's status; the next list tells.
        long revision = Long.parseLong(client.get(path).text("metadata", "resourceVersion"));
        history.add(new Truth(revision, key, before.label, null));
        state.remove(key);
      }
    }

    private void took(Client.Answer answer, int status, String key, String label, String value) {
      assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
      var truth =
          new Truth(Long.parseLong(answer.text("metadata", "resourceVersion")), key, label, value);
      history.add(truth);
      state.put(key, truth);
    }
  }

  /** A client as informers are: lists, watches, resumes, and lists again when it is too late. */
  private static final class Reader {
    private final Run run;
    private final int scope;
    private final Map<String, Long> seen = new TreeMap<>();
    private Client.@Nullable Events events;
    private long resumeFrom;
    private boolean listed;

    Reader(Run run, int scope) {
      this.run = run;
      this.scope = scope;
    }

    private String path() {
      return switch (scope) {
        case 0 -> "/api/v1/configmaps?";
        case 1 -> "/api/v1/namespaces/other/configmaps?";
        case 2 -> "/api/v1/configmaps?labelSelector=color%3Dred&";
        case 3 -> "/api/v1/namespaces/default/configmaps?fieldSelector=metadata.name%3Dc1&";
        default -> "/api/v1/configmaps?fieldSelector=metadata.name%3Dc2&";
      };
    }

    private boolean concerns(String key, String label) {
      return switch (scope) {
        case 0 -> true;
        case 1 -> key.startsWith("other/");
        case 2 -> label.equals("red");
        case 3 -> key.equals("default/c1");
        default -> key.endsWith("/c2");
      };
    }

    void cut() {
      if (events != null) {
        events.close();
        events = null;
      }
    }

    void serverGone() {
      cut();
    }

    private void open() {
      if (!listed) {
        list();
      }
      Client client = run.client;
      var response =
          client.raw(
              "GET",
              path() + "watch=true&allowWatchBookmarks=true&resourceVersion=" + resumeFrom,
              Map.of(),
              new byte[0]);
      if (response.status() == 410) {
        list();
        open();
        return;
      }
      assertThat(response.status()).isEqualTo(200);
      events = client.eventsOf(response);
    }

    private void list() {
      Client.Answer answer = run.client.get(path());
      assertThat(answer.status()).isEqualTo(200);
      seen.clear();
      for (JsonNode item : answer.body().path("items")) {
        seen.put(key(item), version(item));
      }
      resumeFrom = Long.parseLong(answer.text("metadata", "resourceVersion"));
      listed = true;
      assertThat(seen).isEqualTo(expected());
    }

    private Map<String, Long> expected() {
      Map<String, Long> expected = new TreeMap<>();
      run.state.forEach(
          (key, truth) -> {
            if (concerns(key, truth.label)) {
              expected.put(key, truth.revision);
            }
          });
      return expected;
    }

    void read(int bytesMax) {
      if (events == null) {
        open();
      }
      Client.Events opened = events;
      if (opened != null) {
        take(opened.pull(bytesMax));
      }
    }

    private void take(List<JsonNode> some) {
      for (JsonNode event : some) {
        String type = event.path("type").asString();
        JsonNode object = event.path("object");
        if (type.equals("ERROR")) {
          assertThat(object.path("code").asInt()).isEqualTo(410);
          listed = false;
          cut();
          return;
        }
        long version = version(object);
        if (type.equals("BOOKMARK")) {
          assertThat(version).isGreaterThanOrEqualTo(resumeFrom);
          resumeFrom = version;
          continue;
        }
        assertThat(version).as("versions grow").isGreaterThan(resumeFrom);
        assertNothingSkipped(resumeFrom, version);
        resumeFrom = version;
        apply(type, key(object), version);
      }
    }

    private void apply(String type, String key, long version) {
      switch (type) {
        case "ADDED" -> assertThat(seen.put(key, version)).as("added twice").isNull();
        case "MODIFIED" -> assertThat(seen.put(key, version)).as("modified unseen").isNotNull();
        case "DELETED" -> assertThat(seen.remove(key)).as("deleted unseen").isNotNull();
        default -> throw new AssertionError(type);
      }
    }

    /** No change of the scope lies between what was seen and what is seen now. */
    private void assertNothingSkipped(long after, long before) {
      Map<String, String> labels = new TreeMap<>();
      for (Truth truth : run.history) {
        String previous = labels.get(truth.key);
        boolean was = previous != null && concerns(truth.key, previous);
        boolean is = truth.value != null && concerns(truth.key, truth.label);
        if (truth.value == null) {
          labels.remove(truth.key);
        } else {
          labels.put(truth.key, truth.label);
        }
        if ((was || is) && truth.revision > after && truth.revision < before) {
          throw new AssertionError("skipped " + truth + " between " + after + " and " + before);
        }
      }
    }

    void finish() {
      for (int i = 0; i < 1_000; i++) {
        read(10_000);
        if (events != null && seen.equals(expected())) {
          break;
        }
      }
      assertThat(seen).isEqualTo(expected());
      if (events != null) {
        take(events.pullAll());
        assertThat(seen).as("nothing comes twice").isEqualTo(expected());
      }
      cut();
    }

    private static String key(JsonNode object) {
      return object.path("metadata").path("namespace").asString()
          + "/"
          + object.path("metadata").path("name").asString();
    }

    private static long version(JsonNode object) {
      return Long.parseLong(object.path("metadata").path("resourceVersion").asString());
    }
  }
}
