package dev.evenkeel.prove.bench.store;

import dev.evenkeel.prove.report.Table;
import dev.evenkeel.store.engine.mvcc.MvccOptions;
import dev.evenkeel.store.rocksdb.Durability;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures the engines side by side. */
@Command(
    name = "store",
    description = {
      "Measure the store's engines: commits, reads, watches, memory, start.",
      "Every figure is of this machine, now; compare within one run."
    })
public final class StoreBench implements Callable<Integer> {

  @Option(
      names = "--keys",
      split = ",",
      paramLabel = "N",
      defaultValue = "10000,100000,1000000",
      description = "How many keys the store holds; several make a table of growth.")
  private List<Integer> keys = List.of();

  @Option(
      names = "--engines",
      split = ",",
      paramLabel = "NAME",
      defaultValue = "embedded,etcd,memory",
      description = "Which engines: embedded, etcd, memory. etcd needs the program etcd.")
  private List<String> engines = List.of();

  @Option(names = "--writers", paramLabel = "N", defaultValue = "64", description = "Writers.")
  private int writers;

  @Option(
      names = "--value-bytes",
      paramLabel = "N",
      defaultValue = "1024",
      description = "A value's size.")
  private int valueBytes;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "5",
      description = "How long each rate is measured, after half as long to warm up.")
  private int seconds;

  @Option(
      names = "--cache",
      paramLabel = "MIB",
      description = "The embedded engine's cache of values; a quarter of the heap if not set.")
  private int cacheMebibytes = (int) (MvccOptions.DEFAULTS.valueCacheBytesMax() >> 20);

  @Option(
      names = "--durability",
      paramLabel = "MODE",
      defaultValue = "sync",
      description = "The embedded engine's: sync, or os to leave it to the operating system.")
  private Durability durability = Durability.SYNC;

  @Option(
      names = "--folder",
      paramLabel = "DIR",
      description =
          "Where the engines keep their data during the run; a temporary folder if not set.")
  private @Nullable Path folder;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    PrintWriter out = spec.commandLine().getOut();
    check();
    Path place =
        folder == null
            ? Files.createTempDirectory("evenkeel-bench")
            : Files.createTempDirectory(Files.createDirectories(folder), "run");
    try {
      describe(out, place);
      var rows = new ArrayList<Row>();
      for (int size : keys) {
        for (String engine : engines) {
          Row row = measure(engine, size, place);
          out.println(row.progress());
          out.flush();
          rows.add(row);
        }
      }
      print(out, rows);
      return 0;
    } finally {
      Engine.deleteRecursively(place);
    }
  }

  private void check() {
    if (writers < 1 || seconds < 1 || valueBytes < 0 || cacheMebibytes < 0) {
      throw new ParameterException(
          spec.commandLine(), "writers and seconds start at 1, sizes at 0");
    }
    for (int size : keys) {
      if (size < writers) {
        throw new ParameterException(
            spec.commandLine(),
            "--keys " + size + " is less than one key for each of " + writers + " writers");
      }
    }
    for (String engine : engines) {
      if (!Engine.NAMES.contains(engine)) {
        throw new ParameterException(
            spec.commandLine(),
            "no engine is called " + engine + "; there are " + String.join(", ", Engine.NAMES));
      }
    }
  }

  private void describe(PrintWriter out, Path place) throws IOException {
    FileStore disk = Files.getFileStore(place);
    out.printf(
        "store bench · %d cores · heap %d MiB · %s · %d writers · values of %d bytes · cache %d MiB"
            + " · durability %s%n",
        Runtime.getRuntime().availableProcessors(),
        Runtime.getRuntime().maxMemory() >> 20,
        disk.type(),
        writers,
        valueBytes,
        cacheMebibytes,
        durability);
    if (disk.type().equals("tmpfs")) {
      out.println("note: this folder is in memory, a sync costs nothing here; use --folder DIR");
    }
    out.flush();
  }

  private Row measure(String name, int size, Path place) throws Exception {
    Path own = Files.createDirectories(place.resolve(name + "-" + size));
    try (Engine engine = Engine.named(name, own, (long) cacheMebibytes << 20, durability)) {
      var figures = new Measurements(engine, size, writers, valueBytes, seconds).all();
      return new Row(name, size, figures);
    } finally {
      Engine.deleteRecursively(own);
    }
  }

  /** One engine at one size. */
  private record Row(String engine, int keys, Map<Figure, Double> figures) {

    String progress() {
      return "  %s at %,d keys: %,.0f commits/s, %,.0f reads/s"
          .formatted(
              engine,
              keys,
              figures.getOrDefault(Figure.COMMITS_PER_SECOND, Double.NaN),
              figures.getOrDefault(Figure.READS_PER_SECOND, Double.NaN));
    }
  }

  private void print(PrintWriter out, List<Row> rows) {
    var header = new ArrayList<String>(List.of("figure"));
    for (Row row : rows) {
      header.add("%s %s".formatted(row.engine, shortCount(row.keys)));
    }
    var table = new Table(header);
    for (Figure figure : Figure.values()) {
      var cells = new ArrayList<String>(List.of(figure.title()));
      for (Row row : rows) {
        Double value = row.figures.get(figure);
        cells.add(value == null ? "-" : figure.format(value));
      }
      table.add(cells);
    }
    out.println();
    out.println(table.text());
    for (Map.Entry<Integer, Double> ratio : ratios(rows).entrySet()) {
      out.printf(
          "embedded commits %.1f times what etcd does at %,d keys, same run, same disk%n",
          ratio.getValue(), ratio.getKey());
    }
    out.flush();
  }

  private static String shortCount(int count) {
    return count % 1_000_000 == 0
        ? count / 1_000_000 + "M"
        : count % 1000 == 0 ? count / 1000 + "k" : String.valueOf(count);
  }

  private static Map<Integer, Double> ratios(List<Row> rows) {
    var ratios = new LinkedHashMap<Integer, Double>();
    for (Row embedded : rows) {
      for (Row etcd : rows) {
        if (embedded.engine.equals("embedded")
            && etcd.engine.equals("etcd")
            && embedded.keys == etcd.keys) {
          ratios.put(
              embedded.keys,
              embedded.figures.getOrDefault(Figure.COMMITS_PER_SECOND, Double.NaN)
                  / etcd.figures.getOrDefault(Figure.COMMITS_PER_SECOND, Double.NaN));
        }
      }
    }
    return ratios;
  }
}
