package dev.evenkeel.operate.control;

import dev.evenkeel.decide.lead.LeaseElection;
import dev.evenkeel.decide.lead.Term;
import dev.evenkeel.decide.queue.Entry;
import dev.evenkeel.decide.queue.Key;
import dev.evenkeel.decide.queue.QueueFigures;
import dev.evenkeel.decide.queue.WorkQueue;
import dev.evenkeel.decide.run.EventRecorder;
import dev.evenkeel.explain.log.DecisionLog;
import dev.evenkeel.explain.record.Decision;
import dev.evenkeel.explain.record.DecisionJson;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What controllers show through the API:
 *
 * <pre>
 *   /evenkeel/queues       who leads, each queue in numbers, and its entries
 *   /evenkeel/decisions    the newest decisions: ?kind=&amp;name=&amp;namespace=&amp;controller=&amp;limit=
 * </pre>
 */
public final class ControllerPages {

  private static final int ENTRIES_MAX = 100;
  private static final int DECISIONS_DEFAULT = 50;
  private static final int DECISIONS_MAX = 5_000;

  private ControllerPages() {}

  public static @Nullable ObjectNode page(
      Controllers controllers, List<String> path, UnaryOperator<String> query) {
    return switch (String.join("/", path)) {
      case "queues" -> queues(controllers);
      case "decisions" -> decisions(controllers.log(), query);
      default -> null;
    };
  }

  private static ObjectNode decisions(DecisionLog log, UnaryOperator<String> query) {
    String kind = query.apply("kind").toLowerCase(Locale.ROOT);
    Predicate<Decision> wanted =
        decision ->
            isKind(kind, decision.subject().kind())
                && is(query.apply("name"), decision.subject().name())
                && is(query.apply("namespace"), decision.subject().namespace())
                && is(query.apply("controller"), decision.controller());
    ObjectNode page = JsonNodeFactory.instance.objectNode();
    ArrayNode found = page.putArray("decisions");
    log.newest(wanted, limit(query.apply("limit")))
        .forEach(decision -> found.add(DecisionJson.of(decision)));
    return page;
  }

  private static boolean is(String wanted, String actual) {
    return wanted.isEmpty() || wanted.equals(actual);
  }

  /** People type {@code deployment}, {@code deployments} or {@code Deployment}. */
  private static boolean isKind(String wanted, String kind) {
    String actual = kind.toLowerCase(Locale.ROOT);
    return wanted.isEmpty() || wanted.equals(actual) || wanted.equals(actual + "s");
  }

  private static int limit(String text) {
    try {
      return text.isEmpty()
          ? DECISIONS_DEFAULT
          : Math.clamp(Long.parseLong(text), 1, DECISIONS_MAX);
    } catch (NumberFormatException e) {
      return DECISIONS_DEFAULT;
    }
  }

  private static ObjectNode queues(Controllers controllers) {
    ObjectNode page = JsonNodeFactory.instance.objectNode();
    leases(page.putArray("leases"), controllers.elections());
    EventRecorder.Figures events = controllers.events();
    page.putObject("events")
        .put("told", events.told())
        .put("written", events.written())
        .put("dropped", events.dropped());
    late(page.putArray("late"), controllers.late());
    ArrayNode all = page.putArray("queues");
    for (WorkQueue queue : controllers.queues()) {
      QueueFigures figures = queue.figures();
      ObjectNode json = all.addObject();
      json.put("name", figures.name())
          .put("depth", figures.depth())
          .put("oldestReadyMillis", figures.oldestReady().toMillis())
          .put("adds", figures.adds())
          .put("merged", figures.merged())
          .put("takes", figures.takes())
          .put("failures", figures.failures())
          .put("refused", figures.refused());
      ObjectNode depths = json.putObject("depths");
      for (Entry.State state : Entry.State.values()) {
        depths.put(state.name(), figures.depths().getOrDefault(state, 0));
      }
      ArrayNode breakers = json.putArray("breakers");
      for (QueueFigures.OpenBreaker breaker : figures.breakers()) {
        breakers
            .addObject()
            .put("dependency", breaker.dependency())
            .put("held", breaker.held())
            .put("openings", breaker.openings())
            .put("nextProbe", breaker.nextProbe().toString());
      }
      ArrayNode entries = json.putArray("entries");
      queue.entries(ENTRIES_MAX).forEach(entry -> entries.add(entry(entry)));
    }
    return page;
  }

  private static void late(ArrayNode page, List<Controllers.Late> all) {
    for (Controllers.Late late : all.subList(0, Math.min(ENTRIES_MAX, all.size()))) {
      ObjectNode json = page.addObject().put("controller", late.controller());
      Key key = late.view().key();
      if (key != null) {
        json.put("namespace", key.namespace()).put("name", key.name());
      }
      json.put("seconds", late.lasts().toSeconds()).put("waits", late.waits());
    }
  }

  private static void leases(ArrayNode leases, List<LeaseElection> elections) {
    for (LeaseElection election : elections) {
      Term term = election.term();
      ObjectNode lease =
          leases
              .addObject()
              .put("name", election.lease())
              .put("holder", election.leader())
              .put("here", term != null);
      if (term != null) {
        lease.put("term", term.number());
      }
    }
  }

  private static ObjectNode entry(Entry entry) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("namespace", entry.key().namespace())
        .put("name", entry.key().name())
        .put("state", entry.state().name())
        .put("priority", entry.priority().name())
        .put("attempts", entry.attempts())
        .put("adds", entry.adds())
        .put("inStateMillis", entry.inState().toMillis());
    Instant next = entry.nextTime();
    if (next != null) {
      json.put("next", next.toString());
    }
    if (entry.dependency() != null) {
      json.put("dependency", entry.dependency());
    }
    ArrayNode wakes = json.putArray("wakes");
    entry
        .wakes()
        .forEach(
            wake -> wakes.addObject().put("kind", wake.kind().name()).put("text", wake.text()));
    return json;
  }
}
