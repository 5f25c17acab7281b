package dev.evenkeel.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.util.Environment;

/** Seventeen megabytes that must not stay behind. */
class NativeLibraryTest {

  @TempDir Path temporary;
  @TempDir Path data;

  private Process start(String... more) throws IOException {
    var options =
        Stream.concat(Stream.of("-Djava.io.tmpdir=" + temporary), Stream.of(more)).toList();
    Process process =
        ChildJvm.start(options, KillVictim.class, data.resolve("store").toString(), "1");
    assertThat(process.inputReader().readLine()).isEqualTo("open");
    return process;
  }

  private List<String> unpacked() throws IOException {
    try (Stream<Path> files = Files.list(temporary)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.contains("rocksdb"))
          .toList();
    }
  }

  @Test
  void processThatEnds_takesItsLibraryWithIt() throws Exception {
    Process process = start("-Djava.library.path=" + temporary);
    try {
      assertThat(unpacked()).isNotEmpty();
      process.destroy();
      process.waitFor();
      assertThat(unpacked()).isEmpty();
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void processThatFindsItsLibrary_leavesNothingEvenWhenKilled() throws Exception {
    Path library =
        Path.of(
            System.getProperty("java.library.path"), Environment.getJniLibraryFileName("rocksdb"));
    assumeThat(library).as("the build unpacks it").exists();
    Process process = start();
    process.destroyForcibly().waitFor();
    assertThat(unpacked()).isEmpty();
  }
}
