package dev.evenkeel.serve.kinds.catalog;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The file of kinds, as it is written. */
record KindFile(List<VersionLine> versions, List<KindLine> kinds) {

  private static final String NAME = "builtin.kinds";

  /**
   * A version of a group, and the package of its types.
   *
   * @param file where the types are written
   */
  record VersionLine(String group, String version, String packageName, String file) {}

  /**
   * A kind.
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

  /** A subresource. */
  record SubresourceLine(String name, Words words) {}

  /** A selectable field: {@code path}, or {@code path=stored,stored}. */
  record SelectableLine(String path, List<String> storedPaths) {
    static SelectableLine of(String token) {
      int equals = token.indexOf('=');
      return equals < 0
          ? new SelectableLine(token, List.of(token))
          : new SelectableLine(
              token.substring(0, equals), List.of(token.substring(equals + 1).split(",", -1)));
    }
  }

  static KindFile read() {
    var reader = new Reader();
    Lines.forEach(NAME, Lines.read(NAME), reader::line);
    return new KindFile(reader.versions, reader.kinds);
  }

  private static final class Reader {

    private final List<VersionLine> versions = new ArrayList<>();
    private final List<KindLine> kinds = new ArrayList<>();
    private String groupName = "";
    private String version = "";
    private String packageName = "";
    private @Nullable KindLine kind;

    void line(String line, String[] tokens) {
      switch (tokens[0]) {
        case "group" -> groupName = tokens[1];
        case "version" -> {
          version = tokens[1];
          packageName = tokens[2];
          versions.add(new VersionLine(group(), version, packageName, groupName + ".types"));
        }
        case "kind" -> kinds.add(kind(tokens));
        case "subresource" ->
            kind().subresources.add(new SubresourceLine(tokens[1], Words.of(tokens, 2)));
        case "selectable" -> {
          for (int i = 1; i < tokens.length; i++) {
            kind().selectable.add(SelectableLine.of(tokens[i]));
          }
        }
        default -> throw new IllegalArgumentException("cannot be read: " + line);
      }
    }

    /** The core group has a name only in the file. */
    private String group() {
      return groupName.equals("core") ? "" : groupName;
    }

    private KindLine kind(String[] tokens) {
      kind =
          new KindLine(
              group(),
              version,
              packageName,
              tokens[1],
              tokens[2],
              Words.of(tokens, 3),
              new ArrayList<>(),
              new ArrayList<>());
      return kind;
    }

    private KindLine kind() {
      if (kind == null) {
        throw new IllegalArgumentException("belongs to no kind");
      }
      return kind;
    }
  }
}
