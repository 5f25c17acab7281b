package dev.evenkeel.prove;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The rules of ARCHITECTURE.md, kept by all of our classes; and, because a rule that cannot fail
 * says nothing, each of them broken on purpose by classes compiled for it.
 */
class LayeringTest {

  private static final JavaClasses OURS =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.evenkeel");

  private static final List<Edge> AGAINST_THE_DIRECTION =
      List.of(
          new Edge("kernel.env", "store"),
          new Edge("kernel", "operate"),
          new Edge("store", "store.engine"),
          new Edge("store", "store.memory"),
          new Edge("store", "store.testkit"),
          new Edge("store.testkit", "store.engine"),
          new Edge("store.testkit", "store.memory"),
          new Edge("store.engine", "store.memory"),
          new Edge("store.engine", "store.rocksdb"),
          new Edge("store.engine", "store.testkit"),
          new Edge("store.memory", "store.rocksdb"),
          new Edge("store.memory", "store.etcd"),
          new Edge("store.rocksdb", "store.memory"),
          new Edge("store.rocksdb", "store.etcd"),
          new Edge("store.etcd", "store.memory"),
          new Edge("store.etcd", "store.rocksdb"),
          new Edge("store.rocksdb", "operate"),
          new Edge("store.rocksdb", "store.testkit"),
          new Edge("serve", "store.rocksdb"),
          new Edge("serve", "observe"),
          new Edge("observe", "serve"),
          new Edge("observe", "store"),
          new Edge("observe.cache", "decide"),
          new Edge("kernel.tree", "observe.cache"),
          new Edge("explain", "decide"),
          new Edge("decide", "serve"),
          new Edge("act", "decide"),
          new Edge("testing", "operate"),
          new Edge("operate", "testing"),
          new Edge("operate", "prove"),
          new Edge("operate", "store.testkit"),
          new Edge("store", "nowhere"));

  private static final List<Edge> ALONG_THE_DIRECTION =
      List.of(
          new Edge("store", "kernel.bytes"),
          new Edge("store.testkit", "store"),
          new Edge("store.engine", "store"),
          new Edge("store.memory", "store.engine"),
          new Edge("store.rocksdb", "store"),
          new Edge("store.etcd", "kernel.env"),
          new Edge("serve", "store"),
          new Edge("observe", "kernel"),
          new Edge("decide", "observe"),
          new Edge("decide", "explain"),
          new Edge("operate", "store.rocksdb"),
          new Edge("operate", "serve"),
          new Edge("testing", "store.memory"),
          new Edge("prove", "operate"),
          new Edge("prove", "store.testkit"));

  private static final List<Edge> AGAINST_THE_ROOMS =
      List.of(
          new Edge("serve.registry", "serve"),
          new Edge("serve.resident", "serve"),
          new Edge("serve.resident", "serve.registry"),
          new Edge("serve.pod", "serve.registry"),
          new Edge("serve.write", "serve.registry"),
          new Edge("serve.write", "serve.pod"),
          new Edge("serve.write", "serve.resident"),
          new Edge("serve.read", "serve.write"),
          new Edge("serve.ownership", "serve.write"),
          new Edge("serve.ownership", "serve.read"),
          new Edge("serve.object", "serve.ownership"),
          new Edge("serve.call", "serve.object"),
          new Edge("serve.caller", "serve.call"),
          new Edge("serve.caller", "serve.rights"),
          new Edge("serve.rights", "serve.call"),
          new Edge("serve.rights", "serve.write"),
          new Edge("serve.cache", "serve.rights"),
          new Edge("serve.token", "serve.rights"),
          new Edge("serve.caller", "serve.token"),
          new Edge("serve.resource", "serve.call"),
          new Edge("serve.cache", "serve"),
          new Edge("serve.quota", "serve.write"),
          new Edge("serve.presence", "serve.registry"),
          new Edge("serve.admission.builtin", "serve.call"),
          new Edge("serve.http", "serve.registry"));

  private static final List<Edge> ALONG_THE_ROOMS =
      List.of(
          new Edge("serve", "serve.registry"),
          new Edge("serve", "serve.presence"),
          new Edge("serve.registry", "serve.pod"),
          new Edge("serve.registry", "serve.resident"),
          new Edge("serve.resident", "serve.ownership"),
          new Edge("serve.pod", "serve.write"),
          new Edge("serve.write", "serve.read"),
          new Edge("serve.write", "serve.quota"),
          new Edge("serve.ownership", "serve.object"),
          new Edge("serve.object", "serve.call"),
          new Edge("serve.call", "serve.caller"),
          new Edge("serve.registry", "serve.rights"),
          new Edge("serve.resident", "serve.rights"),
          new Edge("serve.write", "serve.rights"),
          new Edge("serve.rights", "serve.caller"),
          new Edge("serve.registry", "serve.token"),
          new Edge("serve.token", "serve.caller"),
          new Edge("serve.token", "serve.cache"),
          new Edge("serve.rights", "serve.resource"),
          new Edge("serve.rights", "serve.cache"),
          new Edge("serve.read", "serve.cache"),
          new Edge("serve.presence", "serve.resource"),
          new Edge("serve.resource", "serve.kinds.wire"));

  private static final List<String> ASKS_THE_SYSTEM =
      List.of(
          "java.time.Instant.now()",
          "java.time.LocalDateTime.now()",
          "java.time.Clock.systemUTC()",
          "new java.util.Date()",
          "System.nanoTime()",
          "System.currentTimeMillis()",
          "(java.util.function.LongSupplier) System::nanoTime",
          "(java.util.function.Supplier<Object>) java.time.Instant::now",
          "run(() -> Thread.sleep(1))",
          "run(() -> java.util.concurrent.TimeUnit.SECONDS.sleep(1))",
          "run(() -> java.util.concurrent.locks.LockSupport.parkNanos(1))",
          "Thread.ofPlatform()",
          "Thread.ofVirtual()",
          "Thread.startVirtualThread(() -> {})",
          "new Thread(() -> {})",
          "new Thread() {}",
          "(java.util.function.Function<Runnable, Object>) Thread::new",
          "new java.util.Random(1)",
          "new java.util.SplittableRandom(1)",
          "new java.security.SecureRandom()",
          "java.security.SecureRandom.getInstanceStrong()",
          "java.util.concurrent.ThreadLocalRandom.current()",
          "java.util.random.RandomGenerator.getDefault()",
          "java.util.random.RandomGenerator.of(\"L64X128MixRandom\")",
          "Math.random()",
          "java.util.UUID.randomUUID()",
          "run(() -> java.util.Collections.shuffle(new java.util.ArrayList<>()))",
          "java.util.concurrent.Executors.newCachedThreadPool()",
          "java.util.concurrent.Executors.newVirtualThreadPerTaskExecutor()",
          "java.util.concurrent.ForkJoinPool.commonPool()",
          "new java.util.concurrent.ForkJoinPool()",
          "new java.util.concurrent.ScheduledThreadPoolExecutor(1)",
          "new java.util.Timer()",
          "java.util.concurrent.CompletableFuture.supplyAsync(() -> 1)",
          "new java.util.concurrent.CompletableFuture<String>().thenApplyAsync(x -> x)",
          "new java.util.concurrent.CompletableFuture<String>()"
              + ".orTimeout(1, java.util.concurrent.TimeUnit.DAYS)",
          "new java.util.concurrent.CompletableFuture<String>()"
              + ".completeOnTimeout(\"\", 1, java.util.concurrent.TimeUnit.DAYS)",
          "java.util.concurrent.CompletableFuture.delayedExecutor("
              + "1, java.util.concurrent.TimeUnit.DAYS)",
          "java.util.List.of(1).parallelStream()",
          "java.util.stream.Stream.of(1).parallel()");

  private static final List<String> NEEDS_NO_ENV =
      List.of(
          "java.time.Duration.ofSeconds(1)",
          "java.time.Instant.parse(\"2026-01-01T00:00:00Z\")",
          "Thread.currentThread()",
          "java.util.concurrent.CompletableFuture.supplyAsync(() -> 1, Runnable::run)",
          "new java.util.concurrent.CompletableFuture<String>().thenApply(x -> x)",
          "java.util.List.of(1).stream()");

  @TempDir private Path folder;

  private record Edge(String from, String to) {}

  @Test
  void everyPart_isLookedAt() {
    assertThat(OURS.stream().map(ours -> ours.getPackageName()))
        .contains(
            "dev.evenkeel.kernel.env",
            "dev.evenkeel.store",
            "dev.evenkeel.store.engine.mvcc",
            "dev.evenkeel.store.memory",
            "dev.evenkeel.store.rocksdb",
            "dev.evenkeel.decide.queue",
            "dev.evenkeel.observe.cache",
            "dev.evenkeel.operate",
            "dev.evenkeel.prove");
  }

  @Test
  void layers_dependInOneDirectionOnly() {
    Layers.DIRECTION.check(OURS);
  }

  @Test
  void roomsOfTheServer_dependInOneDirectionOnly() {
    Rooms.SERVE_DIRECTION.check(OURS);
  }

  @Test
  void packages_holdFewTypes() {
    Rooms.SIZE.check(OURS);
  }

  @Test
  void packages_areFreeOfCycles() {
    Layers.NO_CYCLES.check(OURS);
  }

  @Test
  void timeChanceAndThreads_comeFromEnvOnly() {
    OnlyThroughEnv.RULE.check(OURS);
  }

  @Test
  void layers_againstTheDirectionAreRefused() {
    List<String> violations = violations(Layers.DIRECTION, edges(AGAINST_THE_DIRECTION));
    for (int i = 0; i < AGAINST_THE_DIRECTION.size(); i++) {
      assertThat(violations)
          .as(AGAINST_THE_DIRECTION.get(i).toString())
          .anyMatch(mentions("Used" + i));
    }
  }

  @Test
  void layers_alongTheDirectionAreAllowed() {
    assertThat(violations(Layers.DIRECTION, edges(ALONG_THE_DIRECTION))).isEmpty();
  }

  @Test
  void roomsOfTheServer_againstTheDirectionAreRefused() {
    List<String> violations = violations(Rooms.SERVE_DIRECTION, edges(AGAINST_THE_ROOMS));
    for (int i = 0; i < AGAINST_THE_ROOMS.size(); i++) {
      assertThat(violations).as(AGAINST_THE_ROOMS.get(i).toString()).anyMatch(mentions("Used" + i));
    }
  }

  @Test
  void roomsOfTheServer_alongTheDirectionAreAllowed() {
    assertThat(violations(Rooms.SERVE_DIRECTION, edges(ALONG_THE_ROOMS))).isEmpty();
  }

  @Test
  void packages_withManyTypesAreRefused() {
    List<String> few = Collections.nCopies(Rooms.TYPES_MAX, "1");
    List<String> many = Collections.nCopies(Rooms.TYPES_MAX + 1, "1");
    var sources = new HashMap<>(returning("kernel.bytes", few));
    assertThat(violations(Rooms.SIZE, sources)).isEmpty();
    sources.putAll(returning("kernel.json", many));
    assertThat(violations(Rooms.SIZE, sources))
        .containsExactly("dev.evenkeel.kernel.json holds 21 types");
  }

  @Test
  void packages_inACycleAreRefused() {
    var oneWay = new Edge("kernel.first", "kernel.second");
    var andBack = new Edge("kernel.second", "kernel.first");
    assertThat(violations(Layers.NO_CYCLES, edges(List.of(oneWay)))).isEmpty();
    assertThat(violations(Layers.NO_CYCLES, edges(List.of(oneWay, andBack)))).isNotEmpty();
  }

  @Test
  void timeChanceAndThreads_fromElsewhereAreRefused() {
    for (String where : List.of("kernel.bytes", "store.memory", "operate")) {
      List<String> violations = violations(OnlyThroughEnv.RULE, returning(where, ASKS_THE_SYSTEM));
      for (int i = 0; i < ASKS_THE_SYSTEM.size(); i++) {
        assertThat(violations)
            .as(ASKS_THE_SYSTEM.get(i) + " in " + where)
            .anyMatch(mentions("Example" + i));
      }
    }
  }

  @Test
  void timeChanceAndThreads_areFreeForEnvTheTestKitAndProofs() {
    var sources = new HashMap<>(returning("kernel.bytes", List.of("1")));
    for (String where : List.of("kernel.env", "store.testkit", "prove.bench")) {
      sources.putAll(returning(where, ASKS_THE_SYSTEM));
    }
    assertThat(violations(OnlyThroughEnv.RULE, sources)).isEmpty();
  }

  @Test
  void whatNeedsNoEnv_isAllowed() {
    assertThat(violations(OnlyThroughEnv.RULE, returning("store.memory", NEEDS_NO_ENV))).isEmpty();
  }

  /** What a rule says of classes that exist for this one question. */
  private List<String> violations(ArchRule rule, Map<String, String> sources) {
    Path classes = Sources.compile(folder, sources);
    return rule.evaluate(new ClassFileImporter().importPath(classes))
        .getFailureReport()
        .getDetails();
  }

  /** For each edge two classes with its number, {@code User0} with a field of {@code Used0}. */
  private static Map<String, String> edges(List<Edge> edges) {
    var sources = new HashMap<String, String>();
    for (int i = 0; i < edges.size(); i++) {
      String from = "dev.evenkeel." + edges.get(i).from;
      String to = "dev.evenkeel." + edges.get(i).to;
      sources.put(
          from + ".User" + i,
          "package %s; public class User%d { %s.Used%d used; }".formatted(from, i, to, i));
      sources.put(to + ".Used" + i, "package %s; public class Used%d {}".formatted(to, i));
    }
    return sources;
  }

  /** For each expression a class with its number and one method, which returns the expression. */
  private static Map<String, String> returning(String where, List<String> expressions) {
    String name = "dev.evenkeel." + where;
    var sources = new HashMap<String, String>();
    for (int i = 0; i < expressions.size(); i++) {
      sources.put(
          name + ".Example" + i,
          """
          package %s;
          public class Example%d {
            interface Act { void act() throws Exception; }
            static Object run(Act act) throws Exception { act.act(); return act; }
            Object example() throws Exception { return %s; }
          }
          """
              .formatted(name, i, expressions.get(i)));
    }
    return sources;
  }

  private static Predicate<String> mentions(String className) {
    return Pattern.compile("\\b" + className + "\\b").asPredicate();
  }
}
