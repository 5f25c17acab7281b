package dev.evenkeel.serve.cel.notation;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.evenkeel.serve.cel.meter.Meter;
import dev.evenkeel.serve.cel.value.EvaluationError;
import dev.evenkeel.serve.cel.value.Opaque;
import java.util.ArrayDeque;
import java.util.Deque;

/** A regular expression that is matched in time linear in the text. */
public final class CompiledPattern implements Opaque {

  /** Repetitions are written out when a pattern is compiled: a few characters can be gigabytes. */
  private static final long STATES_MAX = 20_000;

  private static final int NESTING_MAX = 500;

  private final String source;
  private final Pattern pattern;

  private CompiledPattern(String source, Pattern pattern) {
    this.source = source;
    this.pattern = pattern;
  }

  /**
   * @throws EvaluationError if it is none
   */
  public static CompiledPattern of(String source) {
    if (statesMax(source) > STATES_MAX) {
      throw new EvaluationError("error parsing regexp: expression is too large");
    }
    try {
      return new CompiledPattern(source, Pattern.compile(source));
    } catch (PatternSyntaxException e) {
      throw new EvaluationError(
          "error parsing regexp: " + e.getDescription() + ": `" + e.getPattern() + "`");
    }
  }

  /** A matcher that charges for every look at a character, by the states that may look at it. */
  public Matcher matcher(String text, Meter meter) {
    return pattern.matcher(new Charged(text, 1 + pattern.programSize() / 3, meter));
  }

  String source() {
    return source;
  }

  @Override
  public String typeName() {
    return "string";
  }

  @Override
  public long size() {
    return source.codePointCount(0, source.length());
  }

  /** No fewer than the states that the pattern compiles to. */
  private static long statesMax(String source) {
    Deque<Long> outer = new ArrayDeque<>();
    long group = 0;
    long last = 0;
    for (int i = 0; i < source.length(); i++) {
      char c = source.charAt(i);
      switch (c) {
        case '(' -> {
          outer.push(group);
          group = 0;
          last = 0;
          if (outer.size() > NESTING_MAX) {
            return Long.MAX_VALUE;
          }
        }
        case ')' -> {
          last = group + 2;
          group = outer.isEmpty() ? last : outer.pop() + last;
        }
        case '{' -> {
          long times = repetitions(source, i);
          group += last * Math.max(0, times - 1);
          last *= Math.max(1, times);
        }
        default -> {
          if (c == '\\') {
            i++;
          }
          last = 2;
          group += 2;
        }
      }
      if (group > STATES_MAX) {
        return group;
      }
    }
    while (!outer.isEmpty()) {
      group += outer.pop();
    }
    return group;
  }

  /** The larger number in {@code {2,5}}; 1 if these are no repetitions. */
  private static long repetitions(String source, int open) {
    long largest = 0;
    long number = 0;
    for (int i = open + 1; i < source.length() && i < open + 12; i++) {
      char c = source.charAt(i);
      if (c >= '0' && c <= '9') {
        number = number * 10 + (c - '0');
        largest = Math.max(largest, number);
      } else if (c == ',') {
        number = 0;
      } else {
        return c == '}' ? largest : 1;
      }
    }
    return 1;
  }

  private record Charged(String text, int states, Meter meter) implements CharSequence {

    @Override
    public int length() {
      return text.length();
    }

    @Override
    public char charAt(int index) {
      meter.work(states);
      return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return text.substring(start, end);
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
