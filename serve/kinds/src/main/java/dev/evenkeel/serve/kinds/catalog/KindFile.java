package dev.evenkeel.serve.kinds.catalog;

import java.util.ArrayList;
import java.util.Arrays;
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
      List<String> selectable) {}

  /** A subresource as it is written. */
  record SubresourceLine(String name, Words words) {}

  /**
   * A type as it is written.
   *
   * @param isObject whether it has apiVersion, kind and metadata besides its own fields
   * @param body its fields, a line each
   */
  record TypeText(
      String packageName, String shortName, boolean isObject, Words words, List<String> body) {
    String name() {
      return packageName + "." + shortName;
    }
  }

  /** The options of a line: {@code word} or {@code word=value}. */
  record Words(Map<String, String> values) {

    static final Words NONE = new Words(Map.of());

    static Words of(String[] tokens, int from) {
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
    var reader = new Reader();
    int number = 0;
    int from = 0;
    while (from < text.length()) {
      int end = text.indexOf('\n', from);
      int to = end < 0 ? text.length() : end;
      number++;
      try {
        reader.line(text.substring(from, to));
      } catch (IllegalArgumentException e) {
        throw new IllegalStateException(fileName + ":" + number + ": " + e.getMessage(), e);
      }
      from = to + 1;
    }
    return new KindFile(reader.versions, reader.kinds, reader.types);
  }

  /** Splits at spaces, and leaves out the comment. */
  static String[] tokens(String line) {
    String text = line.strip();
    int comment = text.startsWith("#") ? 0 : text.indexOf(" #");
    String content = comment < 0 ? text : text.substring(0, comment).strip();
    return content.isEmpty() ? new String[0] : content.split(" +", -1);
  }

  private static final class Reader {

    private final List<VersionLine> versions = new ArrayList<>();
    private final List<KindLine> kinds = new ArrayList<>();
    private final List<TypeText> types = new ArrayList<>();
    private String group = "";
    private String version = "";
    private String packageName = "";
    private @Nullable KindLine kind;
    private @Nullable TypeText type;

    void line(String line) {
      if (line.isEmpty() || line.startsWith("#")) {
        return;
      }
      if (!line.startsWith(" ")) {
        heading(tokens(line));
      } else if (type != null) {
        type.body.add(line);
      } else if (kind != null) {
        ofKind(kind, tokens(line));
      } else {
        throw new IllegalArgumentException("belongs to nothing: " + line);
      }
    }

    private void heading(String[] tokens) {
      kind = null;
      type = null;
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
        case "object", "type" -> {
          type =
              new TypeText(
                  packageName,
                  tokens[1],
                  tokens[0].equals("object"),
                  Words.of(tokens, 2),
                  new ArrayList<>());
          types.add(type);
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
        case "selectable" ->
            kind.selectable.addAll(Arrays.asList(tokens).subList(1, tokens.length));
        default -> throw new IllegalArgumentException("unknown word " + tokens[0]);
      }
    }
  }
}
