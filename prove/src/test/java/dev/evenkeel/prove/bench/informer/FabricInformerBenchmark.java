package dev.evenkeel.prove.bench.informer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.env.RealEnv;
import dev.evenkeel.observe.http.HttpSettings;
import dev.evenkeel.observe.http.Kubeconfig;
import dev.evenkeel.observe.object.Trim;
import dev.evenkeel.prove.bench.api.server.OwnServer;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Our informer and fabric8's, of the same server in the same run, in turns. By hand:
 *
 * <pre>mvn -pl prove -am test -Dtest=FabricInformerBenchmark \
 *   -Dsurefire.failIfNoSpecifiedTests=false -Devenkeel.bench.objects=100000 \
 *   -Dtest.jvm.arguments="-Xmx6g --enable-native-access=ALL-UNNAMED"</pre>
 *
 * <p>fabric8 needs about 25 kB of heap for each of these pods.
 */
class FabricInformerBenchmark {

  private static final int OBJECTS = Integer.getInteger("evenkeel.bench.objects", 100_000);
  private static final int ROUNDS = Integer.getInteger("evenkeel.bench.rounds", 3);

  @Test
  void informers_ofTheSameServerInTheSameRun(@TempDir Path folder)
      throws IOException, InterruptedException {
    Env env = new RealEnv();
    List<InformerRun> runs = new ArrayList<>();
    try (var server = new OwnServer(folder, "memory", List.of()).withoutControllers()) {
      double _ = server.start();
      Path kubeconfig = folder.resolve("kubeconfig");
      HttpSettings settings = Kubeconfig.read(kubeconfig).settings();
      long jsonBytes = InformerBench.load(env, settings, OBJECTS);
      for (int i = 0; i < ROUNDS; i++) {
        runs.add(
            InformerRun.ours("ours, managedFields dropped", env, settings, Trim.MANAGED_FIELDS));
        runs.add(InformerRun.ours("ours, everything kept", env, settings, Trim.NONE));
        runs.add(InformerRun.of("fabric8", () -> fabric8(kubeconfig)));
      }
      System.out.println(InformerBench.report(runs, jsonBytes));
    }
    assertThat(runs).allMatch(run -> run.objects() == OBJECTS);
  }

  private static InformerRun.Filled fabric8(Path kubeconfig) {
    KubernetesClient client;
    try {
      client =
          new KubernetesClientBuilder()
              .withConfig(Config.fromKubeconfig(Files.readString(kubeconfig)))
              .build();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    // Runs when it returns: its cache has then been filled.
    SharedIndexInformer<Pod> informer = client.pods().inAnyNamespace().inform();
    return new InformerRun.Filled() {
      @Override
      public int objects() {
        return informer.getStore().list().size();
      }

      @Override
      public void close() {
        informer.close();
        client.close();
      }
    };
  }
}
