package dev.evenkeel.operate.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.decide.lead.LeaseElection;
import dev.evenkeel.decide.metric.ControllerMetrics;
import dev.evenkeel.decide.run.ControllerProvider;
import dev.evenkeel.explain.log.DecisionLog;
import dev.evenkeel.kernel.env.RealEnv;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.observe.object.Kind;
import dev.evenkeel.observe.transport.Client;
import dev.evenkeel.operate.control.given.LateProvider;
import dev.evenkeel.operate.control.given.LookingProvider;
import dev.evenkeel.operate.control.given.Names;
import dev.evenkeel.operate.control.given.NosyProvider;
import dev.evenkeel.operate.control.given.UndefinableProvider;
import dev.evenkeel.operate.inprocess.InProcessTransport;
import dev.evenkeel.serve.ApiServer;
import dev.evenkeel.serve.ServerSettings;
import dev.evenkeel.serve.api.ApiRequest;
import dev.evenkeel.store.Store;
import dev.evenkeel.store.memory.MemoryStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

class UserControllersTest {

  private static final Kind<ObjectNode> MAPS = Kind.untyped("v1", "ConfigMap", "configmaps", true);
  private static final long SECONDS_MAX = 30;

  @TempDir Path folder;
  private final RealEnv env = new RealEnv();
  private final DecisionLog log = new DecisionLog(100, 100);
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private Store store;
  private ApiServer server;

  @BeforeEach
  void start() {
    store = MemoryStore.open(env);
    server = ApiServer.open(env, store, ServerSettings.DEFAULTS);
    server.ready().orTimeout(SECONDS_MAX, TimeUnit.SECONDS).join();
  }

  @AfterEach
  void stop() {
    server.close();
    store.close();
  }

  private InProcessTransport transport() {
    return new InProcessTransport(
        env, server, new ApiRequest.Peer("admin", List.of("system:masters")));
  }

  private UserControllers run(Set<String> taken, Path... paths) {
    return UserControllers.start(
        env,
        transport(),
        log,
        ControllerMetrics.unseen(),
        false,
        taken,
        List.of(paths),
        lines::add);
  }

  private String line() throws InterruptedException {
    String line = lines.poll(SECONDS_MAX, TimeUnit.SECONDS);
    assertThat(line).as("a line for each path").isNotNull();
    return Objects.requireNonNull(line);
  }

  /** A jar of some classes, which names those of them that provide controllers. */
  private Path jar(String name, Class<?>... classes) throws IOException {
    Path jar = Files.createDirectories(folder).resolve(name);
    try (OutputStream file = Files.newOutputStream(jar);
        var out = new JarOutputStream(file)) {
      var providers = new StringBuilder();
      for (Class<?> type : classes) {
        String entry = type.getName().replace('.', '/') + ".class";
        out.putNextEntry(new JarEntry(entry));
        try (InputStream bytes = type.getClassLoader().getResourceAsStream(entry)) {
          Objects.requireNonNull(bytes).transferTo(out);
        }
        out.closeEntry();
        if (ControllerProvider.class.isAssignableFrom(type)) {
          providers.append(type.getName()).append('\n');
        }
      }
      if (!providers.isEmpty()) {
        out.putNextEntry(new JarEntry("META-INF/services/" + ControllerProvider.class.getName()));
        out.write(providers.toString().getBytes(StandardCharsets.UTF_8));
        out.closeEntry();
      }
    }
    return jar;
  }

  private static void await(String what, BooleanSupplier condition) throws InterruptedException {
    for (int i = 0; i < SECONDS_MAX * 50; i++) {
      if (condition.getAsBoolean()) {
        return;
      }
      Thread.sleep(20);
    }
    throw new AssertionError("waited too long until " + what);
  }

  private void awaitALook() throws InterruptedException {
    await("somebody looks", () -> looks(log) > 0);
  }

  private static int looks(DecisionLog log) {
    return log.newest(it -> it.controller().equals("looking"), 100).size();
  }

  private void createMap() {
    var client = new Client(transport());
    var _ =
        client
            .create(
                MAPS,
                "default",
                Json.parseObject(
                    "{\"metadata\":{\"name\":\"m\"}}".getBytes(StandardCharsets.UTF_8)))
            .join();
  }

  @Test
  void jar_runs_andIsShown() throws Exception {
    Path jar = jar("looking.jar", LookingProvider.class, Names.class);
    try (UserControllers users = run(Set.of(), jar)) {
      assertThat(line()).isEqualTo("runs       looking · " + jar);
      createMap();
      awaitALook();
      assertThat(users.queues()).extracting(it -> it.figures().name()).containsExactly("looking");
    }
  }

  @Test
  void folder_isOneClassPath() throws Exception {
    Path jars = Files.createDirectories(folder.resolve("jars"));
    Files.move(jar("a.jar", LookingProvider.class), jars.resolve("a.jar"));
    Files.move(jar("b.jar", Names.class), jars.resolve("b.jar"));
    Files.writeString(jars.resolve("notes.txt"), "no jar, and not meant to be one");
    try (UserControllers _ = run(Set.of(), jars)) {
      assertThat(line()).isEqualTo("runs       looking · " + jars);
    }
  }

  @Test
  void classThatIsMissing_isNamed() throws Exception {
    Path jar = jar("alone.jar", LookingProvider.class);
    try (UserControllers _ = run(Set.of(), jar)) {
      assertThat(line())
          .startsWith("not run    " + jar + ": its provider failed: ClassNotFoundException: ")
          .contains("Names");
    }
  }

  @Test
  void whatCannotBeUsed_isNamedInALine_andTheRestRuns() throws Exception {
    Path broken = Files.writeString(folder.resolve("broken.jar"), "this is no jar");
    Path missing = folder.resolve("missing.jar");
    Path empty = Files.createDirectories(folder.resolve("empty"));
    Path silent = jar("silent.jar", UndefinableProvider.Nothing.class);
    Path looking = jar("looking.jar", LookingProvider.class, Names.class);
    try (UserControllers _ = run(Set.of(), broken, missing, empty, silent, looking)) {
      assertThat(line()).startsWith("not run    " + broken + ": it is no jar: ");
      assertThat(line()).isEqualTo("not run    " + missing + ": there is no such file or folder");
      assertThat(line()).isEqualTo("not run    " + empty + ": it is no jar: the folder has none");
      assertThat(line())
          .isEqualTo(
              "not run    "
                  + silent
                  + ": it names no provider in META-INF/services/"
                  + ControllerProvider.class.getName());
      assertThat(line()).isEqualTo("runs       looking · " + looking);
    }
  }

  @Test
  void provider_seesWhatControllersAreWrittenWith_andNothingElseOfTheServer() throws Exception {
    Path nosy = jar("nosy.jar", NosyProvider.class);
    try (UserControllers _ = run(Set.of(), nosy)) {
      assertThat(line())
          .isEqualTo(
              "not run    "
                  + nosy
                  + ": its provider failed: IllegalStateException: found Connection, JsonNode,"
                  + " Plan");
    }
  }

  @Test
  void kindThatCannotBeDefined_isTold() throws Exception {
    Path jar = jar("undefinable.jar", UndefinableProvider.class, UndefinableProvider.Nothing.class);
    try (UserControllers _ = run(Set.of(), jar)) {
      assertThat(line())
          .startsWith("not run    " + jar + ": its kinds cannot be defined: ")
          .contains("is not annotated as a @CustomKind");
    }
  }

  @Test
  void classThatIsMissingAtWork_failsTheLookAndNotTheController() throws Exception {
    Path jar = jar("late.jar", LateProvider.class);
    try (UserControllers users = run(Set.of(), jar)) {
      assertThat(line()).isEqualTo("runs       late · " + jar);
      createMap();
      await("it was tried again", () -> users.queues().getFirst().figures().failures() >= 2);
      assertThat(log.newest(_ -> true, 1).getFirst().outcome().detail())
          .contains("NoClassDefFoundError", "Names");
    }
  }

  @Test
  @Timeout(SECONDS_MAX)
  void ofTwoServers_oneRunsIt_andTheOtherTakesOver() throws Exception {
    Path jar = jar("looking.jar", LookingProvider.class, Names.class);
    var others = new DecisionLog(100, 100);
    UserControllers first =
        UserControllers.start(
            env,
            transport(),
            log,
            ControllerMetrics.unseen(),
            true,
            Set.of(),
            List.of(jar),
            lines::add);
    var _ = line();
    await("the first leads", () -> first.elections().getFirst().term() != null);
    try (UserControllers second =
        UserControllers.start(
            env,
            transport(),
            others,
            ControllerMetrics.unseen(),
            true,
            Set.of(),
            List.of(jar),
            lines::add)) {
      var _ = line();
      LeaseElection waiting = second.elections().getFirst();
      assertThat(waiting.lease()).isEqualTo("kube-system/evenkeel-controller-looking");
      await("the second sees the first", () -> !waiting.leader().isEmpty());
      createMap();
      awaitALook();
      assertThat(waiting.term()).isNull();
      assertThat(looks(others)).isZero();
      first.close();
      // Once more does no harm.
      first.close();
      await("the second leads", () -> waiting.term() != null);
      await("the second looks", () -> looks(others) > 0);
    }
  }

  @Test
  void nameThatIsTaken_isRefused() throws Exception {
    Path first = jar("first.jar", LookingProvider.class, Names.class);
    Path second = jar("second.jar", LookingProvider.class, Names.class);
    try (UserControllers users = run(Set.of("deployment"), first, second)) {
      assertThat(line()).isEqualTo("runs       looking · " + first);
      assertThat(line())
          .isEqualTo("not run    " + second + ": there is a controller 'looking' already");
      assertThat(users.queues()).hasSize(1);
    }
    try (UserControllers _ = run(Set.of("looking"), first)) {
      assertThat(line())
          .isEqualTo("not run    " + first + ": there is a controller 'looking' already");
    }
  }
}
