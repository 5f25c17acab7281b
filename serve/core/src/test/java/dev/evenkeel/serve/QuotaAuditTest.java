package dev.evenkeel.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.store.KeyValue;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.Txn;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Stores that were changed by other means than this server's. */
class QuotaAuditTest {

  private static final String QUOTAS = "/api/v1/namespaces/default/resourcequotas";
  private static final Bytes LEDGER = Bytes.utf8("/evenkeel/quota/ledgers/default/q");
  private static final Bytes REGISTER = Bytes.utf8("/evenkeel/quota/registers/default");

  private final ServerFixture fixture = new ServerFixture();
  private final Client client = fixture.client;

  @AfterEach
  void close() {
    fixture.close();
  }

  private void quotaOfFiveWithThree() {
    client.post(
        QUOTAS, "{\"metadata\":{\"name\":\"q\"},\"spec\":{\"hard\":{\"configmaps\":\"5\"}}}");
    fixture.createConfigMaps(3);
  }

  private KeyValue ledger() {
    return Objects.requireNonNull(fixture.store.get(LEDGER, Store.NEWEST).join().item());
  }

  private String used() {
    return client.get(QUOTAS + "/q").text("status", "used", "configmaps");
  }

  private String metric(String name) {
    String page =
        new String(
            ((dev.evenkeel.serve.api.ApiResponse.Whole)
                    client.raw("GET", "/metrics", Map.of(), new byte[0]).content())
                .bytes(),
            StandardCharsets.UTF_8);
    return page.lines().filter(line -> line.startsWith(name + " ")).findFirst().orElse("");
  }

  @Test
  void driftedLedger_isMendedAndCounted() {
    quotaOfFiveWithThree();
    String before = ledger().value().utf8();
    String wrong = before.replace("\"configmaps\":\"3\"", "\"configmaps\":\"5\"");
    assertThat(wrong).isNotEqualTo(before);
    var _ = fixture.store.commit(Txn.put(LEDGER, Bytes.utf8(wrong)));
    fixture.env.runDue();
    assertThat(used()).isEqualTo("5");
    assertThat(client.createConfigMap("default", "x", "x").status()).isEqualTo(403);
    fixture.env.runFor(Duration.ofMinutes(1));
    assertThat(used()).isEqualTo("3");
    assertThat(client.createConfigMap("default", "x", "x").status()).isEqualTo(201);
    assertThat(metric("evenkeel_quota_ledgers_repaired_total"))
        .isEqualTo("evenkeel_quota_ledgers_repaired_total 1.0");
  }

  @Test
  void rightLedger_isLeftAlone() {
    quotaOfFiveWithThree();
    long before = ledger().modRevision();
    fixture.env.runFor(Duration.ofMinutes(2));
    assertThat(ledger().modRevision()).isEqualTo(before);
    assertThat(metric("evenkeel_quota_ledgers_repaired_total")).endsWith(" 0.0");
    assertThat(metric("evenkeel_quota_ledgers_audited_total")).doesNotEndWith(" 0.0");
  }

  @Test
  void quotaFromBeforeThereWereLedgers_bindsAfterAStart() {
    quotaOfFiveWithThree();
    var _ = fixture.store.commit(Txn.builder().delete(LEDGER).delete(REGISTER).build());
    fixture.env.runDue();
    try (ApiServer next = ApiServer.open(fixture.env, fixture.store, ServerSettings.DEFAULTS)) {
      fixture.env.runFor(Duration.ofSeconds(2));
      var newer = new Client(fixture.env, next);
      assertThat(newer.createConfigMap("default", "a", "x").status()).isEqualTo(201);
      assertThat(newer.createConfigMap("default", "b", "x").status()).isEqualTo(201);
      assertThat(newer.createConfigMap("default", "c", "x").text("message"))
          .contains("used: configmaps=5, limited: configmaps=5");
    }
  }

  @Test
  void watchers_seeWhatIsUsed() {
    quotaOfFiveWithThree();
    fixture.env.runFor(Duration.ofSeconds(1));
    Client.Events events = client.watch(QUOTAS + "?watch=true");
    events.pullAll();
    client.createConfigMap("default", "x", "x");
    fixture.env.runFor(Duration.ofSeconds(1));
    assertThat(events.pullAll())
        .singleElement()
        .satisfies(
            event ->
                assertThat(
                        event
                            .path("object")
                            .path("status")
                            .path("used")
                            .path("configmaps")
                            .asString())
                    .isEqualTo("4"));
  }
}
