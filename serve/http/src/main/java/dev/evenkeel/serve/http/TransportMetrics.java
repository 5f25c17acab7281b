package dev.evenkeel.serve.http;

import dev.evenkeel.serve.http.limit.HttpLimits;
import dev.evenkeel.serve.http.limit.TransportCounters;

/** What the transport counts, in Prometheus' text format. */
final class TransportMetrics {

  private TransportMetrics() {}

  static String text(TransportCounters counters, HttpLimits limits) {
    var page = new StringBuilder(2_048);
    add(page, "connections_open", "gauge", "Open connections", counters.connectionsOpen());
    add(page, "connections_max", "gauge", "Limit of open connections", limits.connectionsMax());
    add(page, "connections_total", "counter", "Connections taken", counters.connectionsTotal());
    add(
        page,
        "connections_refused_total",
        "counter",
        "Connections closed as they came, because there were too many",
        counters.connectionsRefusedTotal());
    add(page, "requests_open", "gauge", "Requests not wholly answered", counters.requestsOpen());
    add(page, "requests_total", "counter", "Requests", counters.requestsTotal());
    add(page, "streams_open", "gauge", "Streamed answers not at their end", counters.streamsOpen());
    add(page, "timeouts_total", "counter", "What took too long", counters.timeoutsTotal());
    add(
        page,
        "pending_body_bytes",
        "gauge",
        "Bodies of requests that are not answered",
        counters.pendingBodyBytes());
    add(
        page,
        "received_bytes_total",
        "counter",
        "Bytes read from sockets",
        counters.bytesReceivedTotal());
    add(page, "sent_bytes_total", "counter", "Bytes written to sockets", counters.bytesSentTotal());
    return page.toString();
  }

  private static void add(StringBuilder page, String name, String type, String help, long value) {
    String full = "evenkeel_http_" + name;
    page.append("# HELP ").append(full).append(' ').append(help).append('\n');
    page.append("# TYPE ").append(full).append(' ').append(type).append('\n');
    page.append(full).append(' ').append(value).append('\n');
  }
}
