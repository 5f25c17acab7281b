package dev.evenkeel.prove.bench.store;

import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.env.RealEnv;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.engine.mvcc.MvccOptions;
import dev.evenkeel.store.memory.MemoryStore;
import dev.evenkeel.store.rocksdb.Durability;
import dev.evenkeel.store.rocksdb.EmbeddedOptions;
import dev.evenkeel.store.rocksdb.EmbeddedStore;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** An engine to be measured: how to open it, and what it costs outside this JVM. */
interface Engine extends AutoCloseable {

  Env ENV = new RealEnv();

  List<String> NAMES = List.of("embedded", "etcd", "memory");

  /** Opens the store, at first empty, later with what it held. */
  Store open();

  /** The same without a cache of values, where the engine has one. */
  default Store openUncached() {
    return open();
  }

  /** Whether a store opened again holds what it held. */
  boolean durable();

  /** Whether keys are held in this JVM's heap. */
  boolean inHeap();

  /** CPU time spent so far, by this JVM and whatever else the engine runs on. */
  default Duration cpu() {
    var system =
        (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return Duration.ofNanos(system.getProcessCpuTime());
  }

  @Override
  void close();

  static Engine named(String name, Path folder, long cacheBytes, Durability durability) {
    return switch (name) {
      case "memory" -> new Memory();
      case "embedded" -> new Embedded(folder, cacheBytes, durability);
      case "etcd" -> new Etcd(folder);
      default -> throw new IllegalArgumentException("no engine is called " + name);
    };
  }

  /** The store in memory. */
  record Memory() implements Engine {
    @Override
    public Store open() {
      return MemoryStore.open(ENV);
    }

    @Override
    public boolean durable() {
      return false;
    }

    @Override
    public boolean inHeap() {
      return true;
    }

    @Override
    public void close() {}
  }

  /** The embedded store, durable. */
  record Embedded(Path folder, long cacheBytes, Durability durability) implements Engine {
    @Override
    public Store open() {
      return open(cacheBytes);
    }

    @Override
    public Store openUncached() {
      return open(0);
    }

    private Store open(long bytes) {
      return EmbeddedStore.open(
          ENV,
          EmbeddedOptions.in(folder.resolve("data"))
              .withDurability(durability)
              .withMvcc(MvccOptions.DEFAULTS.withValueCacheBytesMax(bytes)));
    }

    @Override
    public boolean durable() {
      return true;
    }

    @Override
    public boolean inHeap() {
      return true;
    }

    @Override
    public void close() {}
  }

  static void deleteRecursively(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    List<Path> files;
    try (Stream<Path> walk = Files.walk(folder)) {
      files = walk.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : files) {
      Files.deleteIfExists(file);
    }
  }
}
