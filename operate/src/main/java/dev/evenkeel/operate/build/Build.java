package dev.evenkeel.operate.build;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/**
 * What was built.
 *
 * @param commit the commit it was built from, or {@code unknown} where the build was not told
 */
public record Build(String version, String commit) {

  private static final String RESOURCE = "build.properties";

  /** This build, as the resource says that Maven filled in. */
  public static Build current() {
    var properties = new Properties();
    try (InputStream in = Build.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException(RESOURCE + " is missing: build with Maven");
      }
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    String commit = properties.getProperty("commit", "");
    return new Build(
        properties.getProperty("version", "unknown"), commit.isBlank() ? "unknown" : commit);
  }
}
