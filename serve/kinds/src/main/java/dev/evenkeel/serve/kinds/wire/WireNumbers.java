package dev.evenkeel.serve.kinds.wire;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The lines of the files of numbers, by type. See the package for what they mean.
 *
 * <p>Invariants: a file is read once, when the first of its types is asked for. Threading: any.
 */
final class WireNumbers {

  private static final String FOLDER = "/dev/evenkeel/serve/kinds/wire/";

  /** Package, then type. */
  private final Map<String, Map<String, String>> files = new ConcurrentHashMap<>();

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

  /** What is written of a type's fields, null if it is not written. */
  @Nullable String line(String typeName) {
    int dot = typeName.lastIndexOf('.');
    return dot < 0
        ? null
        : files
            .computeIfAbsent(typeName.substring(0, dot), WireNumbers::read)
            .get(typeName.substring(dot + 1));
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

  private static Map<String, String> read(String packageName) {
    Map<String, String> lines = new HashMap<>();
    String type = "";
    for (String line : text(packageName).split("\n", -1)) {
      if (line.isEmpty() || line.charAt(0) == '#') {
        continue;
      }
      if (line.charAt(0) == ' ') {
        lines.merge(type, line, String::concat);
        continue;
      }
      int space = line.indexOf(' ');
      type = space < 0 ? line : line.substring(0, space);
      lines.put(type, space < 0 ? "" : line.substring(space));
    }
    return lines;
  }

  private static String text(String packageName) {
    try (InputStream in = WireNumbers.class.getResourceAsStream(FOLDER + packageName + ".wire")) {
      return in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
