package dev.evenkeel.prove.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.serve.ServerSettings;
import dev.evenkeel.serve.service.ServiceRanges;
import dev.evenkeel.store.testkit.outside.EtcdProcess;
import dev.evenkeel.store.testkit.outside.NeedsProgram;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Services as fabric8's client makes and changes them: they keep the address that they got. */
class ServicesIT {

  @TempDir Path folder;

  private static Service service(String name, int port) {
    return new ServiceBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace("default")
        .endMetadata()
        .withNewSpec()
        .addToSelector("app", name)
        .addNewPort()
        .withName("http")
        .withPort(port)
        .withProtocol("TCP")
        .endPort()
        .endSpec()
        .build();
  }

  private static String address(Service service) {
    return service.getSpec().getClusterIP();
  }

  @Test
  void address_staysThroughEveryKindOfUpdate_andARestart() throws Exception {
    try (RunningServer server = RunningServer.start(folder, RunningServer.Setup.DURABLE);
        KubernetesClient client = FabricClients.of(server)) {
      Service made = client.resource(service("web", 80)).fieldManager("owner").serverSideApply();
      String address = address(made);
      assertThat(address).startsWith("10.");
      assertThat(made.getSpec().getClusterIPs()).containsExactly(address);
      assertThat(made.getSpec().getIpFamilies()).containsExactly("IPv4");
      var web = client.services().inNamespace("default").withName("web");
      assertThat(
              address(
                  client
                      .resource(service("web", 81))
                      .fieldManager("owner")
                      .forceConflicts()
                      .serverSideApply()))
          .isEqualTo(address);
      assertThat(address(client.resource(service("web", 82)).update())).isEqualTo(address);
      assertThat(
              address(
                  web.edit(
                      it ->
                          new ServiceBuilder(it)
                              .editSpec()
                              .withType("NodePort")
                              .endSpec()
                              .build())))
          .isEqualTo(address);
      assertThat(
              address(
                  web.patch(
                      PatchContext.of(PatchType.JSON_MERGE),
                      "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}")))
          .isEqualTo(address);
      int port = web.get().getSpec().getPorts().getFirst().getNodePort();
      server.restart();
      assertThat(address(web.get())).isEqualTo(address);
      assertThat(web.get().getSpec().getPorts().getFirst().getNodePort()).isEqualTo(port);
      Service greedy =
          new ServiceBuilder(service("greedy", 80))
              .editSpec()
              .withClusterIP(address)
              .endSpec()
              .build();
      assertThatThrownBy(() -> client.resource(greedy).create())
          .isInstanceOf(KubernetesClientException.class)
          .hasMessageContaining("provided IP is already allocated");
    }
  }

  @Test
  @NeedsProgram("etcd")
  void twoServersOnOneEtcd_giveNoAddressTwice() throws Exception {
    EtcdProcess etcd = EtcdProcess.start();
    var setup =
        RunningServer.Setup.MEMORY
            .withSettings(ServerSettings.DEFAULTS.withServices(ServiceRanges.parse("10.0.0.0/25")))
            .on(etcd.endpoint());
    try (RunningServer one =
            RunningServer.start(Files.createDirectory(folder.resolve("1")), setup);
        RunningServer two = RunningServer.start(Files.createDirectory(folder.resolve("2")), setup);
        KubernetesClient first = FabricClients.of(one);
        KubernetesClient second = FabricClients.of(two)) {
      List<CompletableFuture<Service>> made = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        KubernetesClient client = i % 2 == 0 ? first : second;
        Service wanted = service("s" + i, 80);
        made.add(CompletableFuture.supplyAsync(() -> client.resource(wanted).create()));
      }
      Set<String> addresses = new HashSet<>();
      for (CompletableFuture<Service> service : made) {
        addresses.add(address(service.join()));
      }
      assertThat(addresses).hasSize(100);
      for (int i = 0; i < 100; i++) {
        KubernetesClient other = i % 2 == 0 ? second : first;
        Service seen = other.services().inNamespace("default").withName("s" + i).get();
        assertThat(address(other.resource(service("s" + i, 81)).update())).isEqualTo(address(seen));
      }
    } finally {
      etcd.close();
    }
  }
}
