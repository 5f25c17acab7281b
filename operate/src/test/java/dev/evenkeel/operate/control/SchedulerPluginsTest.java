package dev.evenkeel.operate.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.decide.schedule.plugin.SchedulerPlugin;
import dev.evenkeel.operate.SourceJar;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SchedulerPluginsTest {

  @TempDir Path folder;
  private final List<String> lines = new ArrayList<>();

  private SchedulerPlugins load(Path... paths) {
    return SchedulerPlugins.load(List.of("default-scheduler"), List.of(paths), lines::add);
  }

  /** A jar of one plugin, whose body is this. */
  private Path jar(String file, String type, String implementing, String body) throws Exception {
    return SourceJar.make(
        folder.resolve(file),
        SchedulerPlugin.class,
        "example." + type,
        """
        package example;
        import dev.evenkeel.decide.schedule.model.*;
        import dev.evenkeel.decide.schedule.plugin.*;
        public final class %s implements %s { %s }
        """
            .formatted(type, implementing, body));
  }

  private Path named(String file, String type, String name) throws Exception {
    return jar(
        file, type, "SchedulerPlugin", "public String name() { return \"%s\"; }".formatted(name));
  }

  private Path sorting(String file, String type) throws Exception {
    return jar(
        file,
        type,
        "QueueSort",
        "public String name() { return \"%s\"; }".formatted(type)
            + " public int compare(PodInfo a, PodInfo b) { return 0; }");
  }

  @Test
  void jarsAndFolders_areLoaded_eachInALoaderOfItsOwn() throws Exception {
    Path first = named("first.jar", "Plugin", "first");
    Path jars = Files.createDirectories(folder.resolve("jars"));
    Files.move(named("second.jar", "Plugin", "second"), jars.resolve("second.jar"));
    try (SchedulerPlugins plugins = load(first, jars)) {
      assertThat(plugins.all())
          .extracting(SchedulerPlugin::name)
          .containsExactly("first", "second");
      assertThat(plugins.all().stream().map(it -> it.getClass().getName()).distinct())
          .containsExactly("example.Plugin");
    }
    assertThat(lines).containsExactly("asks       first · " + first, "asks       second · " + jars);
  }

  @Test
  void whatCannotBeUsed_isNamedInALine_andTheRestIsAsked() throws Exception {
    Path missing = folder.resolve("missing.jar");
    Path broken = Files.writeString(folder.resolve("broken.jar"), "this is no jar");
    Path silent = SourceJar.make(folder.resolve("silent.jar"), Runnable.class);
    Path failing =
        jar(
            "failing.jar",
            "Failing",
            "SchedulerPlugin",
            "public Failing() { throw new IllegalStateException(\"no licence\"); }"
                + " public String name() { return \"failing\"; }");
    Path unsure =
        jar(
            "unsure.jar",
            "Unsure",
            "SchedulerPlugin",
            "public String name() { return \"unsure\"; } public boolean takesPart(String profile) {"
                + " throw new NoClassDefFoundError(profile); }");
    Path nameless = named("nameless.jar", "Nameless", " ");
    Path good = named("good.jar", "Good", "good");
    Path twin = named("twin.jar", "Twin", "good");
    Path sorting = sorting("sorting.jar", "Sorting");
    Path another = sorting("another.jar", "Another");
    try (SchedulerPlugins plugins =
        load(missing, broken, silent, failing, unsure, nameless, good, twin, sorting, another)) {
      assertThat(plugins.all())
          .extracting(SchedulerPlugin::name)
          .containsExactly("good", "Sorting");
    }
    assertThat(lines)
        .satisfiesExactly(
            it -> is(it, missing, "there is no such file or folder"),
            it -> is(it, broken, "it is no jar: "),
            it -> is(it, silent, "it names no plugin in META-INF/services/dev.evenkeel.decide."),
            it -> is(it, failing, "its plugin failed: IllegalStateException: no licence"),
            it -> is(it, unsure, "its plugin failed: NoClassDefFoundError: default-scheduler"),
            it -> is(it, nameless, "its plugin example.Nameless has no name"),
            it -> assertThat(it).isEqualTo("asks       good · " + good),
            it -> is(it, twin, "there is a plugin 'good' already"),
            it -> assertThat(it).isEqualTo("asks       Sorting · " + sorting),
            it -> is(it, another, "'Another' would sort the queue, which 'Sorting' does already"));
  }

  private static void is(String line, Path path, String why) {
    assertThat(line).startsWith("not asked  " + path + ": " + why);
  }
}
