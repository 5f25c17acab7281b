package dev.evenkeel.serve.describe;

import dev.evenkeel.kernel.api.Gvk;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * What little is said in words: about the built-in kinds, about the fields that all kinds have, and
 * about all fields of the kinds that are Evenkeel's own. Read for the making of documents, then
 * forgotten.
 */
final class Descriptions {

  private static final String FILE = "/dev/evenkeel/serve/describe/descriptions.txt";

  /** Types of our own kinds. */
  private static final String OURS = "dev.evenkeel.api.";

  /** By the name of a kind, and by type and field: {@code PodGroupSpec.minMember}. */
  private final Map<String, String> byName;

  private Descriptions(Map<String, String> byName) {
    this.byName = byName;
  }

  static Descriptions read() {
    Map<String, String> byName = new HashMap<>();
    text()
        .lines()
        .filter(line -> !line.startsWith("#"))
        .forEach(
            line -> {
              int end = line.indexOf(' ');
              byName.put(line.substring(0, end), line.substring(end).strip());
            });
    return new Descriptions(byName);
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
    String known = builtIn ? byName.get(gvk.kind()) : null;
    return known == null ? gvk.kind() + " of " + gvk.apiVersion() + "." : known;
  }

  /**
   * Of a field of a type; empty if there is nothing to say.
   *
   * @param type the published name
   */
  String ofField(String type, String field) {
    return type.startsWith(OURS)
        ? byName.getOrDefault(type.substring(type.lastIndexOf('.') + 1) + "." + field, "")
        : "";
  }

  /** Of a field that all kinds have; empty if there is nothing to say. */
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
