package dev.evenkeel.store.rocksdb;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** A folder of a test's own, gone with it. */
final class TemporaryFolder implements AutoCloseable {

  private final Path path;
  private final AtomicInteger made = new AtomicInteger();

  TemporaryFolder() {
    try {
      this.path = Files.createTempDirectory("evenkeel-store");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Path path() {
    return path;
  }

  /** The name of a folder that is not there yet. */
  Path fresh() {
    return path.resolve("store-" + made.incrementAndGet());
  }

  /** A copy of the folder as it lies on the disk. */
  Path copyOf(Path folder) {
    Path copy = fresh();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.toList()) {
        Files.copy(file, copy.resolve(folder.relativize(file).toString()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return copy;
  }

  static void delete(Path folder) {
    if (!Files.exists(folder)) {
      return;
    }
    try {
      List<Path> files;
      try (Stream<Path> walk = Files.walk(folder)) {
        files = walk.sorted(Comparator.reverseOrder()).toList();
      }
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    delete(path);
  }
}
