package dev.evenkeel.prove;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.bytes.Bytes;
import dev.evenkeel.kernel.env.RealEnv;
import dev.evenkeel.store.RangeQuery;
import dev.evenkeel.store.RangeResult;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.Txn;
import dev.evenkeel.store.TxnResult;
import dev.evenkeel.store.Watch;
import dev.evenkeel.store.WatchBatch;
import dev.evenkeel.store.WatchQuery;
import dev.evenkeel.store.rocksdb.EmbeddedOptions;
import dev.evenkeel.store.rocksdb.EmbeddedStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The code of the README and of the store's page: it is this code, and it does what they say. */
class ReadmeTest {

  private final List<String> printed = new ArrayList<>();

  @Test
  void example_runs(@TempDir Path folder) {
    // README: begin
    try (Store store = EmbeddedStore.open(new RealEnv(), EmbeddedOptions.in(folder))) {
      Bytes quota = Bytes.utf8("/quota/team-a");
      Bytes pod = Bytes.utf8("/pods/team-a/web-1");

      // Both or neither, durable before it is answered.
      store
          .commit(
              Txn.builder()
                  .put(quota, Bytes.utf8("1 of 8"))
                  .ifAbsent(pod)
                  .put(pod, Bytes.utf8("{}"))
                  .build())
          .join();

      // Read, then watch from there: no change is missed, none comes twice.
      RangeResult pods = store.range(RangeQuery.prefix(Bytes.utf8("/pods/"))).join();
      Watch watch = store.watch(WatchQuery.prefix(Bytes.utf8("/pods/"), pods.revision() + 1));

      // Only if nobody else was faster; if somebody was, the answer shows what is there now.
      long seen = pods.items().getFirst().modRevision();
      TxnResult result =
          store.commit(Txn.builder().ifModRevision(pod, seen).delete(pod).build()).join();
      switch (result) {
        case TxnResult.Committed committed -> print("deleted at revision " + committed.revision());
        case TxnResult.Rejected rejected -> print("changed meanwhile: " + rejected.failures());
      }
      for (WatchBatch.Commit commit : watch.next().join().commits()) {
        print(commit.revision() + ": " + commit.events().size() + " change");
      }
    }
    // README: end
    assertThat(printed).containsExactly("deleted at revision 3", "3: 1 change");
  }

  @Test
  void example_isWhatTheStoresPageShows() throws IOException {
    Path module = Path.of("").toAbsolutePath();
    String page = Files.readString(module.resolve("../docs/store.md"));
    String source =
        Files.readString(module.resolve("src/test/java/dev/evenkeel/prove/ReadmeTest.java"));
    assertThat(words(between(page, "```java\n", "```")))
        .isEqualTo(words(between(source, "// README: begin\n", "// README: end")));
  }

  @Test
  void controller_isTheSample() throws IOException {
    Path root = Path.of("").toAbsolutePath().resolve("..");
    String readme = Files.readString(root.resolve("README.md"));
    String sample =
        Files.readString(
            root.resolve(
                "samples/website/src/main/java/dev/evenkeel/samples/website/WebsiteController.java"));
    String section = readme.substring(readme.indexOf("## A controller on one page"));
    assertThat(words(sample)).endsWith(words(between(section, "```java\n", "```")));
  }

  private void print(String line) {
    printed.add(line);
  }

  private static String between(String text, String begin, String end) {
    int start = text.indexOf(begin) + begin.length();
    return text.substring(start, text.indexOf(end, start));
  }

  /** Without the spaces: lines are as long here as the formatter likes. */
  private static String words(String code) {
    return code.replaceAll("\\s", "");
  }
}
