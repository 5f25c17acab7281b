package dev.evenkeel.prove.bench.api;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * A figure that the report begins with.
 *
 * @param phase whose result it is read from
 */
record Headline(String phase, String title, int decimals, ToDoubleFunction<Result> figure) {

  private static final String OWN = "fan-out, 1,000 connections";
  private static final String OWN_FIXED = "fan-out, 1,000 connections, fixed rate";
  private static final String MANY = "fan-out, 5,000 connections";
  private static final String MANY_FIXED = "fan-out, 5,000 connections, fixed rate";

  static final List<Headline> ALL =
      List.of(
          new Headline("create", "creates a second", 0, Result::perSecond),
          new Headline(
              "create, up to size", "  the first 10,000 after a start", 0, Result::perSecond),
          new Headline("get", "gets a second", 0, Result::perSecond),
          new Headline("update", "updates a second", 0, Result::perSecond),
          new Headline("list", "list of 10,000, MB/s", 0, Result::perSecond),
          new Headline(
              "list", "  server CPU ms an MB", 2, result -> result.serverCpuMicrosPerUnit() / 1e3),
          new Headline(
              OWN, "1,000 watchers, a connection each: deliveries/s", 0, Result::perSecond),
          new Headline(OWN, "  p99, ms", 0, Result::p99Millis),
          new Headline(OWN, "  server CPU s a million", 1, Result::serverCpuMicrosPerUnit),
          new Headline(OWN, "  writers' p50, ms", 1, Headline::writersP50),
          new Headline(OWN_FIXED, "  p99 at 79,000 deliveries/s, ms", 1, Result::p99Millis),
          new Headline(
              OWN_FIXED, "  server CPU s a million there", 1, Result::serverCpuMicrosPerUnit),
          new Headline(OWN_FIXED, "  writers' p50 there, ms", 1, Headline::writersP50),
          new Headline(
              MANY, "5,000 watchers, a connection each: deliveries/s", 0, Result::perSecond),
          new Headline(MANY, "  p99, ms", 0, Result::p99Millis),
          new Headline(MANY, "  server CPU s a million", 1, Result::serverCpuMicrosPerUnit),
          new Headline(MANY, "  writers' p50, ms", 1, Headline::writersP50),
          new Headline(MANY_FIXED, "  p99 at 79,000 deliveries/s, ms", 1, Result::p99Millis),
          new Headline(
              MANY_FIXED, "  server CPU s a million there", 1, Result::serverCpuMicrosPerUnit),
          new Headline(MANY_FIXED, "  writers' p50 there, ms", 1, Headline::writersP50),
          new Headline(
              "watch", "1,000 watchers on 8 connections: deliveries/s", 0, Result::perSecond),
          new Headline("watch", "  p99, ms", 0, Result::p99Millis),
          new Headline(
              "watch, fixed rate", "  p99 at 79,000 deliveries/s, ms", 1, Result::p99Millis),
          new Headline("watch", "  server CPU s a million", 1, Result::serverCpuMicrosPerUnit),
          new Headline(
              "start", "ready after, s", 2, result -> result.figure("seconds to ready, median")),
          new Headline(
              "watch",
              "resident at 10,000 objects, MB",
              0,
              result -> result.cost().residentBytes() / 1e6));

  private static double writersP50(Result result) {
    return result.figure(WatchPhases.WRITERS_P50);
  }

  double of(Result result) {
    return figure.applyAsDouble(result);
  }
}
