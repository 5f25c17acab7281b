package dev.evenkeel.prove.bench.api;

import dev.evenkeel.prove.bench.api.load.Answer;
import dev.evenkeel.prove.bench.api.load.ClosedLoop;
import dev.evenkeel.prove.bench.api.load.LoadObjects;
import dev.evenkeel.prove.bench.api.load.Script;
import dev.evenkeel.prove.bench.api.load.Scripts;
import dev.evenkeel.prove.bench.api.wire.Request;
import java.time.Duration;
import java.util.Map;

/** Requests that are answered at once: create, get, update, list. */
final class RequestPhases {

  private static final Duration FILL_MAX = Duration.ofMinutes(4);

  /** How many objects come on top of a size while creating is measured, at the most. */
  private static final int CREATED_MAX = 1_000_000;

  private static final double MEGA = 1e6;

  private final Bench bench;
  private final Settings settings;
  private final LoadObjects objects;

  RequestPhases(Bench bench, LoadObjects objects) {
    this.bench = bench;
    this.settings = bench.settings();
    this.objects = objects;
  }

  /** Creates what is missing to the given size, then measures creating beside it. */
  void create(int size, boolean measured) throws InterruptedException {
    Bench.Metered metered = bench.metered();
    ClosedLoop.Outcome outcome = bench.fill(objects, size, settings.clients, FILL_MAX);
    if (!measured) {
      if (!outcome.tally().errors().isEmpty()) {
        bench.say("creating objects: " + outcome.tally().errors());
      }
      return;
    }
    bench.add(result("create, up to size", size, outcome, metered.cost()));
    LoadObjects others = bench.namespace("more-than-" + size, settings.payloadBytes);
    measure("create", size, Scripts.create(others, 0, CREATED_MAX, settings.clients));
    bench.empty(others.namespace());
  }

  void get(int size) throws InterruptedException {
    measure("get", size, Scripts.get(objects, settings.clients));
  }

  void update(int size) throws InterruptedException {
    measure("update", size, Scripts.update(objects, settings.clients, version -> {}));
  }

  private void measure(String phase, int size, Script script) throws InterruptedException {
    var _ = bench.load(settings.clients, script, settings.warmUp());
    Bench.Metered metered = bench.metered();
    ClosedLoop.Outcome outcome = bench.load(settings.clients, script, settings.time());
    bench.add(result(phase, size, outcome, metered.cost()));
  }

  private static Result result(
      String phase, int size, ClosedLoop.Outcome outcome, Result.Cost cost) {
    return Result.of(
        phase,
        size,
        "request",
        (double) outcome.tally().count(),
        outcome.seconds(),
        outcome.tally().latencies(),
        outcome.tally().errors(),
        cost);
  }

  /** Lists all of them, newest state, as plain JSON. */
  void list(int size) throws InterruptedException {
    String path = objects.collectionPath();
    long length = bench.ask(Request.get(path), Answer::length);
    long lengthMin = (long) size * settings.payloadBytes;
    var _ =
        bench.load(
            settings.listers,
            Scripts.repeat(path, lengthMin, Integer.MAX_VALUE),
            settings.warmUp());
    Bench.Metered metered = bench.metered();
    ClosedLoop.Outcome outcome =
        bench.load(
            settings.listers, Scripts.repeat(path, lengthMin, Integer.MAX_VALUE), settings.time());
    Result.Cost cost = metered.cost();
    bench.add(
        Result.of(
                "list",
                size,
                "MB",
                outcome.tally().bytes() / MEGA,
                outcome.seconds(),
                outcome.tally().latencies(),
                outcome.tally().errors(),
                cost)
            .with(Map.of("megabytes of a list", length / MEGA)));
  }
}
