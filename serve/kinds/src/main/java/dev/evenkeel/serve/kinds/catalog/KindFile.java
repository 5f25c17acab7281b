package dev.evenkeel.serve.kinds.catalog;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The outline of one file: its kinds, and where its types are written. Reading a type's fields is
 * left to {@link TypeTable}, since most servers never meet most types.
 */
record KindFile(List<VersionLine> versions, List<KindLine> kinds, List<TypeText> types) {

  /** A version of a group, and the package of its types. */
  record VersionLine(String group, String version, String packageName) {}

  /**
   * A kind as it is written.
   *
   * @param packageName of the type of its objects
   * @param words the options after the plural
   */
  record KindLine(
      String group,
      String version,
      String packageName,
      String kind,
      String plural,
      Words words,
      List<SubresourceLine> subresources,
      List<SelectableLine> selectable) {}

  /** A selectable field as it is written: {@code path}, or {@code path=stored,stored}. */
  record SelectableLine(String path, List<String> storedPaths) {
    static SelectableLine of(String token) {
      int equals = token.indexOf('=');
      return equals < 0
          ? new SelectableLine(token, List.of(token))
          : new SelectableLine(
              token.substring(0, equals), List.of(token.substring(equals + 1).split(",", -1)));
    }
  }

  /** A subresource as it is written. */
  record SubresourceLine(String name, Words words) {}

  /**
   * A type as it is written.
   *
   * @param isObject whether it has apiVersion, kind and metadata besides its own fields
   * @param body its fields, a line each; a blank line ends them
   */
  record TypeText(
      String packageName, String shortName, boolean isObject, Words words, String body) {
    String name() {
      return packageName + "." + shortName;
    }
  }

  /** The options of a line: {@code word} or {@code word=value}. */
  record Words(Map<String, String> values) {

    static final Words NONE = new Words(Map.of());

    static Words of(String[] tokens, int from) {
      if (from == tokens.length) {
        return NONE;
      }
      Map<String, String> values = new HashMap<>();
      for (int i = from; i < tokens.length; i++) {
        int equals = tokens[i].indexOf('=');
        if (equals < 0) {
          values.put(tokens[i], "");
        } else {
          values.put(tokens[i].substring(0, equals), tokens[i].substring(equals + 1));
        }
      }
      return new Words(values);
    }

    boolean has(String word) {
      return values.containsKey(word);
    }

    @Nullable String value(String word) {
      return values.get(word);
    }

    List<String> list(String word) {
      String value = values.get(word);
      return value == null ? List.of() : List.of(value.split(",", -1));
    }
  }

  static KindFile read(String fileName, String text) {
    var reader = new Reader(text);
    int from = 0;
    while (from < text.length()) {
      try {
        from = reader.line(from);
      } catch (IllegalArgumentException e) {
        long number = text.substring(0, from).lines().count() + 1;
        throw new IllegalStateException(fileName + ":" + number + ": " + e.getMessage(), e);
      }
    }
    return new KindFile(reader.versions, reader.kinds, reader.types);
  }

  /**
   * The words of a line, without the comment. By hand, because regular expressions are slow before
   * they are compiled, and this runs at start.
   */
  static String[] tokens(String line) {
    List<String> tokens = new ArrayList<>();
    int from = 0;
    while (from < line.length()) {
      if (line.charAt(from) == ' ') {
        from++;
        continue;
      }
      if (line.charAt(from) == '#') {
        break;
      }
      int space = line.indexOf(' ', from);
      int to = space < 0 ? line.length() : space;
      tokens.add(line.substring(from, to));
      from = to;
    }
    return tokens.toArray(new String[0]);
  }

  private static int lineEnd(String text, int from) {
    int end = text.indexOf('\n', from);
    return end < 0 ? text.length() : end;
  }

  private static final class Reader {

    private final String text;
    private final List<VersionLine> versions = new ArrayList<>();
    private final List<KindLine> kinds = new ArrayList<>();
    private final List<TypeText> types = new ArrayList<>();
    private String group = "";
    private String version = "";
    private String packageName = "";
    private @Nullable KindLine kind;

    Reader(String text) {
      this.text = text;
    }

    /** Reads the line that begins there, a type as a whole, and returns where to go on. */
    int line(int from) {
      int to = lineEnd(text, from);
      if (to == from || text.charAt(from) == '#') {
        return to + 1;
      }
      String[] tokens = tokens(text.substring(from, to));
      if (text.charAt(from) != ' ') {
        kind = null;
        if (tokens[0].equals("type") || tokens[0].equals("object")) {
          int blank = text.indexOf("\n\n", to);
          int end = blank < 0 ? text.length() : blank;
          type(tokens, text.substring(Math.min(to + 1, end), end));
          return end + 1;
        }
        heading(tokens);
      } else if (kind != null) {
        ofKind(kind, tokens);
      } else {
        throw new IllegalArgumentException("belongs to nothing");
      }
      return to + 1;
    }

    private void type(String[] tokens, String body) {
      types.add(
          new TypeText(
              packageName, tokens[1], tokens[0].equals("object"), Words.of(tokens, 2), body));
    }

    private void heading(String[] tokens) {
      switch (tokens[0]) {
        case "group" -> group = tokens[1].equals("core") ? "" : tokens[1];
        case "version" -> {
          version = tokens[1];
          packageName = tokens[2];
          versions.add(new VersionLine(group, version, packageName));
        }
        case "kind" -> {
          kind =
              new KindLine(
                  group,
                  version,
                  packageName,
                  tokens[1],
                  tokens[2],
                  Words.of(tokens, 3),
                  new ArrayList<>(),
                  new ArrayList<>());
          kinds.add(kind);
        }
        default -> throw new IllegalArgumentException("unknown word " + tokens[0]);
      }
    }

    private static void ofKind(KindLine kind, String[] tokens) {
      if (tokens.length == 0) {
        return;
      }
      switch (tokens[0]) {
        case "subresource" ->
            kind.subresources.add(new SubresourceLine(tokens[1], Words.of(tokens, 2)));
        case "selectable" -> {
          for (int i = 1; i < tokens.length; i++) {
            kind.selectable.add(SelectableLine.of(tokens[i]));
          }
        }
        default -> throw new IllegalArgumentException("unknown word " + tokens[0]);
      }
    }
  }
}
