package dev.evenkeel.prove.bench.api;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * A figure that is held against kube-apiserver's: v1.34 with etcd 3.5, measured on two cores with
 * this load: TLS, 1 KiB, 32 clients, 1,000 watchers, the generator on the same cores.
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
          new Baseline("watch", "1,000 watchers, deliveries/s", 0, 79_000, Result::perSecond),
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

  double of(Result result) {
    return figure.applyAsDouble(result);
  }
}
