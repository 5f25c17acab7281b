package dev.evenkeel.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.store.StoreException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

class MainTest {

  @Test
  void help_listsTheCommands() {
    Outcome outcome = run("--help");
    assertThat(outcome.exitCode).isZero();
    assertThat(outcome.out).contains("Usage: evenkeel", "version", "fragile", "--help");
    assertThat(outcome.err).isEmpty();
  }

  @Test
  void noCommand_showsTheHelp() {
    assertThat(run()).isEqualTo(run("--help"));
  }

  @Test
  void help_isThereForEveryCommand() {
    for (String command : List.of("version", "fragile")) {
      Outcome outcome = run(command, "--help");
      assertThat(outcome.exitCode).isZero();
      assertThat(outcome.out).startsWith("Usage: evenkeel " + command);
    }
  }

  @Test
  void version_saysWhatRunsWhere() {
    Outcome outcome = run("version");
    assertThat(outcome.exitCode).isZero();
    assertThat(outcome.out.lines())
        .satisfiesExactly(
            line -> assertThat(line).matches("evenkeel \\d+\\.\\d+\\.\\d+.*"),
            line -> assertThat(line).matches("commit   (unknown|[0-9a-f]{7,40}.*)"),
            line -> assertThat(line).startsWith("java     " + Runtime.version()),
            line -> assertThat(line).contains("os       ", System.getProperty("os.arch")));
    assertThat(outcome.err).isEmpty();
  }

  @Test
  void unknownCommand_isOneLineAndExitCode2() {
    Outcome outcome = run("versoin");
    assertThat(outcome)
        .isEqualTo(
            new Outcome(
                2,
                "",
                "evenkeel: unknown command 'versoin' (did you mean 'version'?); see evenkeel"
                    + " --help\n"));
  }

  @Test
  void unknownOption_isOneLineAndExitCode2() {
    Outcome outcome = run("version", "--loud");
    assertThat(outcome)
        .isEqualTo(
            new Outcome(
                2, "", "evenkeel version: unknown option '--loud'; see evenkeel version --help\n"));
  }

  @Test
  void unknownArgument_isOneLineAndExitCode2() {
    Outcome outcome = run("version", "please");
    assertThat(outcome)
        .isEqualTo(
            new Outcome(
                2,
                "",
                "evenkeel version: unknown argument 'please'; see evenkeel version --help\n"));
  }

  @Test
  void badValue_isOneLineAndExitCode2() {
    Outcome outcome = run("fragile", "--times", "often");
    assertThat(outcome.exitCode).isEqualTo(2);
    assertThat(outcome.out).isEmpty();
    assertThat(outcome.err.lines()).hasSize(1);
    assertThat(outcome.err)
        .startsWith("evenkeel fragile: ")
        .contains("--times", "often")
        .endsWith("; see evenkeel fragile --help\n");
  }

  @Test
  void refusalOfTheStore_isItsMessageAndExitCode1() {
    Outcome outcome = run("fragile", "--store");
    assertThat(outcome).isEqualTo(new Outcome(1, "", "evenkeel fragile: nothing is written\n"));
  }

  @Test
  void bug_asksForAReportWithItsTrace() {
    Outcome outcome = run("fragile");
    assertThat(outcome.exitCode).isEqualTo(1);
    assertThat(outcome.err)
        .startsWith("evenkeel fragile: failed unexpectedly")
        .contains("IllegalStateException: broken on purpose", "at dev.evenkeel.operate.MainTest");
  }

  @Command(name = "fragile")
  static final class Fragile implements Runnable {

    @Option(names = "--times")
    int times;

    @Option(names = "--store")
    boolean store;

    @Override
    public void run() {
      if (store) {
        throw new CompletionException(new StoreException.InvalidRequest("nothing is written"));
      }
      throw new IllegalStateException("broken on purpose");
    }
  }

  private record Outcome(int exitCode, String out, String err) {}

  private static Outcome run(String... args) {
    var out = new StringWriter();
    var err = new StringWriter();
    Subcommands provider = () -> List.of(new Fragile());
    CommandLine commandLine =
        Main.commandLine(List.of(provider))
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF));
    int exitCode = commandLine.execute(args);
    return new Outcome(
        exitCode,
        out.toString().replace(System.lineSeparator(), "\n"),
        err.toString().replace(System.lineSeparator(), "\n"));
  }
}
