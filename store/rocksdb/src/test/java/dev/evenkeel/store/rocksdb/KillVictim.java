package dev.evenkeel.store.rocksdb;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.RealEnv;
import dev.evenkeel.store.GetResult;
import dev.evenkeel.store.KeyValue;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.Txn;
import dev.evenkeel.store.TxnResult;
import java.nio.file.Path;
import java.util.SplittableRandom;

/**
 * A process made to be killed: writers change pairs of keys, say on standard output what they begin
 * and what was acknowledged, and go on for ever.
 *
 * <pre>
 *   begin WRITER NUMBER
 *   acked WRITER NUMBER REVISION
 * </pre>
 */
public final class KillVictim {

  static final int WRITERS = 8;

  private KillVictim() {}

  public static void main(String[] arguments) {
    Store store = EmbeddedStore.open(new RealEnv(), EmbeddedOptions.in(Path.of(arguments[0])));
    long seed = Long.parseLong(arguments[1]);
    say("open");
    for (int writer = 0; writer < WRITERS; writer++) {
      int number = writer;
      var _ = Thread.ofPlatform().start(() -> write(store, number, new SplittableRandom(seed)));
    }
  }

  private static void write(Store store, int writer, SplittableRandom random) {
    long number = last(store, writer);
    while (true) {
      number++;
      say("begin " + writer + " " + number);
      Bytes value = value(number, random.nextInt(16_000));
      TxnResult result =
          store
              .commit(
                  Txn.builder()
                      .put(key(writer, "left"), value)
                      .put(key(writer, "right"), value)
                      .build())
              .join();
      say("acked " + writer + " " + number + " " + result.revision());
      if (writer == 0 && number % 50 == 0 && result.revision() > 200) {
        var _ = store.compact(result.revision() - 100).exceptionally(_ -> null).join();
      }
    }
  }

  private static long last(Store store, int writer) {
    GetResult found = store.get(key(writer, "left"), Store.NEWEST).join();
    return found.item() == null ? 0 : number(found.item());
  }

  static Bytes key(int writer, String side) {
    return Bytes.utf8("/pair/" + writer + "/" + side);
  }

  private static Bytes value(long number, int padding) {
    return Bytes.utf8(number + ":" + "x".repeat(padding));
  }

  static long number(KeyValue item) {
    String text = item.value().utf8();
    return Long.parseLong(text.substring(0, text.indexOf(':')));
  }

  private static synchronized void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
