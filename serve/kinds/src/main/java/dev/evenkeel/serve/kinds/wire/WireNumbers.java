package dev.evenkeel.serve.kinds.wire;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The lines of the files of numbers, by type. See the package for what they mean. */
final class WireNumbers {

  private static final String FOLDER = "/dev/evenkeel/serve/kinds/wire/";

  private static final List<String> FILES =
      List.of(
          "core",
          "apiregistration.k8s.io",
          "apps",
          "events.k8s.io",
          "authentication.k8s.io",
          "authorization.k8s.io",
          "autoscaling",
          "batch",
          "certificates.k8s.io",
          "networking.k8s.io",
          "policy",
          "rbac.authorization.k8s.io",
          "storage.k8s.io",
          "admissionregistration.k8s.io",
          "apiextensions.k8s.io",
          "scheduling.k8s.io",
          "coordination.k8s.io",
          "node.k8s.io",
          "discovery.k8s.io",
          "flowcontrol.apiserver.k8s.io",
          "meta");

  private final Map<String, String> lines = new HashMap<>();

  /**
   * A field as it is written.
   *
   * @param name the field's, or the type's if it is inline
   */
  record Word(String name, int number, boolean pointer, boolean showsZero, boolean inline) {

    static Word of(String text) {
      int equals = text.indexOf('=');
      char last = text.charAt(text.length() - 1);
      boolean pointer = last == '*';
      boolean showsZero = last == '!';
      boolean inline = text.charAt(0) == '+';
      String number = text.substring(equals + 1, text.length() - (pointer || showsZero ? 1 : 0));
      return new Word(
          text.substring(inline ? 1 : 0, equals),
          Integer.parseInt(number),
          pointer,
          showsZero,
          inline);
    }
  }

  private WireNumbers() {}

  static WireNumbers read() {
    var numbers = new WireNumbers();
    for (String file : FILES) {
      numbers.add(text(file));
    }
    return numbers;
  }

  /** What is written of a type's fields, null if it is not written. */
  @Nullable String line(String typeName) {
    return lines.get(typeName);
  }

  Set<String> typeNames() {
    return lines.keySet();
  }

  static List<Word> words(String line) {
    List<Word> words = new ArrayList<>();
    int from = 0;
    while (from < line.length()) {
      int space = line.indexOf(' ', from);
      int to = space < 0 ? line.length() : space;
      if (to > from) {
        words.add(Word.of(line.substring(from, to)));
      }
      from = to + 1;
    }
    return words;
  }

  private void add(String text) {
    String packageName = "";
    String type = "";
    for (String line : text.split("\n", -1)) {
      if (line.isEmpty() || line.charAt(0) == '#') {
        continue;
      }
      if (line.charAt(0) == ' ') {
        lines.merge(type, line, String::concat);
        continue;
      }
      int space = line.indexOf(' ');
      String first = space < 0 ? line : line.substring(0, space);
      String rest = space < 0 ? "" : line.substring(space + 1);
      if (first.equals("package")) {
        packageName = rest;
      } else {
        type = packageName + "." + first;
        lines.put(type, rest);
      }
    }
  }

  private static String text(String file) {
    String path = FOLDER + file + ".wire";
    try (InputStream in = WireNumbers.class.getResourceAsStream(path)) {
      if (in == null) {
        throw new IllegalStateException("there is no " + path);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
