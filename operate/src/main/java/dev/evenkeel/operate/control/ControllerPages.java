package dev.evenkeel.operate.control;

import dev.evenkeel.decide.guard.Mishaps;
import dev.evenkeel.decide.lead.LeaseElection;
import dev.evenkeel.decide.lead.Term;
import dev.evenkeel.decide.queue.Entry;
import dev.evenkeel.decide.queue.Key;
import dev.evenkeel.decide.queue.QueueFigures;
import dev.evenkeel.decide.queue.WorkQueue;
import dev.evenkeel.decide.run.ControllerRunner;
import dev.evenkeel.decide.run.EventRecorder;
import dev.evenkeel.explain.log.DecisionLog;
import dev.evenkeel.explain.record.Decision;
import dev.evenkeel.explain.record.DecisionJson;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
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

  /** The same once more, under the names that dashboards for Kubernetes use. */
  private static void upstreams(StringBuilder text, List<QueueFigures> all) {
    named(
        text,
        "workqueue_depth",
        "gauge",
        "Keys that wait for a worker.",
        all,
        figures -> figures.depths().getOrDefault(Entry.State.READY, 0));
    named(text, "workqueue_adds_total", "counter", "Wake-ups.", all, QueueFigures::adds);
    named(text, "workqueue_retries_total", "counter", "Failures.", all, QueueFigures::failures);
  }

  private static void named(
      StringBuilder text,
      String metric,
      String type,
      String help,
      List<QueueFigures> all,
      ToLongFunction<QueueFigures> figure) {
    text.append("# HELP ").append(metric).append(' ').append(help).append('\n');
    text.append("# TYPE ").append(metric).append(' ').append(type).append('\n');
    for (QueueFigures figures : all) {
      text.append(metric).append("{name=\"").append(figures.name()).append("\"} ");
      text.append(figure.applyAsLong(figures)).append('\n');
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

  /** Queues, leases and events in Prometheus' text format. */
  public static String metrics(Controllers controllers) {
    var text = new StringBuilder();
    text.append("# HELP evenkeel_queue_depth Keys in a controller's queue, by state.\n")
        .append("# TYPE evenkeel_queue_depth gauge\n");
    List<QueueFigures> all = controllers.queues().stream().map(WorkQueue::figures).toList();
    for (QueueFigures figures : all) {
      for (Entry.State state : Entry.State.values()) {
        line(
            text,
            "evenkeel_queue_depth",
            figures.name() + "\",state=\"" + state.name().toLowerCase(Locale.ROOT),
            figures.depths().getOrDefault(state, 0));
      }
    }
    text.append("# HELP evenkeel_queue_oldest_ready_seconds How long the first has waited.\n")
        .append("# TYPE evenkeel_queue_oldest_ready_seconds gauge\n");
    for (QueueFigures figures : all) {
      line(
          text,
          "evenkeel_queue_oldest_ready_seconds",
          figures.name(),
          figures.oldestReady().toMillis() / 1_000.0);
    }
    counter(text, "adds", "Wake-ups that were taken in.", all, QueueFigures::adds);
    counter(text, "takes", "Keys given to a controller.", all, QueueFigures::takes);
    counter(text, "failures", "Attempts that failed.", all, QueueFigures::failures);
    upstreams(text, all);
    leases(text, controllers.elections());
    events(text, controllers.events());
    late(text, controllers.running(), controllers.late());
    mishaps(text, controllers.running());
    return text.toString();
  }

  private static void leases(StringBuilder text, List<LeaseElection> elections) {
    text.append("# HELP evenkeel_lease_leads Whether this process leads: 1, or 0 while it waits.\n")
        .append("# TYPE evenkeel_lease_leads gauge\n");
    for (LeaseElection election : elections) {
      text.append("evenkeel_lease_leads{lease=\"")
          .append(election.lease())
          .append("\"} ")
          .append(election.term() == null ? 0 : 1)
          .append('\n');
    }
  }

  private static void events(StringBuilder text, EventRecorder.Figures events) {
    event(text, "told", "Events that controllers told.", events.told());
    event(text, "written", "Events written, new ones and counts.", events.written());
    event(text, "dropped", "Events forgotten: too many at once, or refused.", events.dropped());
  }

  private static void event(StringBuilder text, String name, String help, long value) {
    String metric = "evenkeel_events_" + name + "_total";
    text.append("# HELP ").append(metric).append(' ').append(help).append('\n');
    text.append("# TYPE ").append(metric).append(" counter\n");
    text.append(metric).append(' ').append(value).append('\n');
  }

  private static void late(
      StringBuilder text, List<ControllerRunner<?>> running, List<Controllers.Late> all) {
    text.append("# HELP evenkeel_late_views What is not planned for: too little of it is seen.\n")
        .append("# TYPE evenkeel_late_views gauge\n");
    Map<String, Long> counts = new TreeMap<>();
    Map<String, Long> seconds = new TreeMap<>();
    for (ControllerRunner<?> runner : running) {
      counts.put(runner.name(), 0L);
      seconds.put(runner.name(), 0L);
    }
    for (Controllers.Late late : all) {
      counts.merge(late.controller(), 1L, Long::sum);
      seconds.merge(late.controller(), late.lasts().toSeconds(), Math::max);
    }
    counts.forEach((name, count) -> line(text, "evenkeel_late_views", name, count));
    text.append("# HELP evenkeel_late_view_seconds How long the longest of it has waited.\n")
        .append("# TYPE evenkeel_late_view_seconds gauge\n");
    seconds.forEach((name, value) -> line(text, "evenkeel_late_view_seconds", name, value));
  }

  private static void mishaps(StringBuilder text, List<ControllerRunner<?>> running) {
    String metric = "evenkeel_reconciler_mishaps_total";
    text.append("# HELP ").append(metric).append(" What no reconciler should do, by kind.\n");
    text.append("# TYPE ").append(metric).append(" counter\n");
    for (ControllerRunner<?> runner : running) {
      for (Mishaps.Kind kind : Mishaps.Kind.values()) {
        line(
            text,
            metric,
            runner.name() + "\",kind=\"" + kind.name().toLowerCase(Locale.ROOT),
            runner.mishaps().number(kind));
      }
    }
  }

  private static void counter(
      StringBuilder text,
      String name,
      String help,
      List<QueueFigures> all,
      ToLongFunction<QueueFigures> figure) {
    String metric = "evenkeel_queue_" + name + "_total";
    text.append("# HELP ").append(metric).append(' ').append(help).append('\n');
    text.append("# TYPE ").append(metric).append(" counter\n");
    all.forEach(figures -> line(text, metric, figures.name(), figure.applyAsLong(figures)));
  }

  private static void line(StringBuilder text, String metric, String controller, Object value) {
    text.append(metric)
        .append("{controller=\"")
        .append(controller)
        .append("\"} ")
        .append(value)
        .append('\n');
  }
}
