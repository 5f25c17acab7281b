package dev.evenkeel.operate.kubeconfig;

import java.io.File;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What every command that talks to a server takes, as a picocli mixin. */
public final class KubeconfigOption {

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description =
          "Where the server is. If not given, the file that KUBECONFIG names, or else the one that"
              + " evenkeel up wrote.")
  private @Nullable Path file;

  /** The server to talk to. */
  public ServerAccess read() {
    return ServerAccess.read(file == null ? usualFile() : file);
  }

  private static Path usualFile() {
    String named = System.getenv("KUBECONFIG");
    return named == null || named.isEmpty() || named.contains(File.pathSeparator)
        ? defaultFile()
        : Path.of(named);
  }

  /** Where {@code up} writes it if not told otherwise. */
  public static Path defaultFile() {
    return Path.of(System.getProperty("user.home"), ".evenkeel", "kubeconfig");
  }
}
