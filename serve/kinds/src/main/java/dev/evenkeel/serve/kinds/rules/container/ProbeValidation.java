package dev.evenkeel.serve.kinds.rules.container;

import dev.evenkeel.serve.kinds.rules.check.Place;
import java.util.List;

/** How a container is watched, and what it does when it starts and stops. */
final class ProbeValidation {

  private static final List<String> PROBE_HANDLERS =
      List.of("exec", "httpGet", "tcpSocket", "grpc");
  private static final List<String> HOOK_HANDLERS =
      List.of("exec", "httpGet", "tcpSocket", "sleep");

  private ProbeValidation() {}

  /** A container that keeps running. */
  static void validate(Place container, Place spec) {
    Place lifecycle = container.at("lifecycle");
    for (String hook : List.of("postStart", "preStop")) {
      if (lifecycle.at(hook).isThere()) {
        handler(lifecycle.at(hook), HOOK_HANDLERS, spec);
      }
    }
    if (lifecycle.at("stopSignal").isThere() && !spec.at("os", "name").isThere()) {
      lifecycle
          .at("stopSignal")
          .forbidden("may not be set for containers with empty `spec.os.name`");
    }
    for (String kind : List.of("livenessProbe", "readinessProbe", "startupProbe")) {
      if (container.at(kind).isThere()) {
        probe(container.at(kind), kind.equals("readinessProbe"), spec);
      }
    }
  }

  private static void probe(Place probe, boolean readiness, Place spec) {
    handler(probe, PROBE_HANDLERS, spec);
    Place grace = probe.at("terminationGracePeriodSeconds");
    if (grace.isThere() && grace.number() <= 0) {
      grace.invalid("must be greater than 0");
    }
    if (readiness) {
      if (grace.isThere()) {
        grace.invalid("must not be set for readinessProbes");
      }
    } else if (probe.at("successThreshold").number(1) != 1) {
      probe.at("successThreshold").invalid("must be 1");
    }
  }

  private static void handler(Place owner, List<String> kinds, Place spec) {
    boolean found = false;
    for (String kind : kinds) {
      Place handler = owner.at(kind);
      if (!handler.isThere()) {
        continue;
      }
      if (found) {
        handler.forbidden("may not specify more than 1 handler type");
      } else {
        found = true;
        if (kind.equals("sleep")) {
          sleep(handler, spec.at("terminationGracePeriodSeconds"));
        }
      }
    }
    if (!found) {
      owner.required("must specify a handler type");
    }
  }

  private static void sleep(Place sleep, Place grace) {
    Place seconds = sleep.at("seconds");
    if (grace.isThere() && (seconds.number() < 0 || seconds.number() > grace.number())) {
      sleep
          .holding(seconds.node())
          .invalid(
              "must be non-negative and less than terminationGracePeriodSeconds ("
                  + grace.number()
                  + ")");
    }
  }
}
