package dev.evenkeel.prove.bench.api;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * A figure that is held against kube-apiserver's: v1.34 with etcd 3.5, measured on two cores with
 * this load: TLS, 1 KiB, 32 clients, 1,000 watchers, the generator on the same cores. Those of
 * watchers on connections of their own are of another generator, with four writers and no limit to
 * what is on its way.
 *
 * @param phase whose result it is read from
 * @param kubeApiserver not a number where none was taken; of its starts, the fastest
 */
record Baseline(
    String phase,
    String title,
    int decimals,
    double kubeApiserver,
    ToDoubleFunction<Result> figure) {

  private static final String OWN = "fan-out, 1,000 connections";
  private static final String OWN_FIXED = "fan-out, 1,000 connections, fixed rate";
  private static final String MANY = "fan-out, 5,000 connections";
  private static final String MANY_FIXED = "fan-out, 5,000 connections, fixed rate";

  static final List<Baseline> ALL =
      List.of(
          new Baseline("create", "creates a second", 0, 1190, Result::perSecond),
          new Baseline(
              "create, up to size", "  the first 10,000 after a start", 0, 1190, Result::perSecond),
          new Baseline("get", "gets a second", 0, 2680, Result::perSecond),
          new Baseline("update", "updates a second", 0, 1230, Result::perSecond),
          new Baseline("list", "list of 10,000, MB/s", 0, 136, Result::perSecond),
          new Baseline(
              "list",
              "  server CPU ms an MB",
              2,
              Double.NaN,
              result -> result.serverCpuMicrosPerUnit() / 1e3),
          new Baseline(
              OWN, "1,000 watchers, a connection each: deliveries/s", 0, 71_000, Result::perSecond),
          new Baseline(OWN, "  p99, ms", 0, 190, Result::p99Millis),
          new Baseline(OWN, "  server CPU s a million", 1, 16.7, Result::serverCpuMicrosPerUnit),
          new Baseline(OWN, "  writers' p50, ms", 1, 52, Baseline::writersP50),
          new Baseline(
              OWN_FIXED, "  p99 at 79,000 deliveries/s, ms", 1, Double.NaN, Result::p99Millis),
          new Baseline(
              OWN_FIXED,
              "  server CPU s a million there",
              1,
              Double.NaN,
              Result::serverCpuMicrosPerUnit),
          new Baseline(OWN_FIXED, "  writers' p50 there, ms", 1, Double.NaN, Baseline::writersP50),
          new Baseline(
              MANY,
              "5,000 watchers, a connection each: deliveries/s",
              0,
              Double.NaN,
              Result::perSecond),
          new Baseline(MANY, "  p99, ms", 0, Double.NaN, Result::p99Millis),
          new Baseline(
              MANY, "  server CPU s a million", 1, Double.NaN, Result::serverCpuMicrosPerUnit),
          new Baseline(MANY, "  writers' p50, ms", 1, Double.NaN, Baseline::writersP50),
          new Baseline(
              MANY_FIXED, "  p99 at 79,000 deliveries/s, ms", 1, Double.NaN, Result::p99Millis),
          new Baseline(
              MANY_FIXED,
              "  server CPU s a million there",
              1,
              Double.NaN,
              Result::serverCpuMicrosPerUnit),
          new Baseline(MANY_FIXED, "  writers' p50 there, ms", 1, Double.NaN, Baseline::writersP50),
          new Baseline(
              "watch",
              "1,000 watchers on 8 connections: deliveries/s",
              0,
              79_000,
              Result::perSecond),
          new Baseline("watch", "  p99, ms", 0, 166, Result::p99Millis),
          new Baseline(
              "watch, fixed rate", "  p99 at 79,000 deliveries/s, ms", 1, 166, Result::p99Millis),
          new Baseline(
              "watch", "  server CPU s a million", 1, 18.7, Result::serverCpuMicrosPerUnit),
          new Baseline(
              "start",
              "ready after, s",
              2,
              1.5,
              result -> result.figure("seconds to ready, median")),
          new Baseline(
              "watch",
              "resident at 10,000 objects, MB",
              0,
              800,
              result -> result.cost().residentBytes() / 1e6));

  private static double writersP50(Result result) {
    return result.figure(WatchPhases.WRITERS_P50);
  }

  double of(Result result) {
    return figure.applyAsDouble(result);
  }
}
