package dev.evenkeel.explain.record;

import java.time.Duration;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Decisions as JSON: times in ISO form, durations in milliseconds. */
public final class DecisionJson {

  private DecisionJson() {}

  public static ObjectNode of(Decision decision) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("id", decision.id());
    json.put("controller", decision.controller());
    json.set("subject", subject(decision.subject()));
    json.put("begun", decision.begun().toString());
    json.put("tookMillis", millis(decision.took()));
    json.set("waking", waking(decision.waking()));
    ArrayNode reads = json.putArray("reads");
    for (Decision.Read read : decision.reads()) {
      reads
          .addObject()
          .put("kind", read.kind())
          .put("query", read.query())
          .put("version", read.version())
          .put("found", read.found())
          .put("fromAuthority", read.fromAuthority());
    }
    Decision.Evaluation evaluation = decision.evaluation();
    if (evaluation != null) {
      json.set("evaluation", evaluation(evaluation));
    }
    ArrayNode actions = json.putArray("actions");
    for (Decision.ActionRecord action : decision.actions()) {
      actions
          .addObject()
          .put("verb", action.verb())
          .put("target", action.target())
          .put("because", action.because())
          .put("preconditions", action.preconditions())
          .put("result", action.result().name())
          .put("version", action.version())
          .put("detail", action.detail());
    }
    json.putObject("outcome")
        .put("kind", decision.outcome().kind().name())
        .put("detail", decision.outcome().detail());
    Decision.Next next = decision.next();
    if (next != null) {
      json.putObject("next").put("at", next.at().toString()).put("why", next.why());
    }
    return json;
  }

  private static double millis(Duration duration) {
    return Math.round(duration.toNanos() / 1e3) / 1e3;
  }

  private static ObjectNode subject(Decision.Subject subject) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("apiVersion", subject.apiVersion())
        .put("kind", subject.kind())
        .put("namespace", subject.namespace())
        .put("name", subject.name())
        .put("uid", subject.uid())
        .put("generation", subject.generation())
        .put("version", subject.version());
  }

  private static ObjectNode waking(Decision.Waking waking) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    ArrayNode reasons = json.putArray("reasons");
    for (Decision.Reason reason : waking.reasons()) {
      reasons.addObject().put("kind", reason.kind()).put("text", reason.text());
    }
    return json.put("wakeUps", waking.wakeUps())
        .put("attempt", waking.attempt())
        .put("waitedMillis", millis(waking.waited()))
        .put("delayedMillis", millis(waking.delayed()))
        .put("backedOffMillis", millis(waking.backedOff()))
        .put("gatedMillis", millis(waking.gated()));
  }

  private static ObjectNode evaluation(Decision.Evaluation evaluation) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    ArrayNode rejections = json.putArray("rejections");
    for (Decision.Rejection rejection : evaluation.rejections()) {
      texts(
          rejections
              .addObject()
              .put("stage", rejection.stage())
              .put("reason", rejection.reason())
              .put("count", rejection.count())
              .putArray("samples"),
          rejection.samples());
    }
    ArrayNode scores = json.putArray("scores");
    for (Decision.Score score : evaluation.scores()) {
      ArrayNode parts =
          scores
              .addObject()
              .put("candidate", score.candidate())
              .put("total", score.total())
              .putArray("parts");
      score
          .parts()
          .forEach(
              part -> parts.addObject().put("judge", part.judge()).put("points", part.points()));
    }
    return json;
  }

  private static void texts(ArrayNode array, List<String> texts) {
    texts.forEach(array::add);
  }
}
