package dev.evenkeel.operate.kubeconfig;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What every command that talks to a server takes, as a picocli mixin. */
public final class KubeconfigOption {

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description = "Where the server is; what evenkeel up wrote if not given.")
  private @Nullable Path file;

  /** The server to talk to. */
  public Kubeconfig read() {
    return Kubeconfig.read(file == null ? defaultFile() : file);
  }

  /** Where {@code up} writes it if not told otherwise. */
  public static Path defaultFile() {
    return Path.of(System.getProperty("user.home"), ".evenkeel", "kubeconfig");
  }
}
