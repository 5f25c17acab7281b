package dev.evenkeel.prove.bench.api.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.prove.bench.api.toy.Fault;
import dev.evenkeel.prove.bench.api.toy.ToyServer;
import dev.evenkeel.prove.bench.api.wire.Connection;
import dev.evenkeel.prove.bench.api.wire.Protocol;
import dev.evenkeel.prove.bench.api.wire.Target;
import dev.evenkeel.prove.bench.api.wire.Transport;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ClosedLoopTest {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final int CLIENTS = 8;
  private static final int OBJECTS = 200;

  private static Transport transport(ToyServer server, String token) {
    return new Transport(
        Target.of(server.url(), Target.Credentials.ofToken(token, server.authority(), false)), 2);
  }

  private static ClosedLoop.Outcome run(
      Transport transport, Protocol protocol, Script script, Duration time)
      throws InterruptedException {
    List<Connection> connections =
        transport.connect(protocol, 0, protocol == Protocol.HTTP_1 ? CLIENTS : 3);
    try {
      return ClosedLoop.run(connections, CLIENTS, script, time);
    } finally {
      connections.forEach(Connection::close);
    }
  }

  @ParameterizedTest
  @EnumSource
  void requests_areAnsweredAndCounted(Protocol protocol) throws Exception {
    try (var server = new ToyServer(Fault.NONE, 0);
        Transport transport = transport(server, server.token())) {
      var objects = new LoadObjects(LoadKind.CONFIGMAP, "space", 1024);
      LoadResult created =
          run(transport, protocol, Scripts.create(objects, 0, OBJECTS, CLIENTS), LONG).tally();
      assertThat(created.errors()).isEmpty();
      assertThat(created.count()).isEqualTo(OBJECTS);

      ClosedLoop.Outcome got =
          run(transport, protocol, Scripts.get(objects, CLIENTS), Duration.ofMillis(300));
      assertThat(got.tally().errors()).isEmpty();
      assertThat(got.tally().count()).isPositive();
      assertThat(got.tally().bytes()).isGreaterThan(1024 * got.tally().count());
      assertThat(got.seconds()).isBetween(0.3, 10.0);

      var written = new AtomicLong();
      LoadResult updated =
          run(
                  transport,
                  protocol,
                  Scripts.update(objects, CLIENTS, version -> written.incrementAndGet()),
                  Duration.ofMillis(300))
              .tally();
      assertThat(updated.errors()).isEmpty();
      // A client whose last answer came after the end of the time was told, but not counted.
      assertThat(written.get()).isBetween(updated.count(), updated.count() + CLIENTS);

      Script list = Scripts.repeat(objects.collectionPath(), OBJECTS * 1024L, 5);
      LoadResult listed = run(transport, protocol, list, LONG).tally();
      assertThat(listed.errors()).isEmpty();
      assertThat(listed.count()).isEqualTo(5);
      assertThat(listed.bytes()).isGreaterThan(5L * OBJECTS * 1024);
    }
  }

  @ParameterizedTest
  @EnumSource
  void bodies_largerThanTheServersWindowsArriveWhole(Protocol protocol) throws Exception {
    try (var server = new ToyServer(Fault.NONE, 0);
        Transport transport = transport(server, server.token())) {
      var objects = new LoadObjects(LoadKind.CONFIGMAP, "space", 200_000);
      LoadResult created =
          run(transport, protocol, Scripts.create(objects, 0, 40, CLIENTS), LONG).tally();
      assertThat(created.errors()).isEmpty();
      assertThat(created.bytes()).isGreaterThan(40 * 200_000L);
    }
  }

  @ParameterizedTest
  @EnumSource
  void errors_areCountedByKind(Protocol protocol) throws Exception {
    try (var server = new ToyServer(Fault.NONE, 0);
        Transport transport = transport(server, server.token());
        Transport stranger = transport(server, "wrong")) {
      var objects = new LoadObjects(LoadKind.CONFIGMAP, "space", 100);
      var _ = run(transport, protocol, Scripts.create(objects, 0, 10, CLIENTS), LONG);
      var again = new LoadObjects(LoadKind.CONFIGMAP, "space", 100);
      LoadResult tally =
          run(transport, protocol, Scripts.create(again, 0, 30, CLIENTS), LONG).tally();
      assertThat(tally.count()).isEqualTo(20);
      assertThat(tally.errors()).containsOnly(java.util.Map.entry("status 409", 10L));

      // Versions that are not the newest: the condition must have been sent.
      for (int i = 0; i < 30; i++) {
        again.seen(i, 1);
      }
      LoadResult stale =
          run(transport, protocol, Scripts.update(again, CLIENTS, v -> {}), Duration.ofMillis(100))
              .tally();
      assertThat(stale.count()).isZero();
      assertThat(stale.errors()).containsOnlyKeys("status 409");

      LoadResult refused =
          run(stranger, protocol, Scripts.create(again, 30, 35, CLIENTS), LONG).tally();
      assertThat(refused.errors()).containsOnly(java.util.Map.entry("status 401", 5L));
    }
  }

  @ParameterizedTest
  @EnumSource
  void connection_thatIsLostIsAnErrorOfEachOfItsClients(Protocol protocol) throws Exception {
    var server = new ToyServer(Fault.NONE, 0);
    try (Transport transport = transport(server, server.token())) {
      var objects = new LoadObjects(LoadKind.CONFIGMAP, "space", 100);
      var _ = run(transport, protocol, Scripts.create(objects, 0, 10, CLIENTS), LONG);
      Thread killer =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      Thread.sleep(200);
                      server.close();
                    } catch (Exception e) {
                      throw new IllegalStateException(e);
                    }
                  });
      ClosedLoop.Outcome outcome = run(transport, protocol, Scripts.get(objects, CLIENTS), LONG);
      killer.join();
      assertThat(outcome.seconds()).isLessThan(30);
      assertThat(outcome.tally().errors().values().stream().mapToLong(Long::longValue).sum())
          .isEqualTo(CLIENTS);
    }
  }
}
