package dev.evenkeel.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher with a Maven and a JDK that only say what they were asked for. */
class LauncherTest {

  private static final String MAVEN =
      """
      #!/usr/bin/env bash
      echo "mvn $*" >>"$PLAYED"
      for word in "$@"; do
        case $word in -Ddist.folder=*) mkdir -p "${word#*=}/lib" ;; esac
      done
      """;

  /** Makes the record that it is asked for, unless it is to hang. */
  private static final String JAVA =
      """
      #!/usr/bin/env bash
      echo "java $*" >>"$PLAYED"
      for word in "$@"; do
        case $word in
          -XX:AOTCacheOutput=*)
            if [ -e "$PLAYED.hangs" ]; then exec sleep 60; fi
            echo record >"${word#*=}" ;;
        esac
      done
      """;

  @TempDir private Path root;
  private Path played;

  @BeforeEach
  void lay() throws IOException {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/env")), "needs a Unix");
    played = root.resolve("played");
    copy("evenkeel");
    copy("operate/launcher/find-jdk.sh");
    write("bin/mvn", MAVEN);
    write("jdk/bin/java", JAVA);
    write("jdk/bin/javac", "#!/bin/sh\n");
    write("jdk/bin/jar", "#!/bin/sh\n");
    Files.writeString(root.resolve("jdk/release"), "JAVA_VERSION=\"25.0.1\"\n");
  }

  private void copy(String file) throws IOException {
    Path to = root.resolve(file);
    Files.createDirectories(to.getParent());
    Files.copy(Path.of("..").resolve(file), to);
    assertThat(to.toFile().setExecutable(true)).isTrue();
  }

  private void write(String file, String text) throws IOException {
    Path to = root.resolve(file);
    Files.createDirectories(to.getParent());
    Files.writeString(to, text);
    assertThat(to.toFile().setExecutable(true)).isTrue();
  }

  private Process evenkeel(String... words) throws IOException {
    var builder = new ProcessBuilder("bash", root.resolve("evenkeel").toString());
    builder.command().addAll(List.of(words));
    builder.environment().put("PATH", root.resolve("bin") + ":" + System.getenv("PATH"));
    builder.environment().put("JAVA_HOME", root.resolve("jdk").toString());
    builder.environment().put("PLAYED", played.toString());
    return builder.redirectErrorStream(true).redirectOutput(root.resolve("said").toFile()).start();
  }

  private void runs(String... words) throws Exception {
    Process process = evenkeel(words);
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(root.resolve("said"))).isZero();
  }

  private List<String> played(String beginning) throws IOException {
    return Files.exists(played)
        ? Files.readAllLines(played).stream().filter(it -> it.startsWith(beginning)).toList()
        : List.of();
  }

  @Test
  void start_isRecordedWhileItIsUsed_andGoesByThatRecord() throws Exception {
    runs("version");
    assertThat(played("mvn")).hasSize(1);
    assertThat(played("java"))
        .filteredOn(it -> it.contains("-XX:AOTCacheOutput="))
        .singleElement()
        .asString()
        .contains(" up --rehearse ");
    runs("up", "--store", "memory");
    assertThat(played("mvn")).as("nothing changed").hasSize(1);
    assertThat(played("java").getLast())
        .contains("-XX:AOTCache=" + root.resolve("target/dist/up.aot"))
        .endsWith("up --store memory");
  }

  @Test
  void buildThatIsEndedWhileTheStartIsRecorded_isBegunAgain() throws Exception {
    Path hangs = Files.createFile(Path.of(played + ".hangs"));
    Process ended = evenkeel("version");
    for (int i = 0; i < 300 && played("java").isEmpty(); i++) {
      Thread.sleep(100);
    }
    assertThat(played("java")).as("the record is being made").hasSize(1);
    List<ProcessHandle> all = ended.descendants().toList();
    ended.destroyForcibly().waitFor();
    all.forEach(ProcessHandle::destroyForcibly);
    Files.delete(hangs);
    runs("version");
    assertThat(played("mvn")).as("builds").hasSize(2);
    assertThat(root.resolve("target/dist/up.aot")).exists();
    runs("version");
    assertThat(played("mvn")).as("nothing is left to do").hasSize(2);
  }
}
