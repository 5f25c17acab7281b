package dev.evenkeel.operate.up;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

class UpOptionsTest {

  private static String refusal(String... arguments) {
    var err = new StringWriter();
    var command = new CommandLine(new UpCommand()).setErr(new PrintWriter(err));
    command.setParameterExceptionHandler(
        (failure, _) -> {
          err.write(String.valueOf(failure.getMessage()));
          return 2;
        });
    assertThat(command.execute(arguments)).isEqualTo(2);
    return err.toString();
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
  void negativeNodes_areRefused() {
    assertThat(refusal("--nodes", "-1")).contains("--nodes");
  }

  @Test
  void durability_isTheEmbeddedStoresOwn() {
    assertThat(refusal("--store", "memory", "--durability", "OS")).contains("embedded store");
    assertThat(refusal("--store", "memory", "--accept-loss")).contains("embedded store");
  }

  @Test
  void address_isReadAndMadeAUrl() {
    var converter = new ListenAddress.Converter();
    assertThat(converter.convert("127.0.0.1:0").url(7)).isEqualTo("https://127.0.0.1:7");
    assertThat(converter.convert("[::1]:6443").url(6443)).isEqualTo("https://[::1]:6443");
    assertThat(converter.convert("0.0.0.0:6443").url(6443)).isEqualTo("https://127.0.0.1:6443");
    assertThat(converter.convert("[::]:6443").url(6443)).isEqualTo("https://[::1]:6443");
    assertThat(converter.convert("name:6443").url(6443)).isEqualTo("https://name:6443");
  }

  @Test
  void everyOption_isReadTheSameBothWays() {
    Map<String, String> values =
        Map.of(
            "--store", "embedded",
            "--listen", "[::1]:7",
            "--data", "/d",
            "--kubeconfig", "/k",
            "--nodes", "3",
            "--durability", "os");
    for (OptionSpec option : new CommandLine(new UpCommand()).getCommandSpec().options()) {
      String name = option.longestName();
      List<String> words =
          option.arity().max() == 0 ? List.of(name) : List.of(name, values.get(name));
      var command = new UpCommand();
      var _ =
          new CommandLine(command)
              .setCaseInsensitiveEnumValuesAllowed(true)
              .parseArgs(words.toArray(new String[0]));
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
  void heap_isCollectedWhenItHasGrownByHalf() {
    assertThat(HeapKeeper.bytesMax(0)).isEqualTo(48 << 20);
    assertThat(HeapKeeper.bytesMax(100 << 20)).isEqualTo(150 << 20);
  }

  @Test
  void home_isWrittenShort() {
    assertThat(Home.shorten(Home.path().resolve(".evenkeel"))).isEqualTo("~/.evenkeel");
    assertThat(Home.shorten(Path.of("/somewhere/else"))).isEqualTo("/somewhere/else");
  }
}
