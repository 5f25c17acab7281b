package dev.evenkeel.operate.up;

import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.serve.ApiServer;
import dev.evenkeel.serve.http.ApiListener;
import dev.evenkeel.serve.http.ListenSettings;
import dev.evenkeel.serve.http.tls.CredentialFolder;
import dev.evenkeel.serve.http.tls.Credentials;
import dev.evenkeel.store.Store;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A store, the API server on it, and the listener in front: opened in this order and closed in the
 * other.
 */
final class Server implements AutoCloseable {

  /** How long what is in flight may take at the end, before it is cut. */
  private static final Duration DRAIN = Duration.ofSeconds(5);

  private final Store store;
  private final ApiServer core;
  private final ApiListener listener;
  private final Credentials credentials;

  private Server(Store store, ApiServer core, ApiListener listener, Credentials credentials) {
    this.store = store;
    this.core = core;
    this.listener = listener;
    this.credentials = credentials;
  }

  /** Opens all of it, and waits until requests are answered. */
  static Server open(Env env, StoreChoice choice, Path folder, ListenAddress address) {
    Store store = choice.open(env);
    ApiServer core = null;
    ApiListener listener = null;
    boolean opened = false;
    try {
      Credentials credentials = credentials(env, folder, address);
      core = Core.open(env, store, credentials);
      listener =
          join(
              ApiListener.open(
                  env,
                  core,
                  credentials.server(),
                  ListenSettings.on(address.host(), address.port())));
      join(core.ready());
      opened = true;
      return new Server(store, core, listener, credentials);
    } finally {
      if (!opened) {
        if (listener != null) {
          join(listener.stop(Duration.ZERO));
        }
        if (core != null) {
          core.close();
        }
        store.close();
      }
    }
  }

  private static Credentials credentials(Env env, Path folder, ListenAddress address) {
    try {
      return CredentialFolder.open(folder.resolve("pki"), address.host(), env.clock().now());
    } catch (IOException e) {
      throw new Refusal(
          "the credentials in "
              + Home.shorten(folder.resolve("pki"))
              + " cannot be used: "
              + e.getMessage()
              + ".",
          e);
    }
  }

  int port() {
    return listener.port();
  }

  Credentials credentials() {
    return credentials;
  }

  long revision() {
    return join(store.currentRevision());
  }

  /** Ends watches, finishes what is in flight, and lets go of the store. */
  @Override
  public void close() {
    CompletableFuture<@Nullable Void> stopped = listener.stop(DRAIN);
    core.drain();
    try {
      stopped.get(DRAIN.toMillis() + 1_000, TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      // It had its time. What matters now is that the store is closed well.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    core.close();
    store.close();
  }

  private static <T extends @Nullable Object> T join(CompletableFuture<T> future) {
    return future.join();
  }
}
