package dev.evenkeel.serve;

import dev.evenkeel.kernel.metric.Meters;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/** What the server knows of itself: what was built, its limits, and the load by lane. */
final class ServerFigures {

  private static final List<String> LANE = List.of("lane");

  private ServerFigures() {}

  /**
   * Adds them.
   *
   * @param build what was built, as labels
   */
  static void register(
      Meters meters,
      FlowControl flow,
      ServerSettings settings,
      AuditTrail audit,
      Map<String, String> build) {
    meters.described("kubernetes_build_info", "What was built: always 1", build);
    meters.measured(
        "apiserver_current_inflight_requests",
        "Requests under way, watches aside",
        List.of("request_kind"),
        values -> {
          values.is(flow.writes.running() + flow.leases.running(), "mutating");
          values.is(flow.reads.running(), "readOnly");
        });
    meters.counted(
        "apiserver_audit_event_total", "Events of the audit log", () -> (double) audit.events());
    Map<String, Double> limits = settings.limitsByName();
    meters.measured(
        "evenkeel_limit",
        "Limits: numbers, bytes, seconds",
        List.of("name"),
        values -> limits.forEach((name, value) -> values.is(value, name)));
    lanes(meters, flow);
  }

  private static void lanes(Meters meters, FlowControl flow) {
    meters.measured(
        "evenkeel_requests_running",
        "Requests under way",
        LANE,
        values -> each(flow, values, FlowControl.Lane::running));
    meters.measured(
        "evenkeel_requests_running_max",
        "Limit of requests under way",
        LANE,
        values -> each(flow, values, FlowControl.Lane::max));
    meters.counted(
        "evenkeel_requests_total",
        "Requests taken on",
        LANE,
        values -> each(flow, values, lane -> lane.total.sum()));
    meters.counted(
        "evenkeel_requests_refused_total",
        "Requests told to try again",
        LANE,
        values -> each(flow, values, lane -> lane.refused.sum()));
  }

  private static void each(
      FlowControl flow, Meters.Values values, ToLongFunction<FlowControl.Lane> figure) {
    for (FlowControl.Lane lane : List.of(flow.reads, flow.writes, flow.watches, flow.leases)) {
      values.is((double) figure.applyAsLong(lane), lane.name());
    }
  }
}
