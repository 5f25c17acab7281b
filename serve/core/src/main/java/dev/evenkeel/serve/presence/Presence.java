package dev.evenkeel.serve.presence;

import dev.evenkeel.kernel.env.Env;
import dev.evenkeel.kernel.env.Loop;
import dev.evenkeel.serve.api.ApiHandler;
import dev.evenkeel.serve.resource.ResourceTable;
import dev.evenkeel.serve.service.ServiceRanges;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;

/**
 * Keeps what the cluster's servers say of themselves up to date: every ten seconds this server says
 * that it is alive, and what it then finds missing or wrong is put right.
 *
 * <p><b>Threading:</b> all on its loop.
 */
public final class Presence implements AutoCloseable {

  /** As often as upstream's servers do: the revision moves on an idle server too. */
  static final Duration BEAT = Duration.ofSeconds(10);

  private final Loop loop;
  private final IdentityLease identity;
  private final ApiServiceObjects apiServices;
  private final ClusterService service;

  /**
   * Where a server is reached.
   *
   * @param machine the name of its host
   * @param address by which others reach it; empty if there is none
   */
  public record Place(String machine, String address, int port) {}

  public Presence(
      Env env, ApiHandler server, ResourceTable resources, ServiceRanges ranges, Place place) {
    this.loop = env.loop("presence");
    var calls = new OwnCalls(server, loop);
    this.identity = new IdentityLease(env, calls, resources, place);
    this.apiServices = new ApiServiceObjects(env, calls, resources, loop);
    this.service = new ClusterService(env, calls, resources, ranges, place);
  }

  /** Begins, once what every cluster has is there. */
  public void start() {
    onLoop(
        () -> {
          apiServices.start();
          beat();
        });
  }

  private void beat() {
    identity.renew();
    service.keep(identity.alive());
    try {
      var _ = loop.runLater(BEAT, this::beat);
    } catch (RejectedExecutionException e) {
      // The server closes.
    }
  }

  private void onLoop(Runnable task) {
    try {
      loop.execute(task);
    } catch (RejectedExecutionException e) {
      // The server closes.
    }
  }

  @Override
  public void close() {
    loop.close();
  }
}
