package dev.evenkeel.serve.kinds.rules.cluster;

import dev.evenkeel.kernel.schema.Problems;
import dev.evenkeel.serve.kinds.KindRules;
import dev.evenkeel.serve.kinds.rules.check.Names;
import dev.evenkeel.serve.kinds.rules.check.Place;
import dev.evenkeel.serve.kinds.rules.check.Same;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/** Events, in the core group's words or in those of their own group. */
public final class EventRules implements KindRules {

  private static final int WORD_LENGTH_MAX = 128;
  private static final int NOTE_LENGTH_MAX = 1024;
  private static final String ELSEWHERE = "does not match event.namespace";

  private static final List<String> FIXED =
      List.of(
          "regarding",
          "reason",
          "note",
          "type",
          "eventTime",
          "action",
          "related",
          "reportingController",
          "reportingInstance");

  private static final Map<String, String> OLDER_NAMES =
      Map.of("regarding", "involvedObject", "note", "message");

  private static final List<String> OUTDATED =
      List.of("deprecatedFirstTimestamp", "deprecatedLastTimestamp", "deprecatedCount");

  private final boolean ownGroup;

  private EventRules(boolean ownGroup) {
    this.ownGroup = ownGroup;
  }

  public static EventRules ofCore() {
    return new EventRules(false);
  }

  public static EventRules ofOwnGroup() {
    return new EventRules(true);
  }

  @Override
  public void validate(ObjectNode event, Problems problems) {
    Place whole = Place.of(event, problems);
    Place subject =
        Place.of(
            "involvedObject.namespace",
            whole.at(ownGroup ? "regarding" : "involvedObject", "namespace").node(),
            problems);
    String namespace = whole.at("metadata", "namespace").text();
    if (!whole.at("eventTime").isThere()) {
      boolean matches =
          subject.isEmpty()
              ? namespace.isEmpty() || namespace.equals("default")
              : subject.is(namespace);
      if (!matches) {
        subject.invalid(subject.text(), ELSEWHERE);
      }
      return;
    }
    if (subject.isEmpty() && !namespace.equals("default") && !namespace.equals("kube-system")) {
      subject.invalid("", ELSEWHERE);
    }
    Place reporter = whole.at(ownGroup ? "reportingController" : "reportingComponent");
    if (reporter.isEmpty()) {
      reporter.required();
    }
    reporter.invalid(Names.qualifiedName(reporter.text()));
    for (String field : List.of("reportingInstance", "action", "reason")) {
      Place word = whole.at(field);
      if (word.isEmpty()) {
        word.required();
      }
      atMost(word, WORD_LENGTH_MAX);
    }
    atMost(
        Place.of("message", whole.at(ownGroup ? "note" : "message").node(), problems),
        NOTE_LENGTH_MAX);
  }

  private static void atMost(Place text, int max) {
    if (text.text().length() > max) {
      text.invalid("", "can have at most " + max + " characters");
    }
  }

  @Override
  public void validateCreate(ObjectNode event, Problems problems) {
    if (!ownGroup) {
      return;
    }
    Place whole = Place.of(event, problems);
    series(whole.at("series"));
    if (!whole.at("eventTime").isThere()) {
      whole.at("eventTime").required();
    }
    Place type = whole.at("type");
    if (!type.is("Normal") && !type.is("Warning")) {
      type.invalid("", "has invalid value: " + type.text());
    }
    for (String field : OUTDATED) {
      if (whole.at(field).isThere() && whole.at(field).number(1) != 0) {
        whole.at(field).invalid("", "needs to be unset");
      }
    }
  }

  private static void series(Place series) {
    if (series.isThere() && series.at("count").number() < 2) {
      series.at("count").invalid("", "should be at least 2");
    }
    if (series.isThere() && !series.at("lastObservedTime").isThere()) {
      series.at("lastObservedTime").required();
    }
  }

  @Override
  public void validateUpdate(ObjectNode event, ObjectNode old, Problems problems) {
    if (!ownGroup) {
      return;
    }
    Place whole = Place.of(event, problems);
    if (!Same.same(whole.at("series").node(), old.path("series"))) {
      series(whole.at("series"));
    }
    for (String field : FIXED) {
      // Told by the names of the older version, in which upstream compares.
      Place.of(OLDER_NAMES.getOrDefault(field, field), whole.at(field).node(), problems)
          .immutable(old.path(field));
    }
  }
}
