package dev.evenkeel.prove.bench.api.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.prove.bench.api.toy.Fault;
import dev.evenkeel.prove.bench.api.toy.ToyServer;
import dev.evenkeel.prove.bench.api.wire.Connection;
import dev.evenkeel.prove.bench.api.wire.Protocol;
import dev.evenkeel.prove.bench.api.wire.Request;
import dev.evenkeel.prove.bench.api.wire.Target;
import dev.evenkeel.prove.bench.api.wire.Transport;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class WatchersTest {

  private static final int WATCHERS = 20;
  private static final int CLIENTS = 4;
  private static final int CHANGES = 50;

  /** What came of watching the toy. */
  private record Run(long changes, long delivered, Map<String, Integer> faults, Histogram times) {}

  private static Run run(Fault fault, Protocol protocol, int pieceBytes) throws Exception {
    try (var server = new ToyServer(fault, pieceBytes);
        var transport =
            new Transport(
                Target.of(
                    server.url(),
                    Target.Credentials.ofToken(server.token(), server.authority(), false)),
                2)) {
      var objects = new LoadObjects(LoadKind.CONFIGMAP, "space", 300);
      List<Connection> connections = transport.connect(Protocol.HTTP_2, 0, CLIENTS);
      var _ =
          ClosedLoop.run(
              connections,
              CLIENTS,
              Scripts.create(objects, 0, 10, CLIENTS),
              Duration.ofSeconds(10));
      String path = objects.collectionPath() + "?watch=true&resourceVersion=1010";
      try (Watchers watchers = Watchers.open(transport, protocol, 3, WATCHERS, path)) {
        watchers.startTiming();
        var writers = new Writers(objects, CLIENTS, () -> 0, Integer.MAX_VALUE, 0);
        var _ = ClosedLoop.run(connections, CLIENTS, few(writers), Duration.ofSeconds(30));
        long[] written = writers.versions();
        watchers.awaitEach(written.length, Duration.ofMillis(500));
        return new Run(
            written.length, watchers.delivered(), watchers.verify(written), watchers.latencies());
      }
    }
  }

  /** No more changes than these: the faults come early. */
  private static Script few(Script all) {
    var left = new AtomicInteger(CHANGES);
    return new Script() {
      @Override
      public @Nullable Request next(int client) {
        return left.getAndDecrement() > 0 ? all.next(client) : null;
      }

      @Override
      public @Nullable String check(int client, Answer answer) {
        return all.check(client, answer);
      }
    };
  }

  @ParameterizedTest
  @CsvSource({"HTTP_1, 0", "HTTP_2, 0", "HTTP_1, 7", "HTTP_2, 7", "HTTP_2, 100"})
  void everyEvent_isCountedAndTimed(Protocol protocol, int pieceBytes) throws Exception {
    Run run = run(Fault.NONE, protocol, pieceBytes);
    assertThat(run.faults).isEmpty();
    assertThat(run.changes).isEqualTo(CHANGES);
    assertThat(run.delivered).isEqualTo(CHANGES * WATCHERS);
    assertThat(run.times.count()).isEqualTo(CHANGES * WATCHERS);
    assertThat(run.times.maxMillis()).isBetween(0.001, 20_000.0);
  }

  @ParameterizedTest
  @EnumSource
  void event_thatIsDroppedIsMissed(Protocol protocol) throws Exception {
    assertThat(run(Fault.DROP, protocol, 0).faults)
        .containsExactly(Map.entry("missed an event", 1));
  }

  @ParameterizedTest
  @EnumSource
  void event_thatIsRepeatedIsNoticed(Protocol protocol) throws Exception {
    assertThat(run(Fault.REPEAT, protocol, 0).faults)
        .containsExactly(Map.entry("saw a version again or out of order", 1));
  }

  @ParameterizedTest
  @EnumSource
  void events_thatChangePlacesAreNoticed(Protocol protocol) throws Exception {
    assertThat(run(Fault.SWAP, protocol, 0).faults)
        .containsExactly(Map.entry("saw a version again or out of order", 1));
  }

  @Test
  void event_thatNobodyWroteIsNoticed() throws Exception {
    assertThat(run(Fault.FALSIFY, Protocol.HTTP_2, 0).faults).hasSize(1);
    assertThat(run(Fault.DENY, Protocol.HTTP_2, 0).faults)
        .containsExactly(Map.entry("saw an event that nobody wrote", WATCHERS));
  }

  @ParameterizedTest
  @EnumSource
  void watch_thatEndsIsNoticedWithItsReason(Protocol protocol) throws Exception {
    assertThat(run(Fault.EXPIRE, protocol, 0).faults.keySet())
        .anyMatch(kind -> kind.startsWith("ended: {\"type\":\"ERROR\"") && kind.contains("410"));
    assertThat(run(Fault.CUT, protocol, 0).faults)
        .containsEntry("ended: the watch ended within an event", 1)
        .containsEntry("missed an event", 1);
  }
}
