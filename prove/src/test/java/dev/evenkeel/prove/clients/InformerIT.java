package dev.evenkeel.prove.clients;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.kernel.api.ApiException;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.env.RealEnv;
import dev.evenkeel.observe.cache.Change;
import dev.evenkeel.observe.cache.Informer;
import dev.evenkeel.observe.cache.Informers;
import dev.evenkeel.observe.feed.FeedLimits;
import dev.evenkeel.observe.feed.FeedState;
import dev.evenkeel.observe.feed.Scope;
import dev.evenkeel.observe.feed.SyncReason;
import dev.evenkeel.observe.http.HttpSettings;
import dev.evenkeel.observe.http.HttpTransport;
import dev.evenkeel.observe.http.Identity;
import dev.evenkeel.observe.http.Kubeconfig;
import dev.evenkeel.observe.object.Cached;
import dev.evenkeel.observe.object.Kind;
import dev.evenkeel.observe.transport.Client;
import dev.evenkeel.observe.transport.PatchType;
import dev.evenkeel.observe.transport.Query;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Our own client over TLS and HTTP/2: single objects, and informers over restarts. */
class InformerIT {

  record Settings(Map<String, String> data) {}

  private static final Kind<Settings> CONFIG_MAPS =
      Kind.of("v1", "ConfigMap", "configmaps", true, Settings.class);

  private final Env env = new RealEnv();
  private RunningServer server;
  private HttpTransport transport;
  private Client client;
  private Informers informers;

  @BeforeEach
  void start(@TempDir Path folder) throws IOException {
    server = RunningServer.start(folder, RunningServer.Setup.DURABLE);
    transport = HttpTransport.open(env, Kubeconfig.read(server.kubeconfig()).settings());
    client = new Client(transport);
    informers = new Informers(env, transport, FeedLimits.DEFAULTS);
  }

  @AfterEach
  void stop() {
    informers.close();
    transport.close();
    server.close();
  }

  private static <T> T join(CompletableFuture<T> future) {
    return future.orTimeout(30, TimeUnit.SECONDS).join();
  }

  private static ObjectNode configMap(String name, String value) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    object.putObject("metadata").put("name", name);
    object.putObject("data").put("v", value);
    return object;
  }

  private long create(String name, String value) {
    return version(join(client.create(CONFIG_MAPS, "default", configMap(name, value))));
  }

  private static long version(ObjectNode object) {
    return Long.parseLong(Meta.resourceVersion(object));
  }

  @Test
  void singleObjects_areWrittenReadAndRefused() {
    long version = create("a", "1");
    assertThat(version(join(client.get(CONFIG_MAPS, "default", "a")))).isEqualTo(version);
    ObjectNode patched =
        join(
            client.patch(
                CONFIG_MAPS,
                "default",
                "a",
                PatchType.MERGE,
                Bytes.wrap("{\"data\":{\"w\":\"2\"}}".getBytes(StandardCharsets.UTF_8)),
                new Query().with("fieldManager", "test")));
    assertThat(patched.path("data").path("w").asString()).isEqualTo("2");
    assertThatThrownBy(() -> create("a", "2"))
        .hasCauseInstanceOf(ApiException.class)
        .hasMessageContaining("configmaps \"a\" already exists");
    ObjectNode stale = configMap("a", "3");
    Meta.of(stale).put("resourceVersion", Long.toString(version));
    assertThatThrownBy(() -> join(client.update(CONFIG_MAPS, "default", "a", stale)))
        .hasMessageContaining("the object has been modified");
    join(client.delete(CONFIG_MAPS, "default", "a", null));
    assertThatThrownBy(() -> join(client.get(CONFIG_MAPS, "default", "a")))
        .hasMessageContaining("configmaps \"a\" not found");
  }

  @Test
  void anInformer_followsOverRestarts() {
    create("a", "1");
    Informer<Settings> informer = informers.informer(CONFIG_MAPS, Scope.namespace("default"));
    assertThat(informers.informer(CONFIG_MAPS, Scope.namespace("default"))).isSameAs(informer);
    Queue<String> told = new ConcurrentLinkedQueue<>();
    AutoCloseable unused =
        informer.listen(change -> told.add(change.getClass().getSimpleName() + " " + name(change)));
    assertThat(unused).isNotNull();
    join(informer.synced());
    Cached<Settings> first = requireNonNull(informer.snapshot().find("default", "a"));
    assertThat(first.value()).isEqualTo(new Settings(Map.of("v", "1")));
    assertThat(first.tree().path("metadata").has("managedFields")).isFalse();

    join(informer.awaitVersion(create("b", "2")));
    assertThat(informer.snapshot().find("default", "b")).isNotNull();
    server.restart();
    join(informer.awaitVersion(create("c", "3")));
    assertThat(informer.figures().feed().syncs()).isEqualTo(Map.of(SyncReason.FIRST, 1L));

    server.stop();
    server.startAgain();
    join(client.delete(CONFIG_MAPS, "default", "a", null));
    join(informer.awaitVersion(create("d", "4")));
    assertThat(informer.snapshot().find("default", "a")).isNull();
    Await.until("it is live", () -> informer.figures().feed().state() == FeedState.LIVE);
    assertThat(told)
        .filteredOn(line -> !line.endsWith("kube-root-ca.crt"))
        .containsExactly("Added a", "Added b", "Added c", "Deleted a", "Added d");
    assertThat(informers.figures()).hasSize(1);
  }

  private static String name(Change<Settings> change) {
    return change.newest().name();
  }

  @Test
  void aWrongAuthorityNameOrToken_isToldInWords() {
    HttpSettings right = transport.settings();
    String authority = requireNonNull(right.trust().authorityPem());
    assertFails(right.withTrust(new HttpSettings.Trust(null, null, false)), "unable to find valid");
    assertFails(
        right.withTrust(new HttpSettings.Trust(authority, "other.example.com", false)),
        "does not name other.example.com");
    assertFails(right.withIdentity(new Identity.Token("wrong")), "Unauthorized");
    assertWorks(right.withTrust(new HttpSettings.Trust(authority, "localhost", false)));
    assertWorks(right.withTrust(new HttpSettings.Trust(null, null, true)));
    assertWorks(right.withIdentity(new Identity.Token(server.credentials().adminToken())));
  }

  private void assertWorks(HttpSettings settings) {
    try (HttpTransport other = HttpTransport.open(env, settings)) {
      ObjectNode list = join(new Client(other).list(CONFIG_MAPS, "", new Query()));
      assertThat(list.path("kind").asString()).isEqualTo("ConfigMapList");
    }
  }

  private void assertFails(HttpSettings settings, String message) {
    try (HttpTransport other = HttpTransport.open(env, settings)) {
      assertThatThrownBy(() -> join(new Client(other).list(CONFIG_MAPS, "", new Query())))
          .hasMessageContaining(message);
    }
  }
}
