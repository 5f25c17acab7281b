package dev.evenkeel.serve.metrics;

import dev.evenkeel.kernel.env.Clock;
import dev.evenkeel.kernel.invariant.Invariants;
import dev.evenkeel.kernel.metric.Buckets;
import dev.evenkeel.kernel.metric.Meters;
import dev.evenkeel.serve.resource.ResourceTable;

/**
 * All that one server measures.
 *
 * <p><b>Threading:</b> any.
 */
public final class ServerMetrics {

  private final Meters meters = new Meters();
  private final RequestMetrics requests;
  private final AdmissionMetrics admission;
  private final StoreMetrics store;
  private final CacheMetrics caches;

  public ServerMetrics(Clock clock, ResourceTable resources) {
    this.requests = new RequestMetrics(clock, meters);
    this.admission =
        new AdmissionMetrics(
            clock,
            meters.histogram(
                "apiserver_admission_controller_admission_duration_seconds",
                "How long admission plugins took, by plugin and by what they were asked for",
                Buckets.steps(),
                "name",
                "operation",
                "rejected",
                "type"));
    this.store = new StoreMetrics(clock, meters);
    this.caches = new CacheMetrics(meters, resources);
    ProcessMetrics.register(meters);
    Invariants.register(meters);
  }

  /** To which other parts add what they measure. */
  public Meters meters() {
    return meters;
  }

  public RequestMetrics requests() {
    return requests;
  }

  public AdmissionMetrics admission() {
    return admission;
  }

  public StoreMetrics store() {
    return store;
  }

  public CacheMetrics caches() {
    return caches;
  }
}
