package dev.evenkeel.prove.bench.queue;

import dev.evenkeel.decide.queue.Item;
import dev.evenkeel.decide.queue.Key;
import dev.evenkeel.decide.queue.Priority;
import dev.evenkeel.decide.queue.QueueLimits;
import dev.evenkeel.decide.queue.Result;
import dev.evenkeel.decide.queue.Wake;
import dev.evenkeel.decide.queue.WorkQueue;
import dev.evenkeel.kernel.env.RealEnv;
import dev.evenkeel.prove.report.Table;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures the work queue of a controller. */
@Command(
    name = "queue",
    description = {
      "Measure the work queue: adds that merge, takes, memory a key.",
      "Every figure is of this machine, now; compare within one run."
    })
public final class QueueBench implements Callable<Integer> {

  private static final int NAMESPACES = 1000;
  private static final Wake CHANGED = new Wake(Wake.Kind.OBJECT, "changed");

  @Option(names = "--adds", paramLabel = "N", defaultValue = "1000000", description = "Wake-ups.")
  private int adds;

  @Option(
      names = "--keys",
      paramLabel = "N",
      defaultValue = "100000",
      description = "Different keys among them.")
  private int keys;

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "4",
      description = "Threads that add, and then as many that take.")
  private int threads;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "7",
      description = "How often all is done; the first two warm up, the median of the rest counts.")
  private int rounds;

  @Spec private CommandSpec spec;

  /** One round. */
  private record Round(
      double addsPerSecond, double takesPerSecond, double mixedPerSecond, double bytesPerKey) {}

  @Override
  public Integer call() throws InterruptedException {
    if (adds < 1 || keys < 1 || keys > adds || threads < 1 || rounds < 3) {
      throw new ParameterException(
          spec.commandLine(),
          "adds, keys and threads start at 1, rounds at 3, and there are no more keys than adds");
    }
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        Locale.ROOT,
        "queue bench · %d cores · %,d adds of %,d keys in %,d namespaces · %d threads · %d"
            + " rounds%n",
        Runtime.getRuntime().availableProcessors(),
        adds,
        keys,
        Math.min(keys, NAMESPACES),
        threads,
        rounds);
    out.flush();
    Key[] all = new Key[keys];
    for (int i = 0; i < keys; i++) {
      all[i] = new Key("namespace-" + i % NAMESPACES, "object-" + i);
    }
    int[] order = order();
    var measured = new ArrayList<Round>();
    for (int i = 0; i < rounds; i++) {
      Round round = round(all, order);
      if (i >= 2) {
        measured.add(round);
      }
    }
    print(out, measured);
    return 0;
  }

  /** Every key once, then any, in an order by chance. */
  private int[] order() {
    var random = new SplittableRandom(1);
    int[] order = new int[adds];
    for (int i = 0; i < adds; i++) {
      order[i] = i < keys ? i : random.nextInt(keys);
    }
    for (int i = adds - 1; i > 0; i--) {
      int other = random.nextInt(i + 1);
      int swapped = order[i];
      order[i] = order[other];
      order[other] = swapped;
    }
    return order;
  }

  private Round round(Key[] all, int[] order) throws InterruptedException {
    var env = new RealEnv();
    long before = liveBytes();
    var queue = new WorkQueue("bench", env.clock(), env.random(), QueueLimits.DEFAULTS);
    double addSeconds = together(thread -> add(queue, all, order, thread));
    double bytes = (double) (liveBytes() - before) / keys;
    var taken = new AtomicLong();
    double takeSeconds = together(_ -> taken.addAndGet(takeAll(queue)));
    if (taken.get() != keys) {
      throw new IllegalStateException(taken.get() + " of " + keys + " keys came out");
    }
    double mixedSeconds =
        together(
            thread -> {
              for (int i = thread; i < adds; i += threads) {
                wake(queue, all[order[i]], i);
                Item item = queue.take();
                if (item != null) {
                  queue.done(item, new Result.Settled());
                }
              }
            });
    return new Round(adds / addSeconds, keys / takeSeconds, adds / mixedSeconds, bytes);
  }

  private void add(WorkQueue queue, Key[] all, int[] order, int thread) {
    for (int i = thread; i < adds; i += threads) {
      wake(queue, all[order[i]], i);
    }
  }

  private static void wake(WorkQueue queue, Key key, int i) {
    Priority priority = i % 8 == 0 ? Priority.HIGH : i % 8 == 1 ? Priority.LOW : Priority.NORMAL;
    if (!queue.add(key, priority, CHANGED)) {
      throw new IllegalStateException("the queue refused " + key);
    }
  }

  private static long takeAll(WorkQueue queue) {
    long count = 0;
    for (Item item = queue.take(); item != null; item = queue.take()) {
      queue.done(item, new Result.Settled());
      count++;
    }
    return count;
  }

  /** Runs the work on all threads at once; answers how long it took. */
  private double together(IntConsumer work) throws InterruptedException {
    var start = new CountDownLatch(1);
    var failures = new ArrayList<Throwable>();
    var running = new ArrayList<Thread>();
    for (int i = 0; i < threads; i++) {
      int thread = i;
      running.add(
          Thread.ofPlatform()
              .uncaughtExceptionHandler(
                  (_, failure) -> {
                    synchronized (failures) {
                      failures.add(failure);
                    }
                  })
              .start(
                  () -> {
                    try {
                      start.await();
                    } catch (InterruptedException e) {
                      throw new IllegalStateException(e);
                    }
                    work.accept(thread);
                  }));
    }
    long begin = System.nanoTime();
    start.countDown();
    for (Thread thread : running) {
      thread.join();
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    synchronized (failures) {
      if (!failures.isEmpty()) {
        throw new IllegalStateException("a thread failed", failures.getFirst());
      }
    }
    return seconds;
  }

  private static long liveBytes() throws InterruptedException {
    for (int i = 0; i < 2; i++) {
      System.gc();
      Thread.sleep(50);
    }
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  private void print(PrintWriter out, List<Round> measured) {
    var table = new Table(List.of("figure", "median", "least", "most"));
    table.add(row("adds a second", measured.stream().mapToDouble(Round::addsPerSecond).toArray()));
    table.add(
        row(
            "takes a second, each with its done",
            measured.stream().mapToDouble(Round::takesPerSecond).toArray()));
    table.add(
        row(
            "add, take, done in turn, a second",
            measured.stream().mapToDouble(Round::mixedPerSecond).toArray()));
    table.add(
        row(
            "bytes a ready key, the key itself not counted",
            measured.stream().mapToDouble(Round::bytesPerKey).toArray()));
    out.println();
    out.println(table.text());
    out.flush();
  }

  private static List<String> row(String title, double[] values) {
    Arrays.sort(values);
    return List.of(
        title,
        count(values[values.length / 2]),
        count(values[0]),
        count(values[values.length - 1]));
  }

  private static String count(double value) {
    return String.format(Locale.ROOT, "%,.0f", value);
  }
}
