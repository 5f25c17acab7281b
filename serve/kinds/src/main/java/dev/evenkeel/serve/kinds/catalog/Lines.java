package dev.evenkeel.serve.kinds.catalog;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.function.BiConsumer;

/** The lines of the catalog's files. */
final class Lines {

  private static final String FOLDER = "/dev/evenkeel/serve/kinds/";

  private Lines() {}

  /** The text of a file. */
  static String read(String file) {
    try (InputStream in = Lines.class.getResourceAsStream(FOLDER + file)) {
      if (in == null) {
        throw new IllegalStateException("the catalog lacks " + file);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Calls the reader for every line with content, with the line and its tokens.
   *
   * @throws IllegalStateException naming the line, if the reader refuses it
   */
  static void forEach(String file, String text, BiConsumer<String, String[]> reader) {
    int number = 0;
    int from = 0;
    while (from < text.length()) {
      int end = text.indexOf('\n', from);
      int to = end < 0 ? text.length() : end;
      number++;
      String line = text.substring(from, to);
      String[] tokens = Words.tokens(line);
      try {
        if (tokens.length > 0) {
          reader.accept(line, tokens);
        }
      } catch (RuntimeException e) {
        throw new IllegalStateException(file + ":" + number + ": " + e.getMessage(), e);
      }
      from = to + 1;
    }
  }
}
