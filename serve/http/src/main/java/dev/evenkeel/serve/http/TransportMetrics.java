package dev.evenkeel.serve.http;

import dev.evenkeel.kernel.metric.Meters;
import dev.evenkeel.serve.http.limit.HttpLimits;
import dev.evenkeel.serve.http.limit.TransportCounters;
import java.util.function.LongSupplier;

/** What the transport counts. */
final class TransportMetrics {

  private TransportMetrics() {}

  static void register(Meters meters, TransportCounters counters, HttpLimits limits) {
    gauge(meters, "connections_open", "Open connections", counters::connectionsOpen);
    gauge(meters, "connections_max", "Limit of open connections", limits::connectionsMax);
    counter(meters, "connections", "Connections taken", counters::connectionsTotal);
    counter(
        meters,
        "connections_refused",
        "Connections closed as they came, because there were too many",
        counters::connectionsRefusedTotal);
    gauge(meters, "requests_open", "Requests not wholly answered", counters::requestsOpen);
    counter(meters, "requests", "Requests", counters::requestsTotal);
    gauge(meters, "streams_open", "Streamed answers not at their end", counters::streamsOpen);
    counter(meters, "timeouts", "What took too long", counters::timeoutsTotal);
    gauge(
        meters,
        "pending_body_bytes",
        "Bodies of requests that are not answered",
        counters::pendingBodyBytes);
    counter(meters, "received_bytes", "Bytes read from sockets", counters::bytesReceivedTotal);
    counter(meters, "sent_bytes", "Bytes written to sockets", counters::bytesSentTotal);
  }

  private static void gauge(Meters meters, String name, String help, LongSupplier value) {
    meters.measured("evenkeel_http_" + name, help, () -> (double) value.getAsLong());
  }

  private static void counter(Meters meters, String name, String help, LongSupplier value) {
    meters.counted("evenkeel_http_" + name + "_total", help, () -> (double) value.getAsLong());
  }
}
