package dev.evenkeel.operate.build;

import java.util.logging.Level;
import java.util.logging.Logger;

/** What the libraries that are built in may say in our name. */
public final class LibraryLogs {

  /** Held, because the logging system forgets the level of a logger that nobody holds. */
  private static final Logger LIBRARIES = Logger.getLogger("io");

  private LibraryLogs() {}

  /**
   * Only warnings: what gRPC and Netty found at their start is nobody's news. Takes a while when it
   * comes first, since Java looks for loggers in every jar.
   */
  public static void quiet() {
    LIBRARIES.setLevel(Level.WARNING);
  }
}
