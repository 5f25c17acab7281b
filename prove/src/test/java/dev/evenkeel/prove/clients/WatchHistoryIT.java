package dev.evenkeel.prove.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.serve.ServerSettings;
import dev.evenkeel.serve.cache.CacheLimits;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many watchers of different scopes against many writers, while the server is restarted twice and
 * its history is compacted: every watcher is told every change of its scope once, in order.
 */
class WatchHistoryIT {

  private static final int WATCHERS = 50;
  private static final int WRITERS = 4;
  private static final long PHASE_MILLIS = 3_000;

  private static final CacheLimits SMALL =
      new CacheLimits(
          500,
          1L << 20,
          Duration.ofSeconds(2),
          20,
          20,
          2_000,
          Duration.ofSeconds(10),
          Duration.ofMillis(500),
          1_000);

  @Test
  void everyWatcherIsToldEveryChangeOnce_acrossRestartsAndCompaction(@TempDir Path folder)
      throws Exception {
    var setup = RunningServer.Setup.DURABLE.withSettings(ServerSettings.DEFAULTS.withCache(SMALL));
    try (RunningServer server = RunningServer.start(folder, setup);
        HttpClient first = server.client(HttpClient.Version.HTTP_2);
        HttpClient second = server.client(HttpClient.Version.HTTP_1_1)) {
      List<RecordingWatcher> watchers = watchers(server, first, second);
      var history = new History();
      List<RecordingWriter> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        writers.add(new RecordingWriter(server, first, history, i));
      }
      List<Thread> watching = new ArrayList<>();
      watchers.forEach(watcher -> watching.add(Thread.startVirtualThread(watcher::run)));
      Await.until(
          "all watch", () -> watchers.stream().noneMatch(each -> each.segments().isEmpty()));
      List<Thread> writing = new ArrayList<>();
      writers.forEach(writer -> writing.add(Thread.startVirtualThread(writer::run)));

      Await.pause(PHASE_MILLIS);
      server.restart();
      Await.pause(PHASE_MILLIS);
      server.compact();
      server.restart();
      Await.pause(PHASE_MILLIS);

      writers.forEach(RecordingWriter::end);
      for (Thread thread : writing) {
        thread.join();
      }
      settle(history, watchers);
      watchers.forEach(RecordingWatcher::end);
      server.stop();
      for (Thread thread : watching) {
        thread.join();
      }
      judge(history, watchers, writers);
    }
  }

  /** Gives the last events time to arrive; the judgement is made afterwards. */
  private static void settle(History history, List<RecordingWatcher> watchers) {
    long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (!history.faults(watchers).isEmpty() && System.nanoTime() < end) {
      Await.pause(200);
    }
  }

  private static void judge(
      History history, List<RecordingWatcher> watchers, List<RecordingWriter> writers) {
    assertThat(history.faults(watchers)).isEmpty();
    for (RecordingWriter writer : writers) {
      assertThat(writer.surprises()).isEmpty();
    }
    for (RecordingWatcher watcher : watchers) {
      assertThat(watcher.surprises()).isEmpty();
      // It came back after both restarts, and once more after a timeout.
      assertThat(watcher.connections()).as(watcher.toString()).isGreaterThan(2);
    }
    // Enough happened for all this to mean something.
    assertThat(history.writes()).isGreaterThan(50);
    assertThat(
            watchers.stream()
                .flatMap(watcher -> watcher.segments().stream())
                .flatMap(segment -> segment.told().stream())
                .filter(told -> told.type().equals("BOOKMARK")))
        .hasSizeGreaterThan(WATCHERS / 2);
  }

  private static List<RecordingWatcher> watchers(
      RunningServer server, HttpClient first, HttpClient second) {
    List<RecordingWatcher> watchers = new ArrayList<>();
    for (int i = 0; i < WATCHERS; i++) {
      String namespace = RecordingWriter.namespace(i, 0);
      String name = RecordingWriter.name(i % WRITERS, i / WRITERS);
      String own = "/api/v1/namespaces/" + namespace + "/configmaps?";
      String all = "/api/v1/configmaps?";
      Predicate<History.Version> inNamespace = each -> each.namespace().equals(namespace);
      Predicate<History.Version> isRed = each -> each.color().equals("red");
      Scope scope =
          switch (i % 6) {
            case 0 -> new Scope("all", all, _ -> true);
            case 1 -> new Scope("namespace " + namespace, own, inNamespace);
            case 2 -> new Scope("red", all + "labelSelector=color%3Dred&", isRed);
            case 3 ->
                new Scope(
                    "red in " + namespace,
                    own + "labelSelector=color+in+(red)&",
                    inNamespace.and(isRed));
            case 4 ->
                new Scope(
                    "name " + name,
                    all + "fieldSelector=metadata.name%3D" + name + "&",
                    each -> each.name().equals(name));
            default ->
                new Scope(
                    "not red, by namespace " + namespace,
                    all
                        + "labelSelector=color%21%3Dred&fieldSelector=metadata.namespace%3D"
                        + namespace
                        + "&",
                    inNamespace.and(isRed.negate()));
          };
      watchers.add(
          new RecordingWatcher(
              scope.name() + " #" + i,
              i % 2 == 0 ? first : second,
              server.url(),
              scope.target(),
              i % 3 != 0,
              scope.holds()));
    }
    return watchers;
  }

  /** What a watcher watches. */
  private record Scope(String name, String target, Predicate<History.Version> holds) {}
}
