package dev.evenkeel.operate;

import dev.evenkeel.operate.build.Build;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** What runs here, in lines that a bug report can hold. */
@Command(name = "version", description = "Print the version, and what it runs on.")
final class VersionCommand implements Runnable {

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    Build build = Build.current();
    PrintWriter out = spec.commandLine().getOut();
    out.println("evenkeel " + build.version());
    out.println("commit   " + build.commit());
    out.println("java     " + Runtime.version() + " (" + System.getProperty("java.vendor") + ")");
    out.println(
        "os       "
            + System.getProperty("os.name")
            + " "
            + System.getProperty("os.version")
            + " "
            + System.getProperty("os.arch"));
    out.flush();
  }
}
