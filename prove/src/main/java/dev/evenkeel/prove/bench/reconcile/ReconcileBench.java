package dev.evenkeel.prove.bench.reconcile;

import dev.evenkeel.decide.plan.Plan;
import dev.evenkeel.decide.queue.Key;
import dev.evenkeel.decide.queue.Priority;
import dev.evenkeel.decide.queue.Wake;
import dev.evenkeel.decide.queue.WorkQueue;
import dev.evenkeel.decide.run.Controller;
import dev.evenkeel.decide.run.Operator;
import dev.evenkeel.explain.log.DecisionLog;
import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.env.RealEnv;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.observe.object.Kind;
import dev.evenkeel.observe.transport.Client;
import dev.evenkeel.operate.inprocess.InProcessTransport;
import dev.evenkeel.prove.report.Table;
import dev.evenkeel.serve.ApiServer;
import dev.evenkeel.serve.ServerSettings;
import dev.evenkeel.serve.api.ApiRequest;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.memory.MemoryStore;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.databind.node.ObjectNode;

/**
 * Wakes a controller for every object of a kind, again and again: it reads the object and one of
 * another kind, and plans nothing. Each look is written down, as a server does.
 */
@Command(
    name = "reconcile",
    description = {
      "Measure looks that find nothing to do: queue, view, reconciler, decision record.",
      "Every figure is of this machine, now; compare within one run."
    })
public final class ReconcileBench implements Callable<Integer> {

  private static final Kind<ObjectNode> MAPS = Kind.untyped("v1", "ConfigMap", "configmaps", true);
  private static final Kind<ObjectNode> ACCOUNTS =
      Kind.untyped("v1", "ServiceAccount", "serviceaccounts", true);
  private static final Wake CHANGED = new Wake(Wake.Kind.OBJECT, "changed");
  private static final String NAMESPACE = "default";
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(5);

  /** Creates that may be under way at a time. */
  private static final int CREATES_MAX = 200;

  @Option(
      names = "--objects",
      paramLabel = "N",
      defaultValue = "10000",
      description = "How many objects. Default: ${DEFAULT-VALUE}.")
  private int objects;

  @Option(
      names = "--looks",
      paramLabel = "N",
      defaultValue = "50",
      description = "How often each is looked at in a round. Default: ${DEFAULT-VALUE}.")
  private int looks;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "7",
      description = "How often all is done; the first two warm up, the median of the rest counts.")
  private int rounds;

  @Spec private CommandSpec spec;

  /** One round. */
  private record Round(double looksPerSecond, double cpuMicros, double allocatedBytes) {}

  @Override
  public Integer call() {
    if (objects < 1 || looks < 1 || rounds < 3) {
      throw new ParameterException(
          spec.commandLine(), "--objects and --looks are at least 1, --rounds at least 3");
    }
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        Locale.ROOT,
        "reconcile bench · %d cores · %,d objects · %,d looks at each in a round · %d rounds%n",
        Runtime.getRuntime().availableProcessors(),
        objects,
        looks,
        rounds);
    out.flush();
    Env env = new RealEnv();
    var log = DecisionLog.ofServer();
    try (Store store = MemoryStore.open(env);
        ApiServer server = ApiServer.open(env, store, ServerSettings.DEFAULTS)) {
      server.ready().join();
      var transport =
          new InProcessTransport(
              env, server, new ApiRequest.Peer("bench", List.of("system:masters")));
      try (Operator operator = Operator.over(env, transport, log)) {
        List<Key> keys = create(operator.client());
        var _ = operator.run(doNothing());
        WorkQueue queue = operator.running().getFirst().queue();
        await(queue, objects);
        List<Round> measured = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
          Round round = round(queue, keys);
          if (i >= 2) {
            measured.add(round);
          }
        }
        checkRecorded(log, queue);
        print(out, measured);
      }
    }
    return 0;
  }

  private static Controller<ObjectNode> doNothing() {
    return Controller.of(
            "nothing",
            MAPS,
            (map, view) -> {
              var _ = view.find(ACCOUNTS, map.namespace(), map.name());
              return Plan.empty();
            })
        .reading(ACCOUNTS);
  }

  private List<Key> create(Client client) {
    List<Key> keys = new ArrayList<>();
    List<CompletableFuture<ObjectNode>> underWay = new ArrayList<>();
    for (int i = 0; i < objects; i++) {
      String name = "object-" + i;
      keys.add(new Key(NAMESPACE, name));
      underWay.add(
          client.create(
              MAPS,
              NAMESPACE,
              Json.parseObject(
                  ("{\"metadata\":{\"name\":\"" + name + "\"},\"data\":{\"key\":\"value\"}}")
                      .getBytes(StandardCharsets.UTF_8))));
      if (underWay.size() == CREATES_MAX) {
        underWay.forEach(CompletableFuture::join);
        underWay.clear();
      }
    }
    underWay.forEach(CompletableFuture::join);
    return keys;
  }

  private Round round(WorkQueue queue, List<Key> keys) {
    long before = queue.figures().takes();
    long cpuBefore = cpuNanos();
    long allocatedBefore = allocatedBytes();
    long start = System.nanoTime();
    for (int i = 1; i <= looks; i++) {
      for (Key key : keys) {
        if (!queue.add(key, Priority.NORMAL, CHANGED)) {
          throw new IllegalStateException("the queue refused " + key);
        }
      }
      // Wake-ups of a key that waits would merge: the next come when all were looked at.
      await(queue, before + (long) i * objects);
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    double count = (double) objects * looks;
    return new Round(
        count / seconds,
        (cpuNanos() - cpuBefore) / 1e3 / count,
        (allocatedBytes() - allocatedBefore) / count);
  }

  private static void await(WorkQueue queue, long takes) {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (true) {
      var figures = queue.figures();
      if (figures.takes() >= takes && figures.depth() == 0) {
        return;
      }
      if (System.nanoTime() > end) {
        throw new IllegalStateException(
            figures.takes() + " looks of " + takes + " after five minutes");
      }
      LockSupport.parkNanos(200_000);
    }
  }

  /** Ids are counted up: the newest tells how many were written down. */
  private static void checkRecorded(DecisionLog log, WorkQueue queue) {
    long takes = queue.figures().takes();
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (recorded(log) < takes) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException(recorded(log) + " records of " + takes + " looks");
      }
      LockSupport.parkNanos(1_000_000);
    }
  }

  private static long recorded(DecisionLog log) {
    var newest = log.newest(_ -> true, 1);
    return newest.isEmpty() ? 0 : Long.parseLong(newest.getFirst().id(), 16);
  }

  private static long cpuNanos() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private static long allocatedBytes() {
    return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean())
        .getTotalThreadAllocatedBytes();
  }

  private static void print(PrintWriter out, List<Round> measured) {
    var table = new Table(List.of("figure", "median", "least", "most"));
    table.add(row("looks a second", measured, "%,.0f", Round::looksPerSecond));
    table.add(row("CPU a look, µs", measured, "%,.2f", Round::cpuMicros));
    table.add(row("bytes allocated a look", measured, "%,.0f", Round::allocatedBytes));
    out.println();
    out.println(table.text());
    out.flush();
  }

  private static List<String> row(
      String title, List<Round> measured, String format, ToDoubleFunction<Round> figure) {
    double[] values = measured.stream().mapToDouble(figure).toArray();
    Arrays.sort(values);
    return List.of(
        title,
        String.format(Locale.ROOT, format, values[values.length / 2]),
        String.format(Locale.ROOT, format, values[0]),
        String.format(Locale.ROOT, format, values[values.length - 1]));
  }
}
