package dev.evenkeel.serve.kinds.structural;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The part of JSONPath that columns and selectable fields are written in: {@code
 * .status.conditions[?(@.type=="Ready")].status}, {@code .spec.ports[0]}, {@code
 * .metadata.labels['a\.b']}.
 */
public final class JsonPath {

  private static final int STEPS_MAX = 64;

  private sealed interface Step {
    record Field(String name) implements Step {}

    /** Negative counts from the end. */
    record Index(int index) implements Step {}

    record All() implements Step {}

    record Where(List<String> path, String operator, @Nullable String value) implements Step {}
  }

  private final List<Step> steps;

  private JsonPath(List<Step> steps) {
    this.steps = steps;
  }

  /**
   * @throws IllegalArgumentException if it is no such path; the message says why
   */
  public static JsonPath parse(String text) {
    return new JsonPath(new Parser(text).steps());
  }

  /** Whether a text is such a path. */
  public static boolean isOne(String text) {
    try {
      parse(text);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** What it selects, in order. */
  public List<JsonNode> select(JsonNode root) {
    List<JsonNode> here = List.of(root);
    for (Step step : steps) {
      List<JsonNode> next = new ArrayList<>();
      for (JsonNode node : here) {
        step(node, step, next);
      }
      here = next;
    }
    return here;
  }

  /** The fields of a path that names nothing but fields, else null. */
  public @Nullable List<String> fields() {
    List<String> names = new ArrayList<>();
    for (Step step : steps) {
      if (!(step instanceof Step.Field(var name))) {
        return null;
      }
      names.add(name);
    }
    return names;
  }

  private static void step(JsonNode node, Step step, List<JsonNode> found) {
    switch (step) {
      case Step.Field(var name) -> add(node.path(name), found);
      case Step.Index(var index) -> add(node.path(index < 0 ? node.size() + index : index), found);
      case Step.All() -> node.forEach(item -> add(item, found));
      case Step.Where where -> {
        for (JsonNode item : node) {
          if (matches(item, where)) {
            found.add(item);
          }
        }
      }
    }
  }

  private static void add(JsonNode node, List<JsonNode> found) {
    if (!node.isMissingNode()) {
      found.add(node);
    }
  }

  private static boolean matches(JsonNode item, Step.Where where) {
    JsonNode value = item;
    for (String name : where.path) {
      value = value.path(name);
    }
    if (where.value == null) {
      return !value.isMissingNode();
    }
    boolean same = value.isValueNode() && value.asString("").equals(where.value);
    return where.operator.equals("!=") != same;
  }

  /** Reads a path, character by character. */
  private static final class Parser {
    private final String text;
    private int at;

    Parser(String text) {
      String plain = text.strip();
      if (plain.startsWith("{") && plain.endsWith("}")) {
        plain = plain.substring(1, plain.length() - 1);
      }
      this.text = plain.startsWith("$") ? plain.substring(1) : plain;
    }

    List<Step> steps() {
      List<Step> steps = new ArrayList<>();
      while (at < text.length()) {
        if (steps.size() == STEPS_MAX) {
          throw wrong("it has more than " + STEPS_MAX + " steps");
        }
        char c = text.charAt(at);
        if (c == '.') {
          at++;
          if (at < text.length() && text.charAt(at) == '*') {
            at++;
            steps.add(new Step.All());
          } else if (at < text.length() && text.charAt(at) != '[') {
            steps.add(new Step.Field(name()));
          }
        } else if (c == '[') {
          at++;
          steps.add(bracket());
        } else {
          throw wrong("expected . or [ at position " + at);
        }
      }
      return List.copyOf(steps);
    }

    private String name() {
      var name = new StringBuilder();
      while (at < text.length() && ".[]= !)<>".indexOf(text.charAt(at)) < 0) {
        if (text.charAt(at) == '\\' && at + 1 < text.length()) {
          at++;
        }
        name.append(text.charAt(at));
        at++;
      }
      if (name.isEmpty()) {
        throw wrong("a name is missing at position " + at);
      }
      return name.toString();
    }

    private Step bracket() {
      if (at >= text.length()) {
        throw wrong("a ] is missing");
      }
      char c = text.charAt(at);
      Step step;
      if (c == '\'' || c == '"') {
        step = new Step.Field(quoted());
      } else if (c == '*') {
        at++;
        step = new Step.All();
      } else if (c == '?') {
        step = where();
      } else {
        step = new Step.Index(index());
      }
      expect(']');
      return step;
    }

    private int index() {
      int start = at;
      while (at < text.length() && text.charAt(at) != ']') {
        at++;
      }
      try {
        return Integer.parseInt(text.substring(start, at));
      } catch (NumberFormatException e) {
        throw wrong("'" + text.substring(start, at) + "' is no index");
      }
    }

    private Step where() {
      at++;
      expect('(');
      skipSpace();
      expect('@');
      List<String> path = new ArrayList<>();
      while (at < text.length() && text.charAt(at) == '.') {
        at++;
        path.add(name());
      }
      skipSpace();
      String operator = "";
      String value = null;
      if (text.startsWith("==", at) || text.startsWith("!=", at)) {
        operator = text.substring(at, at + 2);
        at += 2;
        skipSpace();
        char c = at < text.length() ? text.charAt(at) : ')';
        value = c == '\'' || c == '"' ? quoted() : name();
        skipSpace();
      }
      expect(')');
      return new Step.Where(path, operator, value);
    }

    private String quoted() {
      char quote = text.charAt(at);
      at++;
      var value = new StringBuilder();
      while (at < text.length() && text.charAt(at) != quote) {
        if (text.charAt(at) == '\\' && at + 1 < text.length()) {
          at++;
        }
        value.append(text.charAt(at));
        at++;
      }
      expect(quote);
      return value.toString();
    }

    private void skipSpace() {
      while (at < text.length() && text.charAt(at) == ' ') {
        at++;
      }
    }

    private void expect(char c) {
      if (at >= text.length() || text.charAt(at) != c) {
        throw wrong("a " + c + " is missing at position " + at);
      }
      at++;
    }

    private IllegalArgumentException wrong(String why) {
      return new IllegalArgumentException("'" + text + "': " + why);
    }
  }
}
