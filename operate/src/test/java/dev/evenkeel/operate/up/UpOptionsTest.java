package dev.evenkeel.operate.up;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.serve.ServerSettings;
import dev.evenkeel.serve.http.limit.HttpLimits;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** What is not refused would start a server, which does not end by itself. */
@Timeout(60)
class UpOptionsTest {

  private static String refusal(String... arguments) {
    var err = new StringWriter();
    var command = new CommandLine(new UpCommand().spec()).setErr(new PrintWriter(err));
    command.setParameterExceptionHandler(
        (failure, _) -> {
          err.write(String.valueOf(failure.getMessage()));
          return 2;
        });
    assertThat(command.execute(arguments)).isEqualTo(2);
    return err.toString();
  }

  /** What is wrong with options that can be read; asked so that no server starts if nothing is. */
  private static String problem(String... arguments) {
    var command = new UpCommand();
    var _ = new CommandLine(command.spec()).parseArgs(arguments);
    return String.valueOf(command.settings().problem());
  }

  @Test
  void badStore_isRefusedByName() {
    assertThat(refusal("--store", "mysql")).contains("'mysql'", "memory, embedded or etcd://");
    assertThat(refusal("--store", "etcd://")).contains("endpoint");
  }

  @Test
  void badAddress_isRefusedByName() {
    for (String address :
        new String[] {"6443", "host", ":1", "a:b", "a:70000", "::1:6443", "a:-1"}) {
      assertThat(refusal("--listen", address)).contains("'" + address + "'", "HOST:PORT");
    }
  }

  @Test
  void controllersToRun_andNone_excludeEachOther() {
    assertThat(refusal("--controllers", "a.jar", "--no-controllers")).contains("exclude");
  }

  @Test
  void durability_isTheEmbeddedStoresOwn() {
    assertThat(refusal("--store", "memory", "--durability", "OS")).contains("embedded store");
    assertThat(refusal("--store", "memory", "--accept-loss")).contains("embedded store");
  }

  @Test
  void pluginsOfTheScheduler_needOne() {
    assertThat(refusal("--scheduler-plugins", "a.jar", "--no-controllers")).contains("leave out");
    assertThat(refusal("--scheduler-plugins", "a.jar", "--schedulers", "none"))
        .contains("leave out");
    assertThat(UpSettings.plain(List.of("--scheduler-plugins=a.jar,b")))
        .extracting(UpSettings::schedulerPlugins)
        .isEqualTo(List.of(Path.of("a.jar"), Path.of("b")));
  }

  @Test
  void schedulers_areNamesOrNone() {
    assertThat(refusal("--schedulers", "batch,none")).contains("none and nothing else");
    assertThat(UpSettings.plain(List.of("--schedulers", "none"))).isNotNull();
    assertThat(UpSettings.plain(List.of("--schedulers=a,b")))
        .extracting(UpSettings::schedulers)
        .isEqualTo(List.of("a", "b"));
  }

  @Test
  void schedulers_thatCannotBe_areRefused_andToldWhatToDo() {
    for (String empty : List.of(",,", "", "a,", ",a")) {
      assertThat(problem("--schedulers", empty)).contains("empty name", "single commas", "none");
    }
    assertThat(problem("--schedulers", "a,b,a")).contains("'a' twice", "once");
    assertThat(problem("--schedulers", "a", "--schedulers", "a")).contains("'a' twice");
    for (String wrong : List.of("A_b!", "a b", "-a", "Batch", "a..b")) {
      assertThat(problem("--schedulers", "web," + wrong))
          .contains("'" + wrong + "'", "lower case letters");
    }
    for (String words : List.of(",,", "a,a", "A_b!", "none,none")) {
      assertThat(UpSettings.plain(List.of("--schedulers", words))).as(words).isNull();
    }
    assertThat(UpSettings.plain(List.of("--schedulers", "a.b-c", "--schedulers=d")))
        .extracting(UpSettings::schedulers)
        .isEqualTo(List.of("a.b-c", "d"));
    assertThat(UpSettings.plain(List.of()))
        .extracting(UpSettings::schedulers)
        .isEqualTo(List.of("default-scheduler"));
    assertThat(UpSettings.plain(List.of("--schedulers", "none")))
        .extracting(UpSettings::schedulers)
        .isEqualTo(List.of());
  }

  @Test
  void emptyPaths_areRefusedByTheOption() {
    for (String option : List.of("--controllers", "--scheduler-plugins")) {
      for (String paths : List.of(",", "", "a.jar,,b.jar", "a.jar,")) {
        assertThat(problem(option, paths)).contains(option + " has an empty path", "a.jar,b.jar");
        assertThat(UpSettings.plain(List.of(option, paths))).as(option + " " + paths).isNull();
      }
    }
  }

  @Test
  void issuersThatCannotBe_areRefusedByTheOption() {
    assertThat(problem("--service-account-issuer", "")).contains("--service-account-issuer");
    assertThat(problem("--service-account-jwks-uri", "http://x")).contains("https://");
    assertThat(UpSettings.plain(List.of("--service-account-issuer="))).isNull();
  }

  @Test
  void address_isReadAndMadeAUrl() {
    assertThat(ListenAddress.parse("127.0.0.1:0").url(7)).isEqualTo("https://127.0.0.1:7");
    assertThat(ListenAddress.parse("[::1]:6443").url(6443)).isEqualTo("https://[::1]:6443");
    assertThat(ListenAddress.parse("0.0.0.0:6443").url(6443)).isEqualTo("https://127.0.0.1:6443");
    assertThat(ListenAddress.parse("[::]:6443").url(6443)).isEqualTo("https://[::1]:6443");
    assertThat(ListenAddress.parse("name:6443").url(6443)).isEqualTo("https://name:6443");
  }

  @Test
  void everyOption_isReadTheSameBothWays() {
    Map<String, String> values =
        Map.ofEntries(
            Map.entry("--store", "embedded"),
            Map.entry("--listen", "[::1]:7"),
            Map.entry("--data", "/d"),
            Map.entry("--kubeconfig", "/k"),
            Map.entry("--limit", "watches=9"),
            Map.entry("--controllers", "a.jar,b"),
            Map.entry("--schedulers", "none"),
            Map.entry("--scheduler-plugins", "a.jar,b"),
            Map.entry("--durability", "os"),
            Map.entry("--service-cidr", "10.0.0.0/16"),
            Map.entry("--service-account-issuer", "https://issuer"),
            Map.entry("--service-account-jwks-uri", "https://issuer/keys"),
            Map.entry("--service-account-signing-key-file", "/sa.key"),
            Map.entry("--service-account-key-file", "/old.pub"),
            Map.entry("--api-audiences", "a,b"),
            Map.entry("--token-auth-file", "/tokens.csv"));
    for (OptionSpec option : new CommandLine(new UpCommand().spec()).getCommandSpec().options()) {
      String name = option.longestName();
      List<String> words =
          option.arity().max() == 0 ? List.of(name) : List.of(name, values.get(name));
      var command = new UpCommand();
      var _ = new CommandLine(command.spec()).parseArgs(words.toArray(new String[0]));
      assertThat(UpSettings.plain(words)).as(name).isEqualTo(command.settings());
      if (words.size() == 2) {
        assertThat(UpSettings.plain(List.of(name + "=" + values.get(name))))
            .isEqualTo(command.settings());
      }
    }
  }

  @Test
  void whatIsNotPlain_isLeftToTheParser() {
    for (String words :
        List.of("--help", "--nope 1", "--data", "--listen x", "--nodes -1", "--nodes x", "x")) {
      assertThat(UpSettings.plain(List.of(words.split(" ", -1)))).as(words).isNull();
    }
  }

  @Test
  void badLimit_isRefusedByName() {
    assertThat(refusal("--limit", "watchez=1"))
        .contains("'watchez=1'", "watches, watches-per-kind");
    assertThat(refusal("--limit", "watches=0")).contains("'0'", "watches");
    assertThat(refusal("--limit", "window-bytes=8Q")).contains("'8Q'", "8Mi");
    assertThat(refusal("--limit", "request-bytes=3Gi")).contains("'3Gi'");
    assertThat(refusal("--limit", "request-time=90")).contains("'90'", "90s");
  }

  @Test
  void everyLimit_isSetAndShownByItsName() {
    Map<String, Double> usual = ServerSettings.DEFAULTS.limitsByName();
    var before = new Limit.Settings(ServerSettings.DEFAULTS, HttpLimits.DEFAULTS);
    for (Limit limit : Limit.values()) {
      Limit.Settings after = before.with(List.of(new Limit.Setting(limit, 12_345_000)));
      Map<String, Double> changed = new HashMap<>(after.server().limitsByName());
      changed.entrySet().removeAll(usual.entrySet());
      if (limit == Limit.CONNECTIONS) {
        assertThat(after.http().connectionsMax()).isEqualTo(12_345_000);
      } else {
        assertThat(changed.keySet()).containsExactly(limit.label());
      }
    }
  }

  @Test
  void everyLimit_isInTheHelp() {
    String help = new CommandLine(new UpCommand().spec()).getUsageMessage().replaceAll("\\s+", " ");
    for (Limit limit : Limit.values()) {
      assertThat(help).containsPattern("[ ,]" + limit.label() + "[,.]");
    }
  }

  @Test
  void units_areRead() {
    assertThat(Limit.Setting.parse("window-bytes=8Mi").value()).isEqualTo(8 << 20);
    assertThat(Limit.Setting.parse("request-time=500ms").value()).isEqualTo(500);
    assertThat(Limit.Setting.parse("history-time=1h").value()).isEqualTo(3_600_000);
    assertThat(Limit.Setting.parse("history-time=0").value()).isZero();
  }

  @Test
  void heap_isCollectedWhenItHasGrownByTwoFifths_andLaterIfItIsLargeOrAllAlive() {
    assertThat(HeapKeeper.bytesMax(0, false)).isEqualTo(48 << 20);
    assertThat(HeapKeeper.bytesMax(60 << 20, false)).isEqualTo(84 << 20);
    assertThat(HeapKeeper.bytesMax(100 << 20, false)).isEqualTo(160 << 20);
    assertThat(HeapKeeper.bytesMax(60 << 20, true)).isEqualTo(108 << 20);
  }

  @Test
  void home_isWrittenShort() {
    assertThat(Home.shorten(Home.path().resolve(".evenkeel"))).isEqualTo("~/.evenkeel");
    assertThat(Home.shorten(Path.of("/somewhere/else"))).isEqualTo("/somewhere/else");
  }
}
