package dev.evenkeel.serve.describe;

import dev.evenkeel.kernel.api.Gvk;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * What little is said in words: about the built-in kinds, and about the fields that all kinds have.
 * Read for the making of documents, then forgotten.
 */
final class Descriptions {

  private static final String FILE = "/dev/evenkeel/serve/describe/descriptions.txt";

  private final Map<String, String> byKind;

  private Descriptions(Map<String, String> byKind) {
    this.byKind = byKind;
  }

  static Descriptions read() {
    Map<String, String> byKind = new HashMap<>();
    text()
        .lines()
        .filter(line -> !line.startsWith("#"))
        .forEach(
            line -> {
              int end = line.indexOf(' ');
              byKind.put(line.substring(0, end), line.substring(end).strip());
            });
    return new Descriptions(byKind);
  }

  private static String text() {
    try (InputStream in = Descriptions.class.getResourceAsStream(FILE)) {
      if (in == null) {
        throw new IllegalStateException("the server lacks " + FILE);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A sentence, for custom kinds one without news. */
  String ofKind(Gvk gvk) {
    boolean builtIn =
        !gvk.group().contains(".")
            || gvk.group().endsWith(".k8s.io")
            || gvk.group().equals("evenkeel.dev");
    String known = builtIn ? byKind.get(gvk.kind()) : null;
    return known == null ? gvk.kind() + " of " + gvk.apiVersion() + "." : known;
  }

  /** Empty if there is nothing to say. */
  static String ofField(String name) {
    return switch (name) {
      case "apiVersion" -> "Group and version of the object's kind.";
      case "kind" -> "The object's kind.";
      case "metadata" -> "What every object has: name, namespace, labels, versions, owners.";
      case "spec" -> "What is wanted.";
      case "status" -> "What was last observed. Written by the system, not by users.";
      default -> "";
    };
  }
}
