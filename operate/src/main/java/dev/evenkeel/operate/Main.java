package dev.evenkeel.operate;

import dev.evenkeel.operate.build.LibraryLogs;
import dev.evenkeel.operate.look.DecisionsCommand;
import dev.evenkeel.operate.look.QueuesCommand;
import dev.evenkeel.operate.up.Rehearsal;
import dev.evenkeel.operate.up.Up;
import dev.evenkeel.operate.up.UpCommand;
import dev.evenkeel.operate.up.UpSettings;
import java.io.PrintWriter;
import java.util.List;
import java.util.ServiceLoader;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/**
 * The {@code evenkeel} command. It ends with 0 when all went well, 1 when it could not do what it
 * was asked, 2 when it did not understand.
 */
@Command(
    name = "evenkeel",
    description = "A control plane in one JVM.",
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    optionListHeading = "%nOptions:%n")
public final class Main implements Runnable {

  @Spec private CommandSpec spec;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Show this help.")
  @SuppressWarnings("UnusedVariable") // picocli wants a field; it acts on the option by itself
  private boolean help;

  public static void main(String[] args) {
    List<String> words = List.of(args);
    System.exit(execute(words.equals(List.of("--version")) ? List.of("version") : words));
  }

  private static int execute(List<String> words) {
    boolean up = !words.isEmpty() && words.getFirst().equals("up");
    UpSettings settings = up ? UpSettings.plain(words.subList(1, words.size())) : null;
    if (settings == null) {
      LibraryLogs.quiet();
      return commandLine(ServiceLoader.load(Subcommands.class))
          .execute(words.toArray(new String[0]));
    }
    try {
      return Up.run(settings, new PrintWriter(System.out, false, System.out.charset()));
    } catch (RuntimeException | InterruptedException e) {
      var err = new PrintWriter(System.err, false, System.err.charset());
      Failures.say(e, "evenkeel up", err);
      return 1;
    }
  }

  /** The command with what the given providers add to it. */
  static CommandLine commandLine(Iterable<Subcommands> providers) {
    var commandLine = new CommandLine(new Main());
    commandLine.addSubcommand(new CommandLine(new UpCommand().spec()));
    commandLine.addSubcommand(new DecisionsCommand());
    commandLine.addSubcommand(new QueuesCommand());
    commandLine.addSubcommand(new VersionCommand());
    commandLine.addSubcommand(new Rehearsal());
    for (Subcommands provider : providers) {
      provider.commands().forEach(commandLine::addSubcommand);
    }
    return commandLine
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(Failures::notUnderstood)
        .setExecutionExceptionHandler(Failures::notDone);
  }

  /** Without a command: what there is. */
  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }
}
