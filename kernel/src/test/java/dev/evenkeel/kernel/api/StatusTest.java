package dev.evenkeel.kernel.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.kernel.json.Json;
import dev.evenkeel.kernel.schema.FieldError;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class StatusTest {

  static Stream<Arguments> statuses() {
    return Stream.of(
        Arguments.of(Status.badRequest("why"), 400, "BadRequest", "why"),
        Arguments.of(Status.unauthorized(), 401, "Unauthorized", "Unauthorized"),
        Arguments.of(
            Status.forbidden("apps", "deployments", "d", "no"),
            403,
            "Forbidden",
            "deployments.apps \"d\" is forbidden: no"),
        Arguments.of(Status.notFound("", "pods", "p"), 404, "NotFound", "pods \"p\" not found"),
        Arguments.of(
            Status.noSuchPath(),
            404,
            "NotFound",
            "the server could not find the requested resource"),
        Arguments.of(Status.methodNotAllowed("no"), 405, "MethodNotAllowed", "no"),
        Arguments.of(
            Status.notAcceptable(List.of("a/b", "c/d")),
            406,
            "NotAcceptable",
            "only the following media types are accepted: a/b, c/d"),
        Arguments.of(
            Status.alreadyExists("", "pods", "p"),
            409,
            "AlreadyExists",
            "pods \"p\" already exists"),
        Arguments.of(
            Status.modified("apps", "deployments", "d"),
            409,
            "Conflict",
            "Operation cannot be fulfilled on deployments.apps \"d\": the object has been modified;"
                + " please apply your changes to the latest version and try again"),
        Arguments.of(Status.expired("old"), 410, "Expired", "old"),
        Arguments.of(Status.tooLarge("big"), 413, "RequestEntityTooLarge", "big"),
        Arguments.of(
            Status.unsupportedMediaType(List.of("a/b")),
            415,
            "UnsupportedMediaType",
            "the body of the request was in an unknown format - accepted media types include: a/b"),
        Arguments.of(Status.tooManyRequests("slow", 1), 429, "TooManyRequests", "slow"),
        Arguments.of(
            Status.internal("oops"), 500, "InternalError", "Internal error occurred: oops"),
        Arguments.of(Status.unavailable("soon", 2), 503, "ServiceUnavailable", "soon"),
        Arguments.of(Status.timeout("late", List.of(), 0), 504, "Timeout", "Timeout: late"));
  }

  @ParameterizedTest
  @MethodSource("statuses")
  void factories_useUpstreamsWords(Status status, int code, String reason, String message) {
    assertThat(status.code()).isEqualTo(code);
    assertThat(status.reason()).isEqualTo(reason);
    assertThat(status.message()).isEqualTo(message);
    assertThat(status.asException().status()).isSameAs(status);
    assertThat(status.asException()).hasMessage(message);
  }

  @Test
  void invalid_hasACauseForEachError() {
    var required = new FieldError(FieldError.Reason.REQUIRED, "spec.a", "Required value");
    var invalid = new FieldError(FieldError.Reason.INVALID, "spec.b", "Invalid value: 1: no");
    assertThat(Status.invalid("apps", "Deployment", "d", List.of(required)).message())
        .isEqualTo("Deployment.apps \"d\" is invalid: spec.a: Required value");
    assertThat(json(Status.invalid("apps", "Deployment", "d", List.of(required, invalid))))
        .isEqualTo(
            "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\","
                + "\"message\":\"Deployment.apps \\\"d\\\" is invalid: [spec.a: Required value,"
                + " spec.b: Invalid value: 1: no]\",\"reason\":\"Invalid\",\"details\":{"
                + "\"name\":\"d\",\"group\":\"apps\",\"kind\":\"Deployment\",\"causes\":["
                + "{\"reason\":\"FieldValueRequired\",\"message\":\"Required value\","
                + "\"field\":\"spec.a\"},{\"reason\":\"FieldValueInvalid\","
                + "\"message\":\"Invalid value: 1: no\",\"field\":\"spec.b\"}]},\"code\":422}");
  }

  @Test
  void toJson_leavesOutWhatIsEmpty() {
    assertThat(json(Status.of(200, "", "")))
        .isEqualTo(
            "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Success\","
                + "\"code\":200}");
    assertThat(json(Status.tooManyRequests("slow", 3)))
        .contains("\"details\":{\"retryAfterSeconds\":3}");
  }

  @Test
  void withContinueToken_keepsTheRest() {
    Status status = Status.expired("old").withContinueToken("abc");
    assertThat(json(status)).contains("\"metadata\":{\"continue\":\"abc\"}");
    assertThat(status.withContinueToken("abc")).isEqualTo(status);
  }

  private static String json(Status status) {
    return new String(Json.encode(status.toJson()), StandardCharsets.UTF_8);
  }
}
