package dev.evenkeel.operate.up;

import dev.evenkeel.operate.kubeconfig.ServerAccess;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** {@code evenkeel up} in a process of its own, with this JVM's class path. */
final class UpProcess implements AutoCloseable {

  private final Process process;
  private final BufferedReader out;
  private final List<String> lines = new ArrayList<>();

  UpProcess(Path home, String... arguments) throws IOException {
    var command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-Duser.home=" + home,
                "-Djava.library.path=" + System.getProperty("java.library.path"),
                "-Dstdout.encoding=UTF-8",
                "-Dstderr.encoding=UTF-8",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.evenkeel.operate.Main",
                "up"));
    command.addAll(List.of(arguments));
    process = new ProcessBuilder(command).redirectErrorStream(true).start();
    out = process.inputReader(StandardCharsets.UTF_8);
  }

  /** Reads lines until one begins so. */
  String lineOf(String beginning) throws IOException {
    for (String line; (line = out.readLine()) != null; ) {
      lines.add(line);
      if (line.startsWith(beginning)) {
        return line;
      }
    }
    throw new IOException("it ended without '" + beginning + "' but with " + lines);
  }

  /** All it says until it ends. */
  List<String> allLines() throws IOException {
    for (String line; (line = out.readLine()) != null; ) {
      lines.add(line);
    }
    return lines;
  }

  /** What SIGTERM brings it to. */
  int terminate() throws InterruptedException {
    process.destroy();
    return exitCode();
  }

  int exitCode() throws InterruptedException {
    if (!process.waitFor(30, TimeUnit.SECONDS)) {
      throw new IllegalStateException("it does not end");
    }
    return process.exitValue();
  }

  long pid() {
    return process.pid();
  }

  static HttpResponse<String> send(Path kubeconfig, String method, String path, String body)
      throws IOException, InterruptedException {
    ServerAccess config = ServerAccess.read(kubeconfig);
    try (HttpClient client = HttpClient.newBuilder().sslContext(config.sslContext()).build()) {
      HttpRequest request =
          HttpRequest.newBuilder(config.server().resolve(path))
              .timeout(Duration.ofSeconds(20))
              .header("content-type", "application/json")
              .method(method, HttpRequest.BodyPublishers.ofString(body))
              .build();
      return client.send(request, HttpResponse.BodyHandlers.ofString());
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
