package dev.evenkeel.serve.kinds.rules.extension;

import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.rules.check.Place;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Levels of priority for requests. */
public final class PriorityLevelRules implements KindRules {

  private static final long QUEUES_MAX = 10_000_000;

  @Override
  public void prepareForCreate(ObjectNode level) {
    level.putObject("status");
  }

  @Override
  public void validate(ObjectNode level, Problems problems) {
    Place whole = Place.of(level, problems);
    Place spec = whole.at("spec");
    boolean exempt = spec.at("type").is("Exempt");
    if (whole.at("metadata", "name").is("exempt") != exempt) {
      spec.at("type").invalid("must be 'Exempt' if and only if `name` is 'exempt'");
    }
    if (exempt) {
      if (spec.at("limited").isThere()) {
        spec.at("limited").forbidden("must be nil if the type is not Limited");
      }
      percent(spec.at("exempt", "lendablePercent"));
    } else if (spec.at("type").is("Limited")) {
      if (spec.at("exempt").isThere()) {
        spec.at("exempt").forbidden("must be nil if the type is Limited");
      }
      if (spec.at("limited").isThere()) {
        limited(spec.at("limited"));
      } else {
        spec.at("limited").required("must not be empty when type is Limited");
      }
    }
  }

  private static void percent(Place percent) {
    if (percent.isThere() && (percent.number() < 0 || percent.number() > 100)) {
      percent.invalid("must be between 0 and 100, inclusive");
    }
  }

  private static void limited(Place limited) {
    Place shares = limited.at("nominalConcurrencyShares");
    if (shares.number() < 0) {
      shares.invalid("must be a non-negative integer");
    }
    percent(limited.at("lendablePercent"));
    if (limited.at("borrowingLimitPercent").number() < 0) {
      limited.at("borrowingLimitPercent").invalid("if specified, must be a non-negative integer");
    }
    Place response = limited.at("limitResponse");
    Place queuing = response.at("queuing");
    if (response.at("type").is("Reject")) {
      if (queuing.isThere()) {
        queuing.forbidden("must be nil if limited.limitResponse.type is not Limited");
      }
    } else if (!response.at("type").is("Queue")) {
      response.at("type").notSupported(List.of("Queue", "Reject"));
    } else if (!queuing.isThere()) {
      queuing.required("must not be empty if limited.limitResponse.type is Limited");
    } else {
      queuing(queuing);
    }
  }

  private static void queuing(Place queuing) {
    for (String field : List.of("queueLengthLimit", "queues", "handSize")) {
      if (queuing.at(field).number() <= 0) {
        queuing.at(field).invalid("must be positive");
      }
    }
    Place queues = queuing.at("queues");
    if (queues.number() > QUEUES_MAX) {
      queues.invalid("must not be greater than " + QUEUES_MAX);
    }
    if (queuing.at("handSize").number() > queues.number()) {
      queuing.at("handSize").invalid("should not be greater than queues (" + queues.number() + ")");
    }
  }
}
