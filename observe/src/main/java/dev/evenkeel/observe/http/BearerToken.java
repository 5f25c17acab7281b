package dev.evenkeel.observe.http;

import dev.evenkeel.kernel.env.Clock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The token to show now. Tokens of service accounts live an hour and are replaced in their file
 * before that, so the file is read again once a minute.
 *
 * <p><b>Invariants:</b> a token that was read once is shown until another can be read: a file that
 * is missing for a moment logs nobody out.
 *
 * <p><b>Threading:</b> for any thread; two that come at once may both read the file.
 */
final class BearerToken {

  static final Duration READ_AGAIN_AFTER = Duration.ofMinutes(1);

  private record Read(String token, long nanos) {}

  private final Identity identity;
  private final Clock clock;
  private volatile @Nullable Read last;

  BearerToken(Identity identity, Clock clock) {
    this.identity = identity;
    this.clock = clock;
  }

  /** Null if none is to be shown. */
  @Nullable String now() {
    return switch (identity) {
      case Identity.Token own -> own.token();
      case Identity.TokenFile inFile -> fromFile(inFile.file());
      case Identity.Anonymous _, Identity.Certificate _ -> null;
    };
  }

  private String fromFile(Path file) {
    Read known = last;
    long nanos = clock.nanoTime();
    if (known != null && nanos - known.nanos < READ_AGAIN_AFTER.toNanos()) {
      return known.token;
    }
    try {
      String token = Files.readString(file).strip();
      if (!token.isEmpty()) {
        last = new Read(token, nanos);
        return token;
      }
    } catch (IOException e) {
      if (known == null) {
        throw new ConfigurationException("the token in " + file + " cannot be read: " + e, e);
      }
    }
    if (known == null) {
      throw new ConfigurationException(file + " is empty: there should be a token in it", null);
    }
    return known.token;
  }
}
