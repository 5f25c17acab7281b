package dev.evenkeel.prove.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.evenkeel.store.testkit.outside.NeedsProgram;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Webhooks over real HTTPS, through the tool that people use. */
@NeedsProgram("kubectl")
class WebhookIT {

  private RunningServer server;
  private Kubectl kubectl;
  private WebhookServer webhooks;

  @BeforeEach
  void start(@TempDir Path home) throws IOException, GeneralSecurityException {
    webhooks = new WebhookServer("127.0.0.1", "hooks.default.svc");
    server = RunningServer.start(home);
    kubectl = new Kubectl(home, server.kubeconfig());
  }

  @AfterEach
  void stop() {
    server.close();
    webhooks.close();
  }

  private String client(String path) {
    return "{url: \"https://127.0.0.1:%d%s\", caBundle: %s}"
        .formatted(webhooks.port(), path, webhooks.caBundle());
  }

  private String configuration(String kind, String name, String client, String more) {
    return """
    apiVersion: admissionregistration.k8s.io/v1
    kind: %sWebhookConfiguration
    metadata: {name: %s}
    webhooks:
    - name: %s.example.com
      clientConfig: %s
      rules:
      - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}
      sideEffects: None
      admissionReviewVersions: [v1]
    %s
    """
        .formatted(kind, name, name, client, more);
  }

  private void register(String kind, String name, String client, String more) {
    assertThat(kubectl.okWith(configuration(kind, name, client, more), "apply", "-f", "-"))
        .contains(name + " created");
  }

  /** Loopback is no address of an endpoint. */
  private static String ownAddress() throws IOException {
    String found =
        NetworkInterface.networkInterfaces()
            .flatMap(NetworkInterface::inetAddresses)
            .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
            .map(InetAddress::getHostAddress)
            .findFirst()
            .orElse("");
    assumeThat(found).as("an address of this machine").isNotEmpty();
    return found;
  }

  private Kubectl.Result map(String name) {
    return kubectl.run("create", "configmap", name, "--from-literal=k=v");
  }

  @Test
  void label_isAdded_andDenialIsTold() {
    webhooks.answer(
        "/label",
        _ ->
            WebhookServer.patch(
                "[{\"op\":\"add\",\"path\":\"/metadata/labels\",\"value\":{\"by\":\"hook\"}}]"));
    webhooks.answer(
        "/check",
        request ->
            request.path("name").asString().startsWith("bad")
                ? """
                {"allowed":false,"warnings":["names are words"],
                 "status":{"code":403,"reason":"Forbidden","message":"this name is bad"}}
                """
                : "{\"allowed\":true,\"warnings\":[\"this is the last time\"]}");
    register("Mutating", "label", client("/label"), "");
    register("Validating", "check", client("/check"), "");
    Kubectl.Result made = map("good");
    assertThat(made.code()).as(made.err()).isZero();
    assertThat(made.err()).contains("Warning: this is the last time");
    assertThat(kubectl.ok("get", "configmap", "good", "-o", "jsonpath={.metadata.labels.by}"))
        .isEqualTo("hook");
    Kubectl.Result refused = map("bad");
    assertThat(refused.code()).isNotZero();
    assertThat(refused.err())
        .contains("Warning: names are words")
        .contains("admission webhook \"check.example.com\" denied the request: this name is bad");
    assertThat(webhooks.callsOf("/label")).isEqualTo(2);
    assertThat(webhooks.callsOf("/check")).isEqualTo(2);
  }

  @Test
  void service_isCalledAtItsEndpoint_underItsName() throws IOException {
    String address = ownAddress();
    webhooks.answer("/check", _ -> "{\"allowed\":false}");
    var _ =
        kubectl.okWith(
            """
            apiVersion: v1
            kind: Service
            metadata: {name: hooks, namespace: default}
            spec: {ports: [{port: 443, targetPort: 1}]}
            ---
            apiVersion: discovery.k8s.io/v1
            kind: EndpointSlice
            metadata:
              name: hooks-1
              namespace: default
              labels: {kubernetes.io/service-name: hooks}
            addressType: IPv4
            ports: [{port: %d, name: ""}]
            endpoints: [{addresses: [%s]}]
            """
                .formatted(webhooks.port(), address),
            "apply",
            "-f",
            "-");
    String service = "{service: {namespace: default, name: %s, path: /check}, caBundle: %s}";
    register("Validating", "check", service.formatted("hooks", webhooks.caBundle()), "");
    assertThat(map("a").err())
        .contains("admission webhook \"check.example.com\" denied the request without explanation");
    // Its certificate is not another service's.
    var _ = kubectl.ok("delete", "validatingwebhookconfiguration", "check");
    var _ =
        kubectl.okWith(
            """
            apiVersion: v1
            kind: Service
            metadata: {name: other, namespace: default}
            spec: {ports: [{port: 443, targetPort: 1}]}
            ---
            apiVersion: discovery.k8s.io/v1
            kind: EndpointSlice
            metadata:
              name: other-1
              namespace: default
              labels: {kubernetes.io/service-name: other}
            addressType: IPv4
            ports: [{port: %d, name: ""}]
            endpoints: [{addresses: [%s]}]
            """
                .formatted(webhooks.port(), address),
            "apply",
            "-f",
            "-");
    register("Validating", "other", service.formatted("other", webhooks.caBundle()), "");
    assertThat(map("b").err()).contains("does not name other.default.svc");
  }

  @Test
  void strangers_areNotTrusted_andRedirectsNotFollowed() throws Exception {
    webhooks.answer("/secret", _ -> "{\"allowed\":true}");
    webhooks.at(
        "/redirect",
        exchange -> {
          exchange.getResponseHeaders().add("Location", "/secret");
          exchange.sendResponseHeaders(307, -1);
        });
    register("Validating", "redirect", client("/redirect"), "");
    assertThat(map("a").err())
        .contains("failed calling webhook \"redirect.example.com\"")
        .contains("the server answered with a redirect (307), which is not followed");
    assertThat(webhooks.callsOf("/secret")).isZero();
    var _ = kubectl.ok("delete", "validatingwebhookconfiguration", "redirect");
    try (var stranger = new WebhookServer("127.0.0.1")) {
      stranger.answer("/check", _ -> "{\"allowed\":true}");
      String client =
          "{url: \"https://127.0.0.1:%d/check\", caBundle: %s}"
              .formatted(stranger.port(), webhooks.caBundle());
      register("Validating", "stranger", client, "");
      assertThat(map("a").err()).contains("failed to call webhook").contains("tls: ");
      assertThat(stranger.callsOf("/check")).isZero();
    }
  }

  @Test
  void babblingWebhook_isNotListenedToForLong() {
    webhooks.at(
        "/babble",
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          byte[] piece = new byte[64 * 1024];
          for (int i = 0; i < 1_000; i++) {
            exchange.getResponseBody().write(piece);
          }
        });
    register("Validating", "babble", client("/babble"), "");
    assertThat(map("a").err()).contains("the answer is longer than 8388608 bytes");
  }

  @Test
  void whoIsDown_isIgnoredOrNot_asItsPolicySays() {
    String down = "{url: \"https://127.0.0.1:1/x\", caBundle: %s}".formatted(webhooks.caBundle());
    register("Validating", "down", down, "  failurePolicy: Ignore");
    assertThat(map("a").code()).isZero();
    var _ = kubectl.ok("delete", "validatingwebhookconfiguration", "down");
    register("Validating", "down", down, "  failurePolicy: Fail");
    assertThat(map("b").err())
        .contains(
            "Internal error occurred: failed calling webhook \"down.example.com\": failed to call"
                + " webhook: Post \"https://127.0.0.1:1/x?timeout=10s\": connect: connection"
                + " refused");
  }

  @Test
  void whoHangs_holdsUpItsOwnRequestsOnly() {
    var end = new CountDownLatch(1);
    webhooks.at(
        "/hang",
        exchange -> {
          try {
            end.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    register("Validating", "hang", client("/hang"), "  timeoutSeconds: 5");
    long began = System.nanoTime();
    try (var hanging = kubectl.start("create", "configmap", "a")) {
      Await.until("it is called", () -> webhooks.callsOf("/hang") > 0);
      for (int i = 0; i < 5; i++) {
        var _ = kubectl.ok("create", "serviceaccount", "other-" + i);
      }
      assertThat(hanging.process().isAlive()).isTrue();
      assertThat(hanging.await().err()).contains("context deadline exceeded");
    }
    assertThat(System.nanoTime() - began).isBetween(4_500_000_000L, 20_000_000_000L);
    end.countDown();
  }
}
