package dev.evenkeel.prove.bench.informer;

import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.observe.object.Kinds;
import dev.evenkeel.observe.transport.Client;
import dev.evenkeel.observe.transport.Transport;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Pods as a Deployment makes them: a few labels, an owner, a container with resources and probes.
 */
public final class PodLoad {

  private static final int UNDER_WAY_MAX = 48;
  private static final int PODS_OF_ONE_OWNER = 20;

  private PodLoad() {}

  /** Creates so many in the namespace {@code default}. */
  public static void create(Transport transport, int count) throws InterruptedException {
    var client = new Client(transport);
    var room = new Semaphore(UNDER_WAY_MAX);
    var failure = new AtomicReference<@Nullable Throwable>();
    for (int i = 0; i < count && failure.get() == null; i++) {
      room.acquire();
      CompletableFuture<ObjectNode> created = client.create(Kinds.PODS, "default", pod(i));
      var _ =
          created.whenComplete(
              (_, problem) -> {
                if (problem != null) {
                  failure.compareAndSet(null, problem);
                }
                room.release();
              });
    }
    room.acquire(UNDER_WAY_MAX);
    Throwable problem = failure.get();
    if (problem != null) {
      throw new IllegalStateException("a pod could not be created", problem);
    }
  }

  private static ObjectNode pod(int number) {
    int owner = number / PODS_OF_ONE_OWNER;
    return Json.parseObject(
        """
        {"apiVersion":"v1","kind":"Pod","metadata":{"name":"shop-%1$d-%2$d","namespace":"default",
         "labels":{"app":"shop-%1$d","pod-template-hash":"7c5ddbdf54","team":"team-%3$d"},
         "annotations":{"checksum/config":"b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c"},
         "ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"shop-%1$d",
          "uid":"%4$s","controller":true,"blockOwnerDeletion":true}]},
         "spec":{"containers":[{"name":"main","image":"registry.example.com/shop/main:1.2.3",
          "env":[{"name":"LOG_LEVEL","value":"info"},{"name":"REGION","value":"eu-1"}],
          "ports":[{"containerPort":8080,"name":"http","protocol":"TCP"}],
          "resources":{"requests":{"cpu":"100m","memory":"128Mi"},"limits":{"memory":"256Mi"}},
          "readinessProbe":{"httpGet":{"path":"/ready","port":8080},"periodSeconds":5}}],
          "nodeSelector":{"kubernetes.io/os":"linux"}}}
        """
            .formatted(owner, number, owner % 20, "00000000-0000-4000-8000-%012d".formatted(owner))
            .getBytes(StandardCharsets.UTF_8));
  }
}
