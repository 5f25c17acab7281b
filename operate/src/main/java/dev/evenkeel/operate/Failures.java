package dev.evenkeel.operate;

import dev.evenkeel.kernel.env.FutureFailure;
import dev.evenkeel.operate.kubeconfig.ServerAccessException;
import dev.evenkeel.operate.up.StartException;
import dev.evenkeel.serve.http.ListenException;
import dev.evenkeel.store.StoreException;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * How the command says that something is wrong: in one line that names the command and the way out.
 */
final class Failures {

  private Failures() {}

  static int notUnderstood(ParameterException failure, String[] args) {
    CommandLine command = failure.getCommandLine();
    String name = command.getCommandSpec().qualifiedName();
    PrintWriter err = command.getErr();
    err.println(name + ": " + reason(failure) + "; see " + name + " --help");
    err.flush();
    return command.getCommandSpec().exitCodeOnInvalidInput();
  }

  static int notDone(Exception failure, CommandLine command, ParseResult result) {
    say(failure, command.getCommandSpec().qualifiedName(), command.getErr());
    return command.getCommandSpec().exitCodeOnExecutionException();
  }

  /** Says what the named command could not do. */
  static void say(Exception failure, String name, PrintWriter err) {
    Throwable cause = FutureFailure.cause(failure);
    if (isSaidToPeople(cause)) {
      err.println(name + ": " + cause.getMessage());
    } else {
      err.println(name + ": failed unexpectedly; please report this with the lines below");
      cause.printStackTrace(err);
    }
    err.flush();
  }

  /** Whether the message is made for whoever typed the command, and says what to do. */
  private static boolean isSaidToPeople(Throwable cause) {
    return cause instanceof StoreException
        || cause instanceof ListenException
        || cause instanceof ServerAccessException
        || cause instanceof StartException;
  }

  private static String reason(ParameterException failure) {
    if (failure instanceof UnmatchedArgumentException unmatched
        && !unmatched.getUnmatched().isEmpty()) {
      String first = unmatched.getUnmatched().getFirst();
      boolean hasCommands = !unmatched.getCommandLine().getSubcommands().isEmpty();
      String what = first.startsWith("-") ? "option" : hasCommands ? "command" : "argument";
      List<String> similar = unmatched.getSuggestions();
      return "unknown "
          + what
          + " '"
          + first
          + "'"
          + (similar.isEmpty() ? "" : " (did you mean '" + similar.getFirst() + "'?)");
    }
    String message = String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
    return message.isEmpty()
        ? "not understood"
        : Character.toLowerCase(message.charAt(0)) + message.substring(1);
  }
}
