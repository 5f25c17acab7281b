package dev.evenkeel.operate.up;

import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.engine.mvcc.MvccOptions;
import dev.evenkeel.store.engine.watch.FeedLimits;
import dev.evenkeel.store.etcd.EtcdStore;
import dev.evenkeel.store.etcd.client.EtcdOptions;
import dev.evenkeel.store.memory.MemoryStore;
import dev.evenkeel.store.rocksdb.Durability;
import dev.evenkeel.store.rocksdb.EmbeddedOptions;
import dev.evenkeel.store.rocksdb.EmbeddedStore;
import java.nio.file.Path;

/** Which engine holds the state. */
sealed interface StoreChoice {

  /**
   * The embedded engine's own cache of values. Small, because the server's watch cache holds every
   * object that is read often: a second copy of them would only cost memory.
   */
  long VALUE_CACHE_BYTES_MAX = 4L << 20;

  /** The same goes for what RocksDB keeps of its files. */
  long BLOCK_CACHE_BYTES_MAX = 4L << 20;

  /**
   * What the engine keeps of each kind's changes for the watch cache, which reads them at once and
   * has a window of its own.
   */
  FeedLimits FEED_LIMITS = new FeedLimits(2048, 4L << 20, 1024, 2L << 20);

  /** What the engine is, for people. */
  String description();

  Store open(Env env);

  /** Whether other servers may work on the same store. */
  default boolean shared() {
    return false;
  }

  /** In memory, gone with the process. */
  record Memory() implements StoreChoice {
    @Override
    public String description() {
      return "memory · nothing is kept";
    }

    @Override
    public Store open(Env env) {
      return MemoryStore.open(env);
    }
  }

  /** In a folder of this machine. */
  record Embedded(Path folder, Durability durability, boolean acceptLoss) implements StoreChoice {
    @Override
    public String description() {
      return "embedded · "
          + Home.shorten(folder)
          + (durability == Durability.OS ? " · synced by the system" : "");
    }

    @Override
    public Store open(Env env) {
      EmbeddedOptions options =
          EmbeddedOptions.in(folder)
              .withDurability(durability)
              .withBlockCacheBytesMax(BLOCK_CACHE_BYTES_MAX)
              .withMvcc(
                  MvccOptions.DEFAULTS
                      .withValueCacheBytesMax(VALUE_CACHE_BYTES_MAX)
                      .withFeedLimits(FEED_LIMITS));
      return EmbeddedStore.open(env, acceptLoss ? options.acceptingLoss() : options);
    }
  }

  /** In an etcd. */
  record Etcd(EtcdOptions options) implements StoreChoice {
    @Override
    public boolean shared() {
      return true;
    }

    @Override
    public String description() {
      return "etcd · " + String.join(", ", options.endpoints()) + " · " + options.prefix();
    }

    @Override
    public Store open(Env env) {
      return EtcdStore.open(env, options);
    }
  }

  /** What was typed, before the other options make a choice of it. */
  sealed interface Word {
    record Named(String name) implements Word {}

    record Address(EtcdOptions options) implements Word {}

    /**
     * @throws IllegalArgumentException if it is no store; the message is for whoever typed it
     */
    static Word parse(String text) {
      if (text.startsWith("etcd://")) {
        return new Address(EtcdOptions.parse(text));
      }
      if (text.equals("memory") || text.equals("embedded")) {
        return new Named(text);
      }
      throw new IllegalArgumentException(
          "'" + text + "' is no store; write memory, embedded or etcd://HOST:PORT");
    }
  }
}
