package dev.evenkeel.serve.kinds.catalog;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A file of types, as it is written: the fields of a type are read when they are asked for. */
record TypeFile(Map<String, Map<String, TypeText>> packages) {

  /**
   * A type.
   *
   * @param isObject whether it has apiVersion, kind and metadata besides its own fields
   * @param body its fields, each as tokens
   */
  record TypeText(
      String packageName, String shortName, boolean isObject, Words words, List<String> body) {
    String name() {
      return packageName + "." + shortName;
    }
  }

  static TypeFile read(String file) {
    var reader = new Reader();
    Lines.forEach(file, Lines.read(file), reader::line);
    return new TypeFile(reader.packages);
  }

  private static final class Reader {

    private final Map<String, Map<String, TypeText>> packages = new HashMap<>();
    private String packageName = "";
    private List<String> body = new ArrayList<>();

    void line(String line, String[] tokens) {
      if (line.startsWith(" ")) {
        body.add(line);
        return;
      }
      switch (tokens[0]) {
        case "package" -> {
          packageName = tokens[1];
          packages.put(packageName, new HashMap<>());
        }
        case "object", "type" -> type(tokens);
        default -> throw new IllegalArgumentException("cannot be read: " + line);
      }
    }

    private void type(String[] tokens) {
      body = new ArrayList<>();
      var text =
          new TypeText(
              packageName, tokens[1], tokens[0].equals("object"), Words.of(tokens, 2), body);
      if (packages.getOrDefault(packageName, Map.of()).put(text.shortName, text) != null) {
        throw new IllegalArgumentException(text.name() + " is written twice");
      }
    }
  }
}
