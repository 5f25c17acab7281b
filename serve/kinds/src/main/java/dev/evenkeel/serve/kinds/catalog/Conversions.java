package dev.evenkeel.serve.kinds.catalog;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.serve.kinds.Conversion;

/** Finds the conversion between two versions of a kind. */
final class Conversions {

  private static final Gvk EVENT = new Gvk("events.k8s.io", "v1", "Event");
  private static final Gvk AUTOSCALER = new Gvk("autoscaling", "v1", "HorizontalPodAutoscaler");

  private Conversions() {}

  static Conversion between(Gvk served, Gvk stored) {
    if (served.equals(EVENT)) {
      return new EventConversion();
    }
    if (served.equals(AUTOSCALER)) {
      return new AutoscalerConversion();
    }
    throw new IllegalStateException("no conversion from " + served + " to " + stored);
  }
}
