package dev.evenkeel.serve.kinds.cases;

import dev.evenkeel.kernel.api.Gvk;
import dev.evenkeel.kernel.api.Meta;
import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.json.Json.Format;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One document of a file of cases.
 *
 * @param title the sentence under {@code case}
 */
public record Case(String title, ObjectNode content) {

  /** The cases of a file, which are separated by lines of {@code ---}. */
  public static List<Case> in(String resource) {
    List<Case> cases = new ArrayList<>();
    for (String document : read(resource).split("(?m)^---$", -1)) {
      if (!document.isBlank()) {
        ObjectNode content = object(document);
        cases.add(new Case(Meta.text(content.path("case")), content));
      }
    }
    return cases;
  }

  /** An object written as YAML. */
  public static ObjectNode object(String yaml) {
    return (ObjectNode) Json.decode(yaml.getBytes(StandardCharsets.UTF_8), Format.YAML).tree();
  }

  public ObjectNode object(String field, ObjectNode whenAbsent) {
    return content.get(field) instanceof ObjectNode object ? object : whenAbsent;
  }

  public ObjectNode object() {
    return (ObjectNode) Objects.requireNonNull(content.get("object"), title);
  }

  public List<String> texts(String field) {
    List<String> texts = new ArrayList<>();
    for (JsonNode item : content.path(field)) {
      texts.add(item.asString());
    }
    return texts;
  }

  /** The object's own, so that cases say the kind once. */
  public Gvk gvk() {
    return gvkOf(object());
  }

  public static Gvk gvkOf(ObjectNode object) {
    return Gvk.of(Meta.text(object.path("apiVersion")), Meta.text(object.path("kind")));
  }

  private static String read(String resource) {
    try (InputStream stream = Case.class.getResourceAsStream(resource)) {
      Objects.requireNonNull(stream, resource);
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
