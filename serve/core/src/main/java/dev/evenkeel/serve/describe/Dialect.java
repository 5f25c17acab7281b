package dev.evenkeel.serve.describe;

import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** How a version of OpenAPI writes what both of them can say. */
enum Dialect {
  V2("#/definitions/"),
  V3("#/components/schemas/");

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /** What bodies may be written in, and answers as well. */
  private static final List<String> FORMATS = List.of("application/json", "application/yaml");

  private static final List<String> LIST_FORMATS =
      List.of("application/json", "application/json;stream=watch", "application/yaml");

  private final String typePrefix;

  Dialect(String typePrefix) {
    this.typePrefix = typePrefix;
  }

  ObjectNode reference(String typeName) {
    return NODES.objectNode().put("$ref", typePrefix + typeName);
  }

  /** A reference that more is said about. The third version ignores what stands beside one. */
  ObjectNode reference(String typeName, ObjectNode more) {
    ObjectNode reference = reference(typeName);
    if (more.isEmpty()) {
      return reference;
    }
    if (this == V2) {
      reference.setAll(more);
      return reference;
    }
    ObjectNode all = NODES.objectNode();
    all.putArray("allOf").add(reference);
    all.setAll(more);
    return all;
  }

  ObjectNode parameter(Parameter parameter) {
    ObjectNode json = NODES.objectNode();
    json.put("description", parameter.description());
    json.put("in", parameter.inPath() ? "path" : "query");
    json.put("name", parameter.word());
    if (parameter.inPath()) {
      json.put("required", true);
    }
    ObjectNode type = this == V2 ? json : json.putObject("schema");
    type.put("type", parameter.type()).put("uniqueItems", true);
    return json;
  }

  /**
   * Says which body an operation takes.
   *
   * @param formats the media types it may have
   */
  void body(ObjectNode operation, String typeName, boolean required, List<String> formats) {
    if (this == V2) {
      ArrayNode consumes = operation.putArray("consumes");
      formats.forEach(consumes::add);
      ObjectNode body =
          operation.withArray("parameters").addObject().put("in", "body").put("name", "body");
      if (required) {
        body.put("required", true);
      }
      body.set("schema", reference(typeName));
      return;
    }
    ObjectNode body = operation.putObject("requestBody");
    if (required) {
      body.put("required", true);
    }
    ObjectNode content = body.putObject("content");
    for (String format : formats) {
      content.putObject(format).set("schema", reference(typeName));
    }
  }

  /** Says what an operation answers: the same type with each of the codes. */
  void answers(ObjectNode operation, String typeName, boolean stream, List<Answer> answers) {
    List<String> formats = stream ? LIST_FORMATS : FORMATS;
    if (this == V2) {
      ArrayNode produces = operation.putArray("produces");
      formats.forEach(produces::add);
      operation.putArray("schemes").add("https");
    }
    ObjectNode responses = operation.putObject("responses");
    for (Answer answer : answers) {
      ObjectNode response = responses.putObject(answer.code());
      response.put("description", answer.word());
      if (this == V2) {
        response.set("schema", reference(typeName));
      } else {
        ObjectNode content = response.putObject("content");
        for (String format : formats) {
          content.putObject(format).set("schema", reference(typeName));
        }
      }
    }
    responses.putObject("401").put("description", "Unauthorized");
  }

  /** How callers say who they are. */
  static ObjectNode bearerToken() {
    return NODES
        .objectNode()
        .put("description", "Bearer token")
        .put("in", "header")
        .put("name", "authorization")
        .put("type", "apiKey");
  }

  /** A code of HTTP. */
  enum Answer {
    OK("200", "OK"),
    CREATED("201", "Created"),
    ACCEPTED("202", "Accepted");

    private final String code;
    private final String word;

    Answer(String code, String word) {
      this.code = code;
      this.word = word;
    }

    String code() {
      return code;
    }

    String word() {
      return word;
    }
  }
}
