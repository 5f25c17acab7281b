package dev.evenkeel.operate.up;

import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.env.Loop;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The file {@code audit.log} in the data folder: what policies had to say about requests, an event
 * of {@code audit.k8s.io/v1} a line. Made when there is something to write. A file that is full
 * becomes {@code audit.log.1}, and what was there is gone.
 *
 * <p><b>Invariants:</b> nobody waits for it; what comes faster than the disk takes it is dropped
 * and counted in the log.
 *
 * <p><b>Threading:</b> {@link #write} from any thread; the file is the loop's.
 */
final class AuditLog implements AutoCloseable {

  private static final System.Logger LOG = System.getLogger(AuditLog.class.getName());
  private static final long FILE_BYTES_MAX = 64L << 20;
  private static final int WAITING_MAX = 10_000;

  private final Loop loop;
  private final Path file;
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicInteger dropped = new AtomicInteger();
  private @Nullable OutputStream out;
  private long written;

  private AuditLog(Loop loop, Path file) {
    this.loop = loop;
    this.file = file;
  }

  static AuditLog in(Env env, Path folder) {
    return new AuditLog(env.loop("audit-log"), folder.resolve("audit.log"));
  }

  void write(byte[] line) {
    if (waiting.incrementAndGet() > WAITING_MAX) {
      waiting.decrementAndGet();
      dropped.incrementAndGet();
      return;
    }
    try {
      loop.execute(() -> append(line));
    } catch (RejectedExecutionException e) {
      // The server is closing, and the request with it.
    }
  }

  private void append(byte[] line) {
    waiting.decrementAndGet();
    int lost = dropped.getAndSet(0);
    if (lost > 0) {
      LOG.log(System.Logger.Level.WARNING, lost + " audit events were lost: too many at once");
    }
    try {
      OutputStream to = open();
      to.write(line);
      to.write('\n');
      to.flush();
      written += line.length + 1L;
    } catch (IOException e) {
      LOG.log(System.Logger.Level.ERROR, "cannot write " + file + ": " + e.getMessage());
      closeFile();
    }
  }

  private OutputStream open() throws IOException {
    OutputStream known = out;
    if (known != null && written < FILE_BYTES_MAX) {
      return known;
    }
    closeFile();
    if (Files.exists(file) && Files.size(file) >= FILE_BYTES_MAX) {
      Files.move(
          file,
          file.resolveSibling(file.getFileName() + ".1"),
          StandardCopyOption.REPLACE_EXISTING);
    }
    OutputStream opened =
        Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    written = Files.size(file);
    out = opened;
    return opened;
  }

  private void closeFile() {
    OutputStream known = out;
    out = null;
    if (known != null) {
      try {
        known.close();
      } catch (IOException e) {
        LOG.log(System.Logger.Level.ERROR, "cannot close " + file + ": " + e.getMessage());
      }
    }
  }

  @Override
  public void close() {
    loop.execute(this::closeFile);
    loop.close();
  }
}
