package dev.evenkeel.kernel.api;

import dev.evenkeel.kernel.schema.FieldError;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The API's answer that is not an object, most often an error. The factories use upstream's words,
 * because clients match on them.
 *
 * @param reason upstream's word for it, for example {@code NotFound}; empty where there is none
 * @param details what it is about, null where there is nothing to say
 * @param continueToken for an expired continue token: a new one that goes on inconsistently
 */
public record Status(
    int code,
    String reason,
    String message,
    @Nullable Details details,
    @Nullable String continueToken) {

  /**
   * What a status is about.
   *
   * @param kind the resource's plural (or the kind, for invalid objects), as upstream does
   * @param retryAfterSeconds 0 for none
   */
  public record Details(
      String name,
      String group,
      String kind,
      String uid,
      List<Cause> causes,
      int retryAfterSeconds) {
    public Details {
      causes = List.copyOf(causes);
    }
  }

  /** One cause: reason, message, field path (empty where it is about no field). */
  public record Cause(String reason, String message, String field) {}

  public ApiException asException() {
    return new ApiException(this);
  }

  public static Status of(int code, String reason, String message) {
    return new Status(code, reason, message, null, null);
  }

  public static Status badRequest(String message) {
    return of(400, "BadRequest", message);
  }

  public static Status unauthorized() {
    return of(401, "Unauthorized", "Unauthorized");
  }

  public static Status forbidden(String group, String plural, String name, String why) {
    return new Status(
        403,
        "Forbidden",
        qualified(plural, group)
            + (name.isEmpty() ? "" : " \"" + name + "\"")
            + " is forbidden: "
            + why,
        details(name, group, plural, List.of()),
        null);
  }

  public static Status notFound(String group, String plural, String name) {
    return new Status(
        404,
        "NotFound",
        qualified(plural, group) + " \"" + name + "\" not found",
        details(name, group, plural, List.of()),
        null);
  }

  /** For a path that names nothing. */
  public static Status noSuchPath() {
    return new Status(
        404,
        "NotFound",
        "the server could not find the requested resource",
        details("", "", "", List.of()),
        null);
  }

  public static Status methodNotAllowed(String message) {
    return new Status(405, "MethodNotAllowed", message, details("", "", "", List.of()), null);
  }

  public static Status notAcceptable(List<String> accepted) {
    return of(
        406,
        "NotAcceptable",
        "only the following media types are accepted: " + String.join(", ", accepted));
  }

  public static Status alreadyExists(String group, String plural, String name) {
    return new Status(
        409,
        "AlreadyExists",
        qualified(plural, group) + " \"" + name + "\" already exists",
        details(name, group, plural, List.of()),
        null);
  }

  public static Status conflict(String group, String plural, String name, String why) {
    return new Status(
        409,
        "Conflict",
        "Operation cannot be fulfilled on "
            + qualified(plural, group)
            + " \""
            + name
            + "\": "
            + why,
        details(name, group, plural, List.of()),
        null);
  }

  /** The conflict of a write that carries an older version than the stored one. */
  public static Status modified(String group, String plural, String name) {
    return conflict(
        group,
        plural,
        name,
        "the object has been modified; please apply your changes to the latest version and try"
            + " again");
  }

  public static Status expired(String message) {
    return of(410, "Expired", message);
  }

  public static Status tooLarge(String message) {
    return of(413, "RequestEntityTooLarge", message);
  }

  public static Status unsupportedMediaType(List<String> accepted) {
    return of(
        415,
        "UnsupportedMediaType",
        "the body of the request was in an unknown format - accepted media types include: "
            + String.join(", ", accepted));
  }

  /** 422 with a cause for each error. */
  public static Status invalid(String group, String kind, String name, List<FieldError> errors) {
    List<Cause> causes =
        errors.stream().map(e -> new Cause(e.reason().word(), e.message(), e.field())).toList();
    String list = errors.stream().map(FieldError::toString).collect(Collectors.joining(", "));
    String message =
        qualified(kind, group)
            + " \""
            + name
            + "\" is invalid"
            + (errors.isEmpty() ? "" : ": " + (errors.size() == 1 ? list : "[" + list + "]"));
    return new Status(422, "Invalid", message, details(name, group, kind, causes), null);
  }

  public static Status tooManyRequests(String message, int retryAfterSeconds) {
    return new Status(
        429,
        "TooManyRequests",
        message,
        new Details("", "", "", "", List.of(), retryAfterSeconds),
        null);
  }

  public static Status internal(String message) {
    return new Status(
        500,
        "InternalError",
        "Internal error occurred: " + message,
        new Details("", "", "", "", List.of(new Cause("", message, "")), 0),
        null);
  }

  public static Status unavailable(String message, int retryAfterSeconds) {
    return new Status(
        503,
        "ServiceUnavailable",
        message,
        new Details("", "", "", "", List.of(), retryAfterSeconds),
        null);
  }

  public static Status timeout(String message, List<Cause> causes, int retryAfterSeconds) {
    return new Status(
        504,
        "Timeout",
        "Timeout: " + message,
        new Details("", "", "", "", causes, retryAfterSeconds),
        null);
  }

  public Status withContinueToken(String token) {
    return new Status(code, reason, message, details, token);
  }

  /** As the object that is sent. */
  public ObjectNode toJson() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("kind", "Status").put("apiVersion", "v1");
    ObjectNode metadata = json.putObject("metadata");
    if (continueToken != null) {
      metadata.put("continue", continueToken);
    }
    json.put("status", code < 400 ? "Success" : "Failure");
    if (!message.isEmpty()) {
      json.put("message", message);
    }
    if (!reason.isEmpty()) {
      json.put("reason", reason);
    }
    if (details != null) {
      writeDetails(json.putObject("details"), details);
    }
    json.put("code", (long) code);
    return json;
  }

  private static void writeDetails(ObjectNode json, Details details) {
    putUnlessEmpty(json, "name", details.name);
    putUnlessEmpty(json, "group", details.group);
    putUnlessEmpty(json, "kind", details.kind);
    putUnlessEmpty(json, "uid", details.uid);
    if (!details.causes.isEmpty()) {
      ArrayNode causes = json.putArray("causes");
      for (Cause cause : details.causes) {
        ObjectNode one = causes.addObject();
        putUnlessEmpty(one, "reason", cause.reason);
        putUnlessEmpty(one, "message", cause.message);
        putUnlessEmpty(one, "field", cause.field);
      }
    }
    if (details.retryAfterSeconds > 0) {
      json.put("retryAfterSeconds", (long) details.retryAfterSeconds);
    }
  }

  private static void putUnlessEmpty(ObjectNode json, String name, String value) {
    if (!value.isEmpty()) {
      json.put(name, value);
    }
  }

  private static Details details(String name, String group, String kind, List<Cause> causes) {
    return new Details(name, group, kind, "", causes, 0);
  }

  /** {@code deployments.apps}, or just {@code pods} in the core group. */
  private static String qualified(String word, String group) {
    return group.isEmpty() ? word : word + "." + group;
  }
}
