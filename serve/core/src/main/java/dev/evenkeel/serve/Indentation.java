package dev.evenkeel.serve;

import dev.evenkeel.serve.api.ApiRequest;
import dev.evenkeel.serve.api.ApiResponse;
import dev.evenkeel.serve.present.IndentedStream;
import dev.evenkeel.serve.request.Query;
import org.jspecify.annotations.Nullable;

/** Answers that people read, in browsers and with command line tools, are indented. */
final class Indentation {

  private Indentation() {}

  /** Whether it was asked for, or the client is one that people look at. */
  static boolean isWanted(ApiRequest request) {
    if (request.query().contains("pretty")) {
      switch (Query.parse(request.query()).text("pretty")) {
        case "" -> {}
        case "1", "t", "T", "true", "TRUE", "True" -> {
          return true;
        }
        default -> {
          return false;
        }
      }
    }
    return isForPeople(request.header("user-agent"));
  }

  private static boolean isForPeople(@Nullable String agent) {
    return agent != null
        && (agent.startsWith("curl")
            || agent.startsWith("Wget")
            || agent.startsWith("Mozilla/5.0"));
  }

  /** The same answer, indented if it is JSON; a watch stays one line an event. */
  static ApiResponse of(ApiResponse answer) {
    for (ApiResponse.Header header : answer.headers()) {
      if (header.name().equalsIgnoreCase("content-encoding")
          || (header.name().equalsIgnoreCase("content-type")
              && !header.value().startsWith("application/json"))) {
        return answer;
      }
    }
    ApiResponse.Content content =
        switch (answer.content()) {
          case ApiResponse.Whole(byte[] bytes) -> new ApiResponse.Whole(IndentedStream.of(bytes));
          case ApiResponse.Streamed(var stream, var kind) when kind == ApiResponse.Kind.BODY ->
              new ApiResponse.Streamed(new IndentedStream(stream), kind);
          case ApiResponse.Streamed streamed -> streamed;
        };
    return new ApiResponse(answer.status(), answer.headers(), content);
  }
}
