package dev.evenkeel.store;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Why the store did not do what it was asked. Each kind is a type with the facts as fields, so that
 * callers decide by type and people read the message, which says what to do.
 *
 * <p>All but {@link UnknownOutcome} mean that nothing was changed.
 */
public abstract sealed class StoreException extends RuntimeException {

  private StoreException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** The request makes no sense, whatever the state: a mistake in the calling code. */
  public static final class InvalidRequest extends StoreException {
    public InvalidRequest(String message) {
      super(message, null);
    }
  }

  /** The request is over one of {@link StoreLimits}. */
  public static final class TooLarge extends StoreException {
    private final long actual;
    private final long max;

    public TooLarge(String what, long actual, long max) {
      super("too many " + what + ": " + actual + ", at most " + max, null);
      this.actual = actual;
      this.max = max;
    }

    public long actual() {
      return actual;
    }

    public long max() {
      return max;
    }
  }

  /** The revision is older than what compaction has kept. Read the newest state and go on. */
  public static final class Compacted extends StoreException {
    private final long requested;
    private final long compactedRevision;

    public Compacted(long requested, long compactedRevision) {
      super(
          "revision "
              + requested
              + " was compacted; the oldest that can be read is "
              + compactedRevision,
          null);
      this.requested = requested;
      this.compactedRevision = compactedRevision;
    }

    public long requested() {
      return requested;
    }

    /** The oldest revision that can still be read; a watch can start one behind it. */
    public long compactedRevision() {
      return compactedRevision;
    }
  }

  /** The revision is not there yet. */
  public static final class FutureRevision extends StoreException {
    private final long requested;
    private final long currentRevision;

    public FutureRevision(long requested, long currentRevision) {
      super("revision " + requested + " is in the future; the newest is " + currentRevision, null);
      this.requested = requested;
      this.currentRevision = currentRevision;
    }

    public long requested() {
      return requested;
    }

    public long currentRevision() {
      return currentRevision;
    }
  }

  /** Nothing was done because the authority cannot be reached or is overloaded. Try again later. */
  public static final class Unavailable extends StoreException {
    public Unavailable(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /** There is no room for the write. The message names the place and the way out. */
  public static final class OutOfSpace extends StoreException {
    public OutOfSpace(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /** It may have happened, or may yet: read back before acting on either. */
  public static final class UnknownOutcome extends StoreException {
    public UnknownOutcome(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /** The data folder cannot be opened: locked, of a newer format, damaged, not writable. */
  public static final class DataFolder extends StoreException {
    private final Path folder;

    public DataFolder(Path folder, String message, @Nullable Throwable cause) {
      super(message, cause);
      this.folder = folder;
    }

    public Path folder() {
      return folder;
    }
  }

  /** What is stored does not read back as it was written. The message names the place. */
  public static final class Corrupt extends StoreException {
    public Corrupt(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /** The store or the watch was closed. */
  public static final class Closed extends StoreException {
    public Closed(String message) {
      super(message, null);
    }
  }
}
